"""Scheduled tasks: started when due, once, whichever process checks and however often."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from threading import Barrier, Thread
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connections
from django.utils import timezone

from common.jobs.kinds import UNKNOWN_JOB_KIND, job_kind_of
from common.models import Job, ScheduledTaskRun
from common.schedule import due_tasks, registry
from common.schedule.due_tasks import overdue_tasks, start_due_tasks
from common.schedule.registry import ScheduledTask, register_scheduled_task, scheduled_tasks
from config.celery import app

WARSAW = ZoneInfo("Europe/Warsaw")


@pytest.fixture
def nightly(monkeypatch) -> ScheduledTask:
    """Register a single scheduled task."""
    monkeypatch.setattr(registry, "_chores", {})
    return register_scheduled_task(
        ScheduledTask(name="sessions", task="common.tasks.delete_expired_sessions", at=time(3, 0))
    )


def test_every_chore_is_a_kind_of_job():
    assert {chore.name for chore in scheduled_tasks()} >= {"backup", "erasing", "lists", "sessions", "telling"}
    assert [chore.name for chore in scheduled_tasks() if job_kind_of(chore.task) is UNKNOWN_JOB_KIND] == []


def test_a_name_belongs_to_one_chore(nightly):
    assert register_scheduled_task(nightly) is nightly
    with pytest.raises(ValueError, match="two chores"):
        register_scheduled_task(ScheduledTask(name="sessions", task="another", at=time(4, 0)))


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 3, 1, 2, 59), datetime(2026, 2, 28, 3)),
        (datetime(2026, 3, 1, 3, 0), datetime(2026, 3, 1, 3)),
        (datetime(2026, 3, 1, 23, 0), datetime(2026, 3, 1, 3)),
        # This time does not exist in the night when the clocks go forward; in the night when they go back it does.
        (datetime(2026, 3, 29, 12, 0), datetime(2026, 3, 29, 3)),
        (datetime(2026, 10, 25, 2, 30, fold=1), datetime(2026, 10, 24, 3)),
    ],
)
def test_it_is_due_at_its_time_of_day(now, due):
    chore = ScheduledTask(name="x", task="x", at=time(3, 0))
    assert chore.latest_due_time(now.replace(tzinfo=WARSAW)) == due.replace(tzinfo=WARSAW)


def test_a_weekly_one_is_due_once_a_week():
    chore = ScheduledTask(name="x", task="x", at=time(3, 0), days=7)
    begin = datetime(2026, 1, 1, 12, tzinfo=WARSAW)
    assert len({chore.latest_due_time(begin + timedelta(days=day)) for day in range(28)}) in (4, 5)


@pytest.mark.parametrize("day", [22, 23, 28])
def test_a_weekly_one_is_due_on_sundays(day):
    """22 November 2026 was a Sunday."""
    chore = ScheduledTask(name="x", task="x", at=time(3, 0), days=7)
    assert chore.latest_due_time(datetime(2026, 11, day, 12, tzinfo=WARSAW)) == datetime(2026, 11, 22, 3, tzinfo=WARSAW)


@pytest.mark.django_db
def test_it_is_begun_once_a_night_and_once_for_nights_that_were_missed(nightly):
    evening = datetime(2026, 11, 21, 20, tzinfo=UTC)
    assert len(start_due_tasks(evening)) == 1
    assert start_due_tasks(evening + timedelta(minutes=1)) == []
    assert len(start_due_tasks(evening + timedelta(hours=8))) == 1
    assert len(start_due_tasks(evening + timedelta(days=20))) == 1
    assert start_due_tasks(evening + timedelta(days=20, minutes=1)) == []
    # If the clock is set back by days, the task starts once more, but not twice.
    assert len(start_due_tasks(evening)) == 1
    assert start_due_tasks(evening) == []


@pytest.mark.django_db
def test_a_clock_that_was_years_ahead_keeps_it_from_nothing(nightly):
    now = timezone.now()
    assert [job.task for job in start_due_tasks(now + timedelta(days=4000))] != []
    Job.objects.all().delete()
    assert nightly.task in {job.task for job in start_due_tasks(now)}
    assert start_due_tasks(now) == []


@pytest.mark.django_db
def test_it_does_what_it_says_and_is_missed_when_nobody_begins_it(nightly):
    Session.objects.create(session_key="old", session_data="", expire_date=timezone.now() - timedelta(days=1))
    assert overdue_tasks() == []
    (job,) = start_due_tasks()
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert not Session.objects.exists()
    last = datetime(2026, 11, 21, 3, tzinfo=WARSAW)
    ScheduledTaskRun.objects.update(due_at=last)
    # Nothing started in the night of the 22nd. The task is overdue one day later.
    assert overdue_tasks(last + timedelta(days=1, hours=23)) == []
    assert overdue_tasks(last + timedelta(days=2, minutes=1)) == [(nightly, last + timedelta(days=1))]


@pytest.mark.django_db(transaction=True)
def test_several_that_look_at_once_begin_it_once(nightly, monkeypatch):
    monkeypatch.setattr("common.schedule.due_tasks.enqueue_job", lambda job: None)
    barrier, begun = Barrier(4), []

    def look() -> None:
        barrier.wait(30)
        begun.extend(start_due_tasks())
        connections.close_all()

    for _night in range(2):
        ScheduledTaskRun.objects.update(due_at=timezone.now() - timedelta(days=9))
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
    monkeypatch.setattr(due_tasks, "start_due_tasks", look)
    monkeypatch.setattr(due_tasks, "connections", SimpleNamespace(close_all=lambda: None))
    thread = SimpleNamespace(Event=lambda: pause, Thread=lambda target, **_how: SimpleNamespace(start=target))
    monkeypatch.setattr(due_tasks, "threading", thread)
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:9/0"
    due_tasks.start_schedule_watcher()
    assert looked == []
    settings.CELERY_BROKER_URL = ""
    due_tasks.start_schedule_watcher()
    assert len(looked) == 2
    assert "no chores begun" in caplog.text
