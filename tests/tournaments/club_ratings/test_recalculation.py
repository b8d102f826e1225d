"""Ratings are recalculated by a job after their sources change: nothing stored is older than the last change."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member, MemberRating, PendingRatingUpdate, Role
from common.models import Job
from tests.factories import make_event, make_member, make_user, played
from tests.tournaments.club_ratings.test_rating import MONDAY
from tournaments.club_ratings import recalculation
from tournaments.club_ratings.rating_calculation import calculate_ratings_from, find_wrong_stored_ratings
from tournaments.club_ratings.recalculation import (
    has_lost_rating_jobs,
    is_recalculating_ratings,
    recalculate_due_ratings,
    recalculate_ratings,
    schedule_rating_from_month,
)
from tournaments.entries.enrolment import enter_members
from tournaments.models import Game, Round
from tournaments.results.recording import correct_result, reopen_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_played(club) -> Round:
    event = make_event(club, rounds=3, starts_on=MONDAY.date())
    members = [make_member(club, f"Figura, {n}", rating=1800 + 10 * n, birth_year=1970) for n in range(4)]
    enter_members(event, members, by=None)
    return played(event, 1)


@pytest.fixture
def nobody_works(monkeypatch):
    """Jobs are requested but not run."""
    monkeypatch.setattr("common.jobs.queue.enqueue_job", lambda _job: None)


def other_result(game: Game) -> None:
    correct_result(game, "1/2" if game.result != "1/2" else "0-1", revision=game.revision, by=None)


def test_until_the_job_is_done_the_old_ratings_stand_and_pages_say_so(round_played, club, client, nobody_works):
    kept = list(MemberRating.objects.order_by("pk").values())
    reopen_round(round_played, by=None)
    client.force_login(make_user("secretary", club, Role.SECRETARY))
    page = reverse("club_ratings", args=[club.slug])
    assert "Ratings are being recalculated." in client.get(page).text
    assert list(MemberRating.objects.order_by("pk").values()) == kept
    recalculate_due_ratings(club.pk)
    assert "Ratings are being recalculated." not in client.get(page).text
    assert not MemberRating.objects.exists()


def test_several_changes_are_one_job_from_the_earliest_month(round_played, club, nobody_works):
    Job.objects.all().delete()
    for first in (MONDAY.date() + timedelta(days=60), MONDAY.date().replace(day=1), MONDAY.date() + timedelta(days=90)):
        schedule_rating_from_month(club, first)
    assert PendingRatingUpdate.objects.get().since == MONDAY.date().replace(day=1)
    schedule_rating_from_month(club, None)
    assert PendingRatingUpdate.objects.get().since is None
    assert Job.objects.filter(task=recalculation.RATING_JOB).count() == 1


def test_a_change_while_it_is_counted_is_counted_too(round_played, club, nobody_works, monkeypatch):
    first, second = round_played.games.order_by("board")
    other_result(first)
    counted = []

    def counted_slowly(*asked):
        rows = calculate_ratings_from(*asked)
        if not counted:
            other_result(second)
        counted.append(rows)
        return rows

    monkeypatch.setattr(recalculation, "calculate_ratings_from", counted_slowly)
    recalculate_due_ratings(club.pk)
    assert len(counted) == 2
    assert (find_wrong_stored_ratings(club), is_recalculating_ratings(club)) == ([], False)


def test_who_is_overtaken_writes_nothing(round_played, club, nobody_works, monkeypatch):
    """Another process calculates a later change completely while this one is still calculating."""
    first, second = round_played.games.order_by("board")
    other_result(first)

    def overtaken(*asked):
        rows = calculate_ratings_from(*asked)
        monkeypatch.setattr(recalculation, "calculate_ratings_from", calculate_ratings_from)
        other_result(second)
        recalculate_due_ratings(club.pk)
        return rows

    monkeypatch.setattr(recalculation, "calculate_ratings_from", overtaken)
    recalculate_due_ratings(club.pk)
    assert (find_wrong_stored_ratings(club), is_recalculating_ratings(club)) == ([], False)


@pytest.mark.django_db(transaction=True)
def test_a_member_who_goes_meanwhile_is_no_obstacle(club, nobody_works, monkeypatch):
    goes = make_member(club, "Figura, 9")

    def counted_before(*asked):
        monkeypatch.setattr(recalculation, "calculate_ratings_from", calculate_ratings_from)
        row = MemberRating(member_id=goes.pk, kind="standard", month=MONDAY.date().replace(day=1))
        Member.objects.filter(pk=goes.pk).delete()
        return [row]

    schedule_rating_from_month(club, None)
    monkeypatch.setattr(recalculation, "calculate_ratings_from", counted_before)
    recalculate_due_ratings(club.pk)
    assert (MemberRating.objects.count(), is_recalculating_ratings(club)) == (0, False)


def test_a_note_whose_job_is_lost_is_found_by_the_chore(round_played, club, nobody_works):
    reopen_round(round_played, by=None)
    assert not has_lost_rating_jobs()
    PendingRatingUpdate.objects.update(sent_at=timezone.now() - timedelta(minutes=3))
    assert has_lost_rating_jobs()
    recalculate_ratings(Job(task=recalculation.RATING_JOB))
    assert (find_wrong_stored_ratings(club), is_recalculating_ratings(club)) == ([], False)
