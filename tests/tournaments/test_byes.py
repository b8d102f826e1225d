"""Byes asked for, absences, and who is to be paired."""

from __future__ import annotations

import pytest

from tests.factories import draft_of, make_event, played, player, round_of
from tournaments.byes import attendance, mark_absent, mark_present, request_bye, to_be_paired
from tournaments.entering import withdraw
from tournaments.models import Bye
from tournaments.problems import ArbiterProblem

HALF, FULL, ZERO = Bye.Kind.HALF_POINT, Bye.Kind.FULL_POINT, Bye.Kind.ZERO_POINT


@pytest.fixture
def event(club):
    return make_event(club, players=6, rounds=5)


def test_no_bye_in_a_round_that_is_paired(event):
    draft_of(event, 1)
    for act in (mark_absent, mark_present):
        with pytest.raises(ArbiterProblem):
            act(player(event, 1), round_of(event, 1), by=None)
    with pytest.raises(ArbiterProblem):
        request_bye(player(event, 1), round_of(event, 1), HALF, by=None)
    assert not Bye.objects.exists()


def test_no_bye_in_the_last_round(event):
    with pytest.raises(ArbiterProblem):
        request_bye(player(event, 1), round_of(event, 5), HALF, by=None)
    request_bye(player(event, 1), round_of(event, 5), ZERO, by=None)
    event.bye_in_last_round = True
    event.save()
    assert request_bye(player(event, 1), round_of(event, 5), HALF, by=None).kind == HALF


def test_no_more_byes_than_the_event_grants(event):
    for number in (1, 2):
        request_bye(player(event, 1), round_of(event, number), HALF, by=None)
    with pytest.raises(ArbiterProblem):
        request_bye(player(event, 1), round_of(event, 3), HALF, by=None)
    request_bye(player(event, 1), round_of(event, 2), HALF, by=None)
    request_bye(player(event, 1), round_of(event, 3), ZERO, by=None)
    request_bye(player(event, 1), round_of(event, 4), HALF, by=None, beyond_quota=True)
    assert event.log.first().details["beyond_quota"] is True
    request_bye(player(event, 2), round_of(event, 3), HALF, by=None)


def test_no_bye_worth_more_than_the_event_grants(event):
    with pytest.raises(ArbiterProblem):
        request_bye(player(event, 1), round_of(event, 1), FULL, by=None)
    event.requested_bye_worth = "Z"
    event.save()
    with pytest.raises(ArbiterProblem):
        request_bye(player(event, 1), round_of(event, 1), HALF, by=None)


@pytest.mark.parametrize("kind", ["U", "-", "+", "x"])
def test_only_requested_byes_are_requested(kind, event):
    with pytest.raises(ValueError, match="not a requested bye"):
        request_bye(player(event, 1), round_of(event, 1), kind, by=None)


def test_whoever_has_withdrawn_asks_for_nothing(event):
    withdraw(player(event, 1), 2, by=None)
    with pytest.raises(ArbiterProblem):
        request_bye(player(event, 1), round_of(event, 3), HALF, by=None)
    assert mark_absent(player(event, 1), round_of(event, 1), by=None)


def test_the_absent_are_not_paired(event):
    mark_absent(player(event, 2), round_of(event, 1), by=None)
    mark_absent(player(event, 2), round_of(event, 1), by=None)
    request_bye(player(event, 3), round_of(event, 1), HALF, by=None)
    assert [entry.name[-3:] for entry in to_be_paired(round_of(event, 1))] == ["001", "004", "005", "006"]
    mark_present(player(event, 2), round_of(event, 1), by=None)
    assert len(to_be_paired(round_of(event, 1))) == 5
    assert [entry.action for entry in event.log.all()[:3]] == ["marked present", "bye requested", "marked absent"]


def test_a_requested_bye_is_not_lost_by_absence(event):
    request_bye(player(event, 3), round_of(event, 1), HALF, by=None)
    assert mark_absent(player(event, 3), round_of(event, 1), by=None).kind == HALF


def test_the_bye_of_the_pairing_is_no_absence(club):
    event = make_event(club, players=5)
    played(event, 1)
    present = [one for one in attendance(round_of(event, 1)) if one.is_to_be_paired]
    assert len(present) == 5


def test_attendance_asks_twice(event, django_assert_num_queries):
    this_round = round_of(event, 1)
    with django_assert_num_queries(2):
        attendance(this_round)
