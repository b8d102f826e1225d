"""Background jobs: requested once, claimed once, cancelled, lost and recovered."""

from __future__ import annotations

import threading
from datetime import timedelta

import psycopg
import pytest
from django.db import OperationalError as DatabaseLost
from django.db import connections
from django.utils import timezone
from kombu.exceptions import OperationalError

from common.jobs import heartbeat, kinds
from common.jobs import queue as jobs
from common.jobs.queue import (
    LOST_AFTER,
    JobFailed,
    cancel_job,
    create_job,
    enqueue_job,
    report_progress,
    requeue_lost,
    run_job,
)
from common.jobs.status import JobStatus, job_status
from common.models import Job

LONG_AGO = timedelta(minutes=10)
DISPATCH = jobs._dispatch
"""Tests otherwise do jobs at once."""


class Bell:
    """A substitute for the queue: who called it, and whether it answers."""

    def __init__(self) -> None:
        self.rung: list[int] = []
        self.answers = True

    def __call__(self, job_id: int, task: str, time_limit: int | None) -> None:
        if not self.answers:
            raise OperationalError
        self.rung.append(job_id)


@pytest.fixture
def bell(monkeypatch) -> Bell:
    bell = Bell()
    monkeypatch.setattr(jobs, "_dispatch", bell)
    monkeypatch.setattr(jobs, "_after_commit", lambda act: act())
    return bell


def job_of(club=None, by=None, **fields) -> Job:
    job = create_job("no.such.task", by=by, club=club)
    Job.objects.filter(pk=job.pk).update(**fields)
    return Job.objects.get(pk=job.pk)


def lost(**fields) -> Job:
    now = timezone.now()
    gone = now - LOST_AFTER - timedelta(seconds=1)
    return job_of(state=Job.State.RUNNING, attempt=1, sent_at=gone - LONG_AGO, heartbeat_at=gone, **fields)


def nothing(job: Job) -> None:
    return None


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("state", [Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED])
def test_what_is_over_is_not_done_again(state):
    assert not run_job(job_of(state=state).pk, nothing)


@pytest.mark.django_db
def test_what_somebody_works_on_is_not_begun():
    job = job_of(state=Job.State.RUNNING, heartbeat_at=timezone.now())
    assert not run_job(job.pk, nothing)
    assert job_status(job) is JobStatus.AT_WORK


@pytest.mark.django_db
def test_work_that_kills_its_worker_again_and_again_is_given_up():
    job = lost()
    Job.objects.update(attempt=jobs.MAX_ATTEMPTS)
    assert not run_job(job.pk, nothing)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "worker crashed" in job.error


# -- Asked for -------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_one_key_one_job_until_it_is_over():
    first = create_job("a.task", by=None, key="round 1")
    assert create_job("a.task", by=None, key="round 1") == first
    assert create_job("a.task", by=None, key="round 2") != first
    assert create_job("another.task", by=None, key="round 1") != first
    assert run_job(first.pk, nothing)
    assert create_job("a.task", by=None, key="round 1") != first


@pytest.mark.django_db
def test_without_a_key_there_may_be_many():
    assert create_job("a.task", by=None) != create_job("a.task", by=None)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_one_job():
    together = threading.Barrier(6)
    found = []

    def ask():
        try:
            together.wait()
            found.append(create_job("a.task", by=None, key="round 1").pk)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask) for _each in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(found)) == Job.objects.count() == 1


@pytest.mark.django_db
def test_a_job_is_sent_once(bell):
    job = create_job("a.task", by=None)
    enqueue_job(job)
    enqueue_job(job)
    assert bell.rung == [job.pk]


@pytest.mark.django_db
def test_what_the_queue_does_not_take_waits_and_is_sent_when_it_does(bell):
    bell.answers = False
    job = create_job("a.task", by=None)
    enqueue_job(job)
    job.refresh_from_db()
    assert (job.state, job_status(job)) == (Job.State.WAITING, JobStatus.NOT_SENT)
    Job.objects.update(created_at=timezone.now() - LONG_AGO)
    assert requeue_lost() == 0
    bell.answers = True
    assert requeue_lost() == 1
    assert requeue_lost() == 0
    assert bell.rung == [job.pk]


@pytest.mark.django_db
def test_a_task_of_another_version_fails_alone(monkeypatch):
    monkeypatch.setattr(jobs, "_after_commit", lambda act: act())
    job = create_job("clubs.tasks.no_more", by=None)
    enqueue_job(job)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "no task clubs.tasks.no_more")


# -- Lost and found --------------------------------------------------------------------------------------------------


def test_a_job_that_waits_for_another_one_has_one_thread(monkeypatch, settings):
    settings.CELERY_BROKER_URL = ""
    turn = threading.Event()
    monkeypatch.setattr(jobs, "_run_here", lambda *_of_job: turn.wait(30))
    for _look in range(3):
        DISPATCH(-7, "common.tasks.send_emails", None)
    waiting = [thread for thread in threading.enumerate() if thread.name == "job--7"]
    turn.set()
    assert len(waiting) == 1


@pytest.mark.django_db
def test_without_a_free_thread_the_job_waits_and_the_others_go_on(bell, monkeypatch):
    def full(*_of_job: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as busy:
        busy.setattr(jobs, "_dispatch", full)
        job = create_job("a.task", by=None)
        enqueue_job(job)
    job.refresh_from_db()
    assert job.sent_at is None
    Job.objects.update(created_at=timezone.now() - LONG_AGO)
    assert requeue_lost() == 1
    assert bell.rung == [job.pk]


def test_a_loss_is_noticed_within_fifteen_seconds():
    """The last heartbeat, ten seconds of tolerance, and a page that polls every second."""
    assert timedelta(seconds=2 * heartbeat.HEARTBEAT_SECONDS + 1) + LOST_AFTER < timedelta(seconds=15)


@pytest.mark.django_db
def test_each_loss_is_answered_with_one_message(bell):
    job = lost()
    assert job_status(job) is JobStatus.LOST
    assert requeue_lost() == 1
    assert requeue_lost() == 0
    assert run_job(job.pk, nothing)
    job.refresh_from_db()
    assert (job.state, job.attempt, bell.rung) == (Job.State.DONE, 2, [job.pk])


@pytest.mark.django_db
def test_what_is_under_way_or_just_sent_is_left_alone(bell):
    now = timezone.now()
    job_of(state=Job.State.RUNNING, attempt=1, sent_at=now - LONG_AGO, heartbeat_at=now)
    job_of(sent_at=now)
    job_of()
    assert requeue_lost() == 0


@pytest.mark.django_db
def test_an_undelivered_message_is_sent_again(bell, settings):
    settings.CELERY_BROKER_URL = "redis://nowhere"
    job = job_of(
        sent_at=timezone.now() - jobs.RESEND_AFTER - timedelta(seconds=1), created_at=timezone.now() - LONG_AGO
    )
    assert job_status(job) is JobStatus.NO_WORKER
    assert (requeue_lost(), requeue_lost()) == (1, 0)


@pytest.mark.django_db
def test_a_clock_that_is_put_back_keeps_no_job_from_being_taken_up(bell, settings):
    ahead = timezone.now() + timedelta(days=1)
    running = job_of(state=Job.State.RUNNING, attempt=1, heartbeat_at=ahead, sent_at=ahead)
    unsent = job_of()
    Job.objects.filter(pk=unsent.pk).update(created_at=ahead)
    settings.CELERY_BROKER_URL = "redis://nowhere"
    unheard = job_of(sent_at=ahead)
    assert requeue_lost() == 3
    assert {job.pk for job in (running, unsent, unheard)} == set(bell.rung)
    assert run_job(running.pk, nothing)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "cause", [psycopg.OperationalError(), psycopg.InterfaceError(), psycopg.errors.AdminShutdown()]
)
def test_work_whose_database_goes_away_is_taken_up_again(cause):
    """Also if the database is back at once: a connection that Django reopens proves nothing."""

    def cut(_job: Job) -> None:
        raise DatabaseLost("server closed the connection unexpectedly") from cause

    job = job_of()
    assert not run_job(job.pk, cut)
    job.refresh_from_db()
    assert (job.state, job.error, job.attempt) == (Job.State.RUNNING, "", 1)
    Job.objects.update(heartbeat_at=timezone.now() - 2 * LOST_AFTER)
    assert run_job(job.pk, nothing)


@pytest.mark.django_db
def test_behind_others_is_not_without_a_worker():
    now = timezone.now()
    job_of(state=Job.State.RUNNING, heartbeat_at=now)
    assert job_status(job_of(sent_at=now, created_at=now - LONG_AGO)) is JobStatus.BEHIND_OTHER_JOBS


@pytest.mark.django_db(transaction=True)
def test_whoever_was_taken_for_dead_leaves_the_job_to_the_next(monkeypatch):
    """Paused for long enough, then continued: it notices at its next heartbeat, and writes nothing."""
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.02)
    job = create_job("a.task", by=None)

    def work(mine: Job) -> None:
        Job.objects.update(attempt=2)
        beat_until_stopped(mine)

    assert not run_job(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (Job.State.RUNNING, 2)


# -- Done ------------------------------------------------------------------------------------------------------------


def beat_until_stopped(job: Job) -> None:
    while True:
        report_progress(job, done=1, total=4, stage="saving")
        threading.Event().wait(0.005)


@pytest.mark.django_db
def test_what_the_work_returns_is_the_result():
    job = create_job("a.task", by=None)

    def work(mine: Job) -> dict:
        report_progress(mine, done=3, total=4)
        return {"next": "/there/"}

    assert run_job(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.result, job.percent_done, job.finished_at is None) == (
        Job.State.DONE,
        {"next": "/there/"},
        75,
        False,
    )


@pytest.mark.django_db
def test_errors_end_in_the_row_in_the_language_of_who_asked():
    from django.utils import translation

    with translation.override("pl"):
        job = create_job("a.task", by=None)

    def work(mine: Job) -> None:
        raise JobFailed(translation.get_language())

    assert run_job(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "pl")


@pytest.mark.django_db
def test_an_error_of_ours_fails_the_job_and_is_logged(caplog):
    job = create_job("a.task", by=None)
    run_job(job.pk, lambda mine: 1 / 0)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "ZeroDivisionError: division by zero")
    assert "failed" in caplog.text


@pytest.mark.django_db
def test_what_nobody_has_begun_is_cancelled_at_once():
    waiting, gone, done = job_of(), lost(), job_of(state=Job.State.DONE)
    for job in (waiting, gone, done):
        cancel_job(job)
        job.refresh_from_db()
    assert (waiting.state, gone.state, done.state) == (Job.State.CANCELLED, Job.State.CANCELLED, Job.State.DONE)
    assert not run_job(waiting.pk, nothing)


@pytest.mark.django_db(transaction=True)
def test_what_is_under_way_stops_at_its_next_beat(monkeypatch):
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.02)
    job = create_job("a.task", by=None)

    def work(mine: Job) -> None:
        cancel_job(mine)
        assert job_status(Job.objects.get(pk=mine.pk)) is JobStatus.STOPPING
        beat_until_stopped(mine)

    assert run_job(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.done, job.stage) == (Job.State.CANCELLED, 1, "saving")


@pytest.mark.django_db(transaction=True)
def test_what_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.02)
    job = create_job("a.task", by=None, time_limit=0)
    assert run_job(job.pk, beat_until_stopped)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "longer than 0 seconds" in job.error


@pytest.mark.django_db(transaction=True)
def test_silent_work_is_seen_alive(monkeypatch):
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.02)
    job = create_job("a.task", by=None)

    def work(mine: Job) -> None:
        begun = Job.objects.get(pk=mine.pk).heartbeat_at
        for _each in range(500):
            threading.Event().wait(0.02)
            if Job.objects.get(pk=mine.pk).heartbeat_at > begun:
                return
        raise JobFailed("no sign of life")

    run_job(job.pk, work)
    assert Job.objects.get().state == Job.State.DONE


def test_a_task_has_one_kind(monkeypatch):
    monkeypatch.setattr(kinds, "_kinds", {})
    kind = kinds.JobKind(title="Ratings")
    assert kinds.register_job_kind("a.task", kind) == kinds.register_job_kind("a.task", kind) == "a.task"
    with pytest.raises(ValueError, match="registered twice"):
        kinds.register_job_kind("a.task", kinds.JobKind(title="Papers"))
