"""What monitoring programs get and what they don't; the log as JSON lines."""

from __future__ import annotations

import json
import logging
import sys

import pytest
from django.db import OperationalError, connection
from django.test import Client

from common.jobs.queue import run_job
from common.log_context import job_id, request_id
from common.models import Job
from config.middleware.request_logging import REQUEST_ID_HEADER, JsonFormatter
from config.startup_checks import check_metrics_token
from operations.health import metrics, readiness
from tests.factories import make_event, published

TOKEN = "t" * 16 + "0123456789abcdef"


def test_alive_asks_nothing_of_the_database(client):
    """No database access is allowed in this test."""
    answer = client.get("/healthz")
    assert answer.json() == {"status": "alive"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert client.post("/healthz").status_code == 405


@pytest.mark.one_database
def test_ready_is_who_has_database_tables_and_queue(db, client, settings, monkeypatch):
    answer = client.get("/readyz")
    assert answer.json() == {"status": "ready", "checks": {"database": "ok", "migrations": "ok", "queue": "ok"}}

    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"] == {"database": "ok", "migrations": "ok", "queue": "failed"}
    settings.CELERY_BROKER_URL = None

    monkeypatch.setattr(readiness, "_migrated", set())
    monkeypatch.setattr(readiness, "unapplied_migrations", lambda: ["clubs.9999"])
    assert client.get("/readyz").json()["checks"]["migrations"] == "failed"

    def gone(*_args: object) -> None:
        raise OperationalError("connection to 10.0.0.7 refused for user clubnight")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", gone)
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "10.0.0.7" not in answer.text


def test_a_guessable_token_stops_the_start():
    assert check_metrics_token("") == ""
    with pytest.raises(Exception, match="CLUBNIGHT_METRICS_TOKEN"):
        check_metrics_token("secret")


@pytest.mark.one_database
def test_figures_are_for_whoever_has_the_token(club, client, settings, caplog):
    published(make_event(club, players=4), 1)
    Job.objects.create(task="none")
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for wrong in ("", "Bearer", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"):
        assert client.get("/metrics", headers={"Authorization": wrong}).status_code == 404
    with caplog.at_level(logging.INFO, "clubnight.requests"):
        client.get("/nowhere-at-all/")
    (line,) = (each for each in caplog.records if each.name == "clubnight.requests")
    assert 0 < line.facts["ms"] < 20_000
    told = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    assert "clubnight_rounds_playing 1.0" in told
    assert 'clubnight_jobs{state="waiting"} 1.0' in told
    assert 'view="healthz"' in told or 'view="metrics"' in told
    of_page = [line for line in told.splitlines() if "seconds_bucket{" in line and 'view="metrics"' in line]
    in_time, all_told = (
        sum(float(line.split()[-1]) for line in of_page if f'le="{most}"' in line) for most in ("20.0", "+Inf")
    )
    assert in_time == all_told > 0
    # Labels contain nothing that strangers can invent, and nothing private.
    assert "nowhere-at-all" not in told
    assert club.slug not in told


def test_figures_of_several_processes_are_read_from_their_files(db, monkeypatch, tmp_path):
    """An empty folder: requests of this process are not counted, but the database's figures are there."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    read = []
    monkeypatch.setattr(metrics.multiprocess, "MultiProcessCollector", read.append)
    said = metrics.render_metrics().decode()
    assert (len(read), "clubnight_log_lines" in said, "python_info" in said) == (1, True, False)


def test_why_it_is_not_ready_stands_in_the_log(caplog):
    def refuse() -> bool:
        raise OSError("no route")

    assert not readiness._holds("queue", refuse)
    assert "no route" in caplog.text


def test_security_txt_says_whom_to_write_to(client, settings):
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "safe@chess.example.org"
    told = client.get("/.well-known/security.txt").text
    assert told.startswith("Contact: mailto:safe@chess.example.org\nExpires: 20")


def line_of(message: str, *values: object, level: int = logging.INFO, failed: bool = False) -> dict[str, object]:
    record = logging.LogRecord("test", level, __file__, 1, message, values, sys.exc_info() if failed else None)
    return json.loads(JsonFormatter().format(record))


def test_a_line_of_the_log_names_its_request_and_hides_tokens():
    before = request_id.set("abc")
    try:
        assert line_of("GET %s", "/p/7.secret-token/")["message"] == "GET /p/7.…/"
        line = line_of("two\nlines")
        assert line["request"] == "abc"
        assert "job" not in line
    finally:
        request_id.reset(before)
    try:
        raise ValueError("Błąd /p/7.secret-token/")
    except ValueError:
        failed = line_of("failed", level=logging.ERROR, failed=True)
    assert "ValueError: Błąd" in failed["exception"]
    assert "secret-token" not in failed["exception"]


@pytest.mark.one_database
def test_every_answer_bears_the_id_under_which_it_stands_in_the_log(db, caplog):
    client = Client()
    with caplog.at_level(logging.INFO, "clubnight.requests"):
        assert (
            client.get("/healthz", headers={REQUEST_ID_HEADER: "from-the-proxy-1"}).headers[REQUEST_ID_HEADER]
            == "from-the-proxy-1"
        )
        made_up = client.get("/healthz", headers={REQUEST_ID_HEADER: 'x"\n{}'}).headers[REQUEST_ID_HEADER]
        assert len(made_up) == 32
        client.get("/help/systems/")
    lines = [record for record in caplog.records if record.name == "clubnight.requests"]
    assert [record.getMessage().split()[:2] for record in lines] == [["GET", "/help/systems/"]]
    assert request_id.get() == ""


@pytest.mark.django_db
@pytest.mark.one_database
def test_lines_of_a_job_name_it():
    seen = []
    job = Job.objects.create(task="none")
    run_job(job.pk, lambda _job: seen.append(job_id.get()))
    assert seen == [job.pk]
    assert job_id.get() == 0
