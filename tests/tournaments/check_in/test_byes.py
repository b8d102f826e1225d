"""Requested byes, absences, and who will be paired."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import draft_of, entries_to_pair, make_event, played, player, round_of
from tournaments.check_in.byes import (
    bye_deadline,
    grant_requested_bye,
    mark_absent,
    offered_bye_kinds,
    remaining_byes,
    request_bye_as_player,
    round_attendance,
    sign_up_as_player,
)
from tournaments.entries.enrolment import withdraw_player
from tournaments.models import Bye, Tournament
from tournaments.problems import ArbiterProblem

HALF, FULL, ZERO = Bye.Kind.HALF_POINT, Bye.Kind.FULL_POINT, Bye.Kind.ZERO_POINT


@pytest.fixture
def event(club):
    return make_event(club, players=6, rounds=5)


def test_no_bye_in_a_round_that_is_paired(event):
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        mark_absent(player(event, 1), round_of(event, 1), by=None)
    with pytest.raises(ArbiterProblem):
        grant_requested_bye(player(event, 1), round_of(event, 1), HALF, by=None)
    assert not Bye.objects.exists()


def test_no_bye_in_the_last_round(event):
    with pytest.raises(ArbiterProblem):
        grant_requested_bye(player(event, 1), round_of(event, 5), HALF, by=None)
    grant_requested_bye(player(event, 1), round_of(event, 5), ZERO, by=None)
    event.bye_in_last_round = True
    event.save()
    assert grant_requested_bye(player(event, 1), round_of(event, 5), HALF, by=None).kind == HALF


def test_no_more_byes_than_the_event_grants(event):
    for number in (1, 2):
        grant_requested_bye(player(event, 1), round_of(event, number), HALF, by=None)
    with pytest.raises(ArbiterProblem):
        grant_requested_bye(player(event, 1), round_of(event, 3), HALF, by=None)
    grant_requested_bye(player(event, 1), round_of(event, 2), HALF, by=None)
    grant_requested_bye(player(event, 1), round_of(event, 3), ZERO, by=None)
    grant_requested_bye(player(event, 1), round_of(event, 4), HALF, by=None, beyond_quota=True)
    assert event.log.first().details["beyond_quota"] is True
    grant_requested_bye(player(event, 2), round_of(event, 3), HALF, by=None)


def test_no_bye_worth_more_than_the_event_grants(event):
    with pytest.raises(ArbiterProblem):
        grant_requested_bye(player(event, 1), round_of(event, 1), FULL, by=None)
    event.requested_bye_worth = "Z"
    event.save()
    with pytest.raises(ArbiterProblem):
        grant_requested_bye(player(event, 1), round_of(event, 1), HALF, by=None)


@pytest.mark.parametrize("kind", ["U", "-", "+", "x"])
def test_only_requested_byes_are_requested(kind, event):
    with pytest.raises(ValueError, match="not a requested bye"):
        grant_requested_bye(player(event, 1), round_of(event, 1), kind, by=None)


def test_whoever_has_withdrawn_asks_for_nothing(event):
    withdraw_player(player(event, 1), 2, by=None)
    with pytest.raises(ArbiterProblem):
        grant_requested_bye(player(event, 1), round_of(event, 3), HALF, by=None)
    assert mark_absent(player(event, 1), round_of(event, 1), by=None)


def test_the_absent_are_not_paired(event):
    mark_absent(player(event, 2), round_of(event, 1), by=None)
    mark_absent(player(event, 2), round_of(event, 1), by=None)
    grant_requested_bye(player(event, 3), round_of(event, 1), HALF, by=None)
    assert [entry.name[-3:] for entry in entries_to_pair(round_of(event, 1))] == ["001", "004", "005", "006"]
    assert [entry.action for entry in event.log.all()[:2]] == ["bye requested", "marked absent"]


def test_a_requested_bye_is_not_lost_by_absence(event):
    grant_requested_bye(player(event, 3), round_of(event, 1), HALF, by=None)
    assert mark_absent(player(event, 3), round_of(event, 1), by=None).kind == HALF


def test_the_bye_of_the_pairing_is_no_absence(club):
    event = make_event(club, players=5)
    played(event, 1)
    present = [one for one in round_attendance(round_of(event, 1)) if one.is_to_be_paired]
    assert len(present) == 5


def test_attendance_asks_twice(event, django_assert_num_queries):
    this_round = round_of(event, 1)
    with django_assert_num_queries(2):
        round_attendance(this_round)


# -- In time -------------------------------------------------------------------------------------------------------


def begins_in(event, number: int, hours: int):
    this_round = round_of(event, number)
    this_round.starts_at = timezone.now() + timedelta(hours=hours)
    this_round.save()
    return round_of(event, number)


@pytest.mark.parametrize("act", [request_bye_as_player, sign_up_as_player])
def test_after_the_deadline_a_player_asks_the_arbiter(event, act):
    Tournament.objects.update(bye_deadline_hours=5)
    this_round = begins_in(event, 2, 4)
    with pytest.raises(ArbiterProblem, match="Ask the arbiter"):
        act(player(event, 1), this_round)
    with pytest.raises(ArbiterProblem, match="The deadline to request a bye for round"):
        grant_requested_bye(player(event, 1), this_round, HALF, by=None)
    grant_requested_bye(player(event, 1), this_round, ZERO, by=None)
    assert grant_requested_bye(player(event, 1), this_round, HALF, by=None, beyond_quota=True).kind == HALF


def test_players_ask_for_byes_before_the_deadline_or_without_one(event):
    Tournament.objects.update(bye_deadline_hours=0)
    this_round = begins_in(event, 2, 1)
    assert bye_deadline(this_round) is None
    assert request_bye_as_player(player(event, 1), this_round).kind == HALF
    Tournament.objects.update(bye_deadline_hours=5)
    assert bye_deadline(round_of(event, 3)) is None
    this_round = begins_in(event, 2, 6)
    sign_up_as_player(player(event, 1), this_round)
    sign_up_as_player(player(event, 1), this_round)
    assert not Bye.objects.exists()
    assert event.log.filter(action="bye taken back").count() == 1


def test_a_player_takes_back_neither_an_absence_nor_the_arbiters_round(event):
    mark_absent(player(event, 1), round_of(event, 1), by=None)
    with pytest.raises(ArbiterProblem, match="tell the arbiter"):
        sign_up_as_player(player(event, 1), round_of(event, 1))
    assert Bye.objects.get().kind == Bye.Kind.ABSENT
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        sign_up_as_player(player(event, 1), round_of(event, 1))


def test_what_a_player_is_offered(event, django_assert_num_queries):
    entry = player(event, 1)
    rounds = list(event.rounds.select_related("tournament"))
    entry.tournament = event
    for number in (1, 2):
        request_bye_as_player(entry, round_of(event, number))
    assert remaining_byes(entry) == 0
    with django_assert_num_queries(1):
        offered = offered_bye_kinds(entry, rounds)
    assert [offered[each.pk] for each in rounds] == [HALF, HALF, ZERO, ZERO, ZERO]
