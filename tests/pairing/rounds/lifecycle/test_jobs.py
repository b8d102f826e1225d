"""The Pair button: one job however often it is clicked, in a thread of the server if there is no queue."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from common.jobs import queue as jobs
from common.jobs import redirects as redirects
from common.jobs.queue import cancel_job, requeue_lost, wait_for_job
from common.models import Job
from pairing.engine.progress import check_cancelled
from pairing.rounds.lifecycle import transitions as rounds
from tests.factories import make_event, make_user, round_of
from tournaments.check_in.byes import mark_absent
from tournaments.models import Round

SECONDS = 120


@pytest.fixture
def event(club):
    return make_event(club, players=8, system="dutch-1992")


@pytest.fixture
def nobody_hears(monkeypatch) -> None:
    """The message is on its way, and stays there."""
    monkeypatch.setattr(jobs, "_dispatch", lambda job_id, task, time_limit: None)
    monkeypatch.setattr(redirects, "SECONDS_TO_WAIT", 0)


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def press(event, user) -> str:
    """Press the button. Returns the URL it leads to."""
    return signed_in(user).post(reverse("round_pair", args=[event.club.slug, event.slug, 1]))["Location"]


# -- Not done at once --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.usefixtures("nobody_hears")
def test_a_second_click_joins_the_first(event, secretary, arbiter):
    first, second = press(event, secretary), press(event, arbiter)
    job = Job.objects.get()
    assert first == second == reverse("job_page", args=[job.pk])
    page = signed_in(arbiter).get(first).content.decode()
    assert "Pairing round 1" in page
    round_page = signed_in(arbiter).get(reverse("round", args=[event.club.slug, event.slug, 1])).content.decode()
    assert "This round is being paired." in round_page
    assert first in round_page
    assert reverse("round_pair", args=[event.club.slug, event.slug, 1]) not in round_page


@pytest.mark.django_db
@pytest.mark.usefixtures("nobody_hears")
def test_a_stopped_job_can_be_started_again(event, secretary):
    first = press(event, secretary)
    cancel_job(Job.objects.get())
    assert press(event, secretary) != first
    assert round_of(event, 1).state == Round.State.WAITING


@pytest.mark.django_db
def test_what_stands_in_the_way_is_said_on_the_rounds_page(event, secretary):
    for entry in event.entries.all():
        mark_absent(entry, round_of(event, 1), by=None)
    client = signed_in(secretary)
    page = client.post(reverse("round_pair", args=[event.club.slug, event.slug, 1]), follow=True)
    assert "No players to pair." in page.content.decode()
    assert Job.objects.get().state == Job.State.FAILED


# -- In a thread of the server -----------------------------------------------------------------------------------------


def test_two_secretaries_at_once_one_draft(transactional_db, event, secretary):
    other = make_user("other", event.club, Role.SECRETARY)
    together = threading.Barrier(4)
    led_to = []

    def at_once(user):
        try:
            together.wait()
            led_to.append(press(event, user))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=at_once, args=[user]) for user in (secretary, other) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for job in Job.objects.all():
        assert wait_for_job(job, SECONDS).state == Job.State.DONE
    this_round = round_of(event, 1)
    assert len(led_to) == 4
    assert (this_round.state, this_round.version, this_round.games.count()) == (Round.State.DRAFT, 1, 4)
    assert event.log.filter(action="round paired").count() == 1


def test_the_page_may_be_closed_and_the_work_stopped(transactional_db, event, secretary, monkeypatch):
    """Nobody waits for it; paused in the engine it is in progress, and stops on request."""
    monkeypatch.setattr(redirects, "SECONDS_TO_WAIT", 0)
    begun = threading.Event()

    def without_end(snapshot):
        begun.set()
        while True:
            check_cancelled()
            time.sleep(0.005)

    monkeypatch.setattr(rounds, "PAIRING_SYSTEMS", {"dutch-1992": without_end})
    press(event, secretary)
    assert begun.wait(SECONDS)
    job = Job.objects.get()
    assert (job.state, round_of(event, 1).state) == (Job.State.RUNNING, Round.State.WAITING)
    cancel_job(job)
    assert wait_for_job(job, SECONDS).state == Job.State.CANCELLED
    assert round_of(event, 1).state == Round.State.WAITING


def test_a_job_whose_server_died_is_done_by_the_next(transactional_db, event, secretary, monkeypatch):
    """Sent, but the thread ended with its server; the next server finds the row."""
    with monkeypatch.context() as dying:
        dying.setattr(jobs, "_dispatch", lambda job_id, task, time_limit: None)
        dying.setattr(redirects, "SECONDS_TO_WAIT", 0)
        press(event, secretary)
    job = Job.objects.get()
    assert requeue_lost() == 0
    Job.objects.update(sent_at=job.sent_at - 2 * jobs.LOST_AFTER)
    assert requeue_lost() == 1
    assert wait_for_job(job, SECONDS).state == Job.State.DONE
    assert round_of(event, 1).state == Round.State.DRAFT
