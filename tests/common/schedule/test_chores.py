"""Work that comes back by itself: begun when it is due, once, whoever looks and however often."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from threading import Barrier, Thread
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connections
from django.utils import timezone

from common.jobs.kinds import UNKNOWN, kind_of
from common.models import ChoreRun, Job
from common.schedule import kinds, watching
from common.schedule.due import begin_what_is_due, overdue
from common.schedule.kinds import Chore, chores, register
from config.celery import app

WARSAW = ZoneInfo("Europe/Warsaw")


@pytest.fixture
def nightly(monkeypatch) -> Chore:
    """The only chore there is."""
    monkeypatch.setattr(kinds, "_chores", {})
    return register(Chore(name="sessions", task="common.tasks.clear_sessions", at=time(3, 0)))


def test_every_chore_is_a_kind_of_job():
    assert {chore.name for chore in chores()} >= {"backup", "erasing", "lists", "seals", "sessions", "telling"}
    assert [chore.name for chore in chores() if kind_of(chore.task) is UNKNOWN] == []


def test_a_name_belongs_to_one_chore(nightly):
    assert register(nightly) is nightly
    with pytest.raises(ValueError, match="two chores"):
        register(Chore(name="sessions", task="another", at=time(4, 0)))


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 3, 1, 2, 59), datetime(2026, 2, 28, 3)),
        (datetime(2026, 3, 1, 3, 0), datetime(2026, 3, 1, 3)),
        (datetime(2026, 3, 1, 23, 0), datetime(2026, 3, 1, 3)),
        # The night on which the clocks go on has no such time, that on which they go back has one.
        (datetime(2026, 3, 29, 12, 0), datetime(2026, 3, 29, 3)),
        (datetime(2026, 10, 25, 2, 30, fold=1), datetime(2026, 10, 24, 3)),
    ],
)
def test_it_is_due_at_its_time_of_day(now, due):
    chore = Chore(name="x", task="x", at=time(3, 0))
    assert chore.due_before(now.replace(tzinfo=WARSAW)) == due.replace(tzinfo=WARSAW)


def test_a_weekly_one_is_due_once_a_week():
    chore = Chore(name="x", task="x", at=time(3, 0), days=7)
    begin = datetime(2026, 1, 1, 12, tzinfo=WARSAW)
    assert len({chore.due_before(begin + timedelta(days=day)) for day in range(28)}) in (4, 5)


@pytest.mark.parametrize("day", [22, 23, 28])
def test_a_weekly_one_is_due_on_sundays(day):
    """22 November 2026 was one."""
    chore = Chore(name="x", task="x", at=time(3, 0), days=7)
    assert chore.due_before(datetime(2026, 11, day, 12, tzinfo=WARSAW)) == datetime(2026, 11, 22, 3, tzinfo=WARSAW)


@pytest.mark.django_db
def test_it_is_begun_once_a_night_and_once_for_nights_that_were_missed(nightly):
    evening = datetime(2026, 11, 21, 20, tzinfo=UTC)
    assert len(begin_what_is_due(evening)) == 1
    assert begin_what_is_due(evening + timedelta(minutes=1)) == []
    assert len(begin_what_is_due(evening + timedelta(hours=8))) == 1
    assert len(begin_what_is_due(evening + timedelta(days=20))) == 1
    assert begin_what_is_due(evening + timedelta(days=20, minutes=1)) == []
    # Of a clock set back by days it is begun once more, and not again.
    assert len(begin_what_is_due(evening)) == 1
    assert begin_what_is_due(evening) == []


@pytest.mark.django_db
def test_a_clock_that_was_years_ahead_keeps_it_from_nothing(nightly):
    now = timezone.now()
    assert [job.task for job in begin_what_is_due(now + timedelta(days=4000))] != []
    Job.objects.all().delete()
    assert nightly.task in {job.task for job in begin_what_is_due(now)}
    assert begin_what_is_due(now) == []


@pytest.mark.django_db
def test_it_does_what_it_says_and_is_missed_when_nobody_begins_it(nightly):
    Session.objects.create(session_key="old", session_data="", expire_date=timezone.now() - timedelta(days=1))
    assert overdue() == []
    (job,) = begin_what_is_due()
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert not Session.objects.exists()
    last = datetime(2026, 11, 21, 3, tzinfo=WARSAW)
    ChoreRun.objects.update(due_at=last)
    # Of the night of the 22nd nothing was begun. It is missed a day after that.
    assert overdue(last + timedelta(days=1, hours=23)) == []
    assert overdue(last + timedelta(days=2, minutes=1)) == [(nightly, last + timedelta(days=1))]


@pytest.mark.django_db(transaction=True)
def test_several_that_look_at_once_begin_it_once(nightly, monkeypatch):
    monkeypatch.setattr("common.schedule.due.send", lambda job: None)
    barrier, begun = Barrier(4), []

    def look() -> None:
        barrier.wait(30)
        begun.extend(begin_what_is_due())
        connections.close_all()

    for _night in range(2):
        ChoreRun.objects.update(due_at=timezone.now() - timedelta(days=9))
        Job.objects.update(state=Job.State.DONE)
        threads = [Thread(target=look) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(begun) == 2


def test_beat_rings_for_them():
    (ring,) = app.conf.beat_schedule.values()
    app.loader.import_default_modules()
    assert ring["task"] in app.tasks


@pytest.mark.one_database
def test_a_server_without_a_queue_looks_again_and_again_and_one_with_a_queue_never(settings, monkeypatch, caplog):
    looked = list[int]()

    def look() -> None:
        looked.append(1)
        if len(looked) == 1:
            raise DatabaseError("not ready")

    pauses = iter([False, False, True])
    pause = SimpleNamespace(wait=lambda _seconds: next(pauses))
    monkeypatch.setattr(watching, "begin_what_is_due", look)
    monkeypatch.setattr(watching, "connections", SimpleNamespace(close_all=lambda: None))
    thread = SimpleNamespace(Event=lambda: pause, Thread=lambda target, **_how: SimpleNamespace(start=target))
    monkeypatch.setattr(watching, "threading", thread)
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:9/0"
    watching.watch_over_chores()
    assert looked == []
    settings.CELERY_BROKER_URL = ""
    watching.watch_over_chores()
    assert len(looked) == 2
    assert "no chores begun" in caplog.text
