"""Large files are read by a worker, and the page waits with progress."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.module_loading import import_string

from clubs.finance.bank.statement_reader import recognise_message_format
from clubs.models import BankStatementLine, Member
from common.jobs import queue, redirects
from common.models import Job
from common.tabular import subprocess_reader
from tests.factories import make_event, make_user
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

TABLE = "family name;given name;rating\nŁoś;Jan;1850\n".encode()
STATEMENT = b""":20:STARTUMS
:25:10020030/1234567
:28C:1/1
:60F:C261101EUR100,00
:61:2611021102C25,00NTRFNONREF
:86:Dues of Jan
:62F:C261102EUR125,00
-
"""


@pytest.fixture
def slow(monkeypatch, settings, tmp_path) -> dict[int, str]:
    """All files count as heavy, and workers are busy: what they have been asked for, by its key."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(subprocess_reader, "LIGHT_BYTES", 0)
    monkeypatch.setattr(redirects, "SECONDS_TO_WAIT", 0)
    asked: dict[int, str] = {}
    monkeypatch.setattr(queue, "_dispatch", lambda key, task, _limit: asked.update({key: task}))
    return asked


def work_elsewhere(browser, slow, answer, title: str) -> str:
    """See the progress, let a worker do the job, and return the address that the job leads to."""
    ((key, task),) = slow.items()
    slow.clear()
    assert answer.url == reverse("job_page", args=[key])
    assert title in browser.get(answer.url).text
    import_string(task).apply(args=[key])
    assert Job.objects.get(pk=key).state == Job.State.DONE
    return browser.get(answer.url).url


def read_elsewhere(browser, slow, address: str, data: bytes, monkeypatch, **more: str) -> str:
    """Send a file, let a worker read it, and return the address of what follows."""
    answer = browser.post(address, {"file": SimpleUploadedFile("file.txt", data)} | more)
    then = work_elsewhere(browser, slow, answer, "Reading the file")

    def run(*_args: object, **_more: object) -> None:
        raise AssertionError("read in the process of the pages")

    monkeypatch.setattr(subprocess, "run", run)
    assert then.startswith(f"{address}?")
    return then


def upload_token(page) -> str:
    return re.search('name="token" value="([^"]+)"', page.text)[1]


def test_members(client, club, secretary, slow, monkeypatch):
    client.force_login(secretary)
    address = reverse("members_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, TABLE, monkeypatch))
    assert "Łoś" in page.text
    assert not Member.objects.exists()
    token = upload_token(page)
    other_column = client.post(address, {"token": token, "check": "columns", "column-2": "phone"})
    page = client.get(work_elsewhere(client, slow, other_column, "Reading the file"))
    assert re.search(r'<option value="phone" selected', page.text)
    answer = client.post(address, {"token": token})
    assert client.post(address, {"token": token}).url == answer.url  # a second click waits for the same job
    then = work_elsewhere(client, slow, answer, "Importing the file")
    assert "1 member added" in client.get(then, follow=True).text
    assert Member.objects.get().name == "Łoś, Jan"
    assert "This file was already imported, or is no longer available." in client.post(address, {"token": token}).text


def test_a_report_is_read_and_imported_by_a_worker(client, club, arbiter, slow, monkeypatch):
    report = export_trf(make_event(club, players=4))
    client.force_login(arbiter)
    address = reverse("tournament_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, report, monkeypatch))
    token = upload_token(page)
    wrong = client.post(address, {"token": token, "system": "burstein"})
    refused = client.get(work_elsewhere(client, slow, wrong, "Importing the file"))
    assert refused.status_code == 422
    assert "burstein is not one of the available choices" in html.unescape(refused.text)
    sent = {"token": token, "system": "jahr", "rated_as": "standard"}
    answer = client.post(address, sent)
    then = client.get(work_elsewhere(client, slow, answer, "Importing the file"), follow=True)
    assert "“file.txt” imported." in then.text
    assert Tournament.objects.latest("pk").entries.count() == 4


def test_an_import_whose_worker_dies_afterwards_is_not_repeated(client, club, arbiter, slow, monkeypatch):
    report = export_trf(make_event(club, players=4))
    client.force_login(arbiter)
    address = reverse("tournament_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, report, monkeypatch))
    client.post(address, {"token": upload_token(page), "system": "jahr", "rated_as": "standard"})
    ((key, task),) = slow.items()
    for _attempt in range(2):
        import_string(task).apply(args=[key])
        assert Job.objects.get(pk=key).result["url"]
        Job.objects.filter(pk=key).update(state=Job.State.WAITING)
    assert Tournament.objects.count() == 2


def test_without_a_queue_a_process_of_its_own_does_the_job(monkeypatch):
    commands = []
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_more: commands.append(command) or SimpleNamespace(returncode=0)
    )
    monkeypatch.setattr(queue.connections, "close_all", lambda: None)
    queue._run_here(None, 7, "tournaments.tasks.import_players")
    assert commands == [[sys.executable, "-m", "common.jobs.job_process", "tournaments.tasks.import_players", "7"]]


def test_players(client, club, arbiter, slow, monkeypatch):
    client.force_login(arbiter)
    event = make_event(club, players=0)
    address = reverse("entries_import", args=[club.slug, event.slug])
    page = client.get(read_elsewhere(client, slow, address, TABLE, monkeypatch))
    assert page.status_code == 200
    answer = client.post(address, {"token": upload_token(page)})
    work_elsewhere(client, slow, answer, "Importing the file")
    assert event.entries.get().rating == 1850


def test_a_statement_is_read_once_in_the_chosen_format(client, club, treasurer, slow, monkeypatch):
    """Its structure says nothing, but the treasurer knows that it is an MT940 file."""
    client.force_login(treasurer)
    address = reverse("bank_statement_import", args=[club.slug])
    balance = b":60F:C261101EUR100,00\n"
    data = STATEMENT.replace(balance, b"").replace(b":25:", balance + b":25:")
    assert not recognise_message_format(data)
    page = client.get(read_elsewhere(client, slow, address, data, monkeypatch, format="mt940"))
    token = re.search('name="read" value="([^"]+)"', page.text)[1]
    client.post(address, {"read": token, "format": "mt940"})
    assert BankStatementLine.objects.get().amount == 2500


def test_a_statement_is_imported_by_its_button_and_not_by_opening_the_page(client, club, treasurer, slow, monkeypatch):
    client.force_login(treasurer)
    address = reverse("bank_statement_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, STATEMENT, monkeypatch))
    assert not BankStatementLine.objects.exists()
    token = re.search('name="read" value="([^"]+)"', page.text)[1]
    client.post(address, {"read": token})
    line = BankStatementLine.objects.get()
    assert (line.amount, line.text) == (2500, "Dues of Jan")


def test_an_event_file_is_read_by_a_worker(client, club, arbiter, slow, monkeypatch):
    client.force_login(arbiter)
    address = reverse("event_file_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, b'{"format": "x"}', monkeypatch))
    assert page.status_code == 422
    assert "This isn't a Clubnight event file" in html.unescape(page.text)


def test_another_user_sees_nothing_of_it(client, club, secretary, slow, monkeypatch):
    client.force_login(secretary)
    address = reverse("members_import", args=[club.slug])
    found = read_elsewhere(client, slow, address, TABLE, monkeypatch)
    client.force_login(make_user("other", club, "secretary"))
    assert client.get(found).status_code == 404
