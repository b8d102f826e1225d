"""The same round under two systems, and an edited draft next to the system's pairing."""

from __future__ import annotations

import pytest

from pairing.engine.systems import SWISS_SYSTEMS
from pairing.rounds.comparison.differences import BoardDifference, PairedBoard, compare_pairings, snapshot_under_system
from pairing.rounds.lifecycle.transitions import take_pairing_snapshot
from tests.pairing.seven_players import make_seven_player_fixtures
from tests.scenario import SIGN_IN_FIRST
from tournaments.models import LogEntry, Round
from tournaments.problems import ArbiterProblem

made_once, event, club, secretary = make_seven_player_fixtures()

DRAFT, FINISHED, WAITING = Round.State.DRAFT, Round.State.FINISHED, Round.State.WAITING


def seat(white: int, black: int | None, board: int | None = 1) -> PairedBoard:
    return PairedBoard(board=board, white=white, black=black, reasons=())


@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_others_compare_nothing(who, status, round_in, signed_in, address, request):
    round_in(2, WAITING)
    browser = signed_in(request.getfixturevalue(who) if who else None)
    assert browser.get(address("round_compare", 2)).status_code == status


def test_methods(round_in, secretary, signed_in, address):
    round_in(1, WAITING)
    assert signed_in(secretary).post(address("round_compare", 1)).status_code == 405


def test_a_round_whose_forerunner_is_open_is_not_compared(round_in, secretary, signed_in, address):
    round_in(1, Round.State.PUBLISHED)
    page = signed_in(secretary).get(address("round_compare", 2))
    assert page.status_code == 200
    assert "t finished" in page.text


def test_an_acceleration_that_no_field_of_this_size_fits_is_refused(event, round_in, secretary, signed_in, address):
    event.entries.update(rating=1500)
    round_in(1, WAITING)
    page = signed_in(secretary).get(address("round_compare", 1), {"second_acceleration": "progressive"})
    assert "be split into 3 groups" in page.text


@pytest.mark.parametrize("system", ["", "swiss", "fide-1989+dutch-1992"])
def test_an_unknown_system_is_as_if_none_were_named(system, round_in, secretary, signed_in, address):
    round_in(1, WAITING)
    page = signed_in(secretary).get(address("round_compare", 1), {"first": system})
    assert page.status_code == 200
    assert "Jahr" in page.text


@pytest.mark.parametrize("state", [WAITING, DRAFT, FINISHED])
@pytest.mark.parametrize("second", [*SWISS_SYSTEMS, "jahr+dutch-1992"])
def test_rounds_of_every_state_are_compared_and_nothing_is_written(
    state, second, round_in, arbiter, signed_in, address
):
    before = round_in(2, state)
    games, lines = list(before.games.values()), LogEntry.objects.count()
    page = signed_in(arbiter).get(address("round_compare", 2), {"first": "fide-1989", "second": second})
    assert page.status_code == 200
    assert "the same in both" in page.text or "different" in page.text
    after = Round.objects.get(pk=before.pk)
    assert (after.state, after.version, list(after.games.values())) == (before.state, before.version, games)
    assert LogEntry.objects.count() == lines


def test_a_system_agrees_with_itself(round_in, secretary, signed_in, address):
    round_in(2, WAITING)
    page = signed_in(secretary).get(address("round_compare", 2), {"first": "jahr", "second": "jahr"})
    assert "Both systems pair this round in the same way" in page.text


def test_queries_do_not_grow_with_the_boards(round_in, secretary, signed_in, address, django_assert_max_num_queries):
    round_in(2, WAITING)
    browser = signed_in(secretary)
    with django_assert_max_num_queries(14):
        browser.get(address("round_compare", 2))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([seat(1, 2)], [seat(1, 2, board=7)], [BoardDifference.SAME]),
        ([seat(1, 2)], [seat(2, 1)], [BoardDifference.COLOURS]),
        ([seat(1, 2)], [seat(1, 3)], [BoardDifference.OTHER]),
        ([seat(1, None, None)], [seat(1, None, None)], [BoardDifference.SAME]),
        ([seat(1, None, None)], [seat(1, 2)], [BoardDifference.OTHER]),
    ],
)
def test_differences(one, other, expected):
    assert [difference for _, difference in compare_pairings(one, other).one] == expected


def test_boards_that_only_one_side_has_are_no_agreement():
    assert not compare_pairings([seat(1, 2)], [seat(1, 2), seat(3, 4)]).is_identical


def test_limits_of_the_event_are_kept(event, round_in):
    event.group_limit_a, event.group_limit_c = 2001, 1901
    event.save()
    snapshot = take_pairing_snapshot(round_in(1, WAITING))
    assert snapshot_under_system(snapshot, system="jahr", procedure="", acceleration="progressive").group_limits == (
        2001,
        1901,
    )


def test_without_limits_the_nearest_that_fit_are_taken(round_in):
    snapshot = take_pairing_snapshot(round_in(1, WAITING))
    limits = snapshot_under_system(snapshot, system="jahr", procedure="", acceleration="progressive").group_limits
    assert limits is not None
    assert snapshot_under_system(snapshot, system="jahr", procedure="", acceleration="none").group_limits is None


def test_no_limits_fit_a_field_of_equals(event, round_in):
    event.entries.update(rating=1500)
    with pytest.raises(ArbiterProblem):
        snapshot_under_system(
            take_pairing_snapshot(round_in(1, WAITING)), system="jahr", procedure="", acceleration="progressive"
        )


def test_an_untouched_draft_is_not_compared_with_itself(round_in, secretary, signed_in, address):
    round_in(1, DRAFT)
    assert "The system's pairings" not in signed_in(secretary).get(address("round_edit", 1)).text


def test_a_changed_draft_stands_beside_what_the_system_would_have_paired(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    board = this_round.games.get(board=1)
    browser = signed_in(secretary)
    browser.post(address("round_edit_apply", 1), {"turn": 1, "version": this_round.version})
    page = browser.get(address("round_edit_review", 1)).text
    assert "The system&#x27;s pairings" in page
    assert page.count("colours swapped") == 2
    assert page.count(f"{board.white.name}") >= 2
    assert "Set manually by the arbiter. Only the colours were swapped." in page
    browser.post(address("round_edit_apply", 1), {"turn": 1, "version": this_round.version + 1})
    page = browser.get(address("round_edit_review", 1)).text
    assert "The system would make the same pairings" in page


def test_unless_told_the_events_own_way_stands_beside_another(round_in, secretary, signed_in, address):
    round_in(1, WAITING)
    form = signed_in(secretary).get(address("round_compare", 1)).context["form"]
    assert form["first"].value() == "jahr"
    assert form["second"].value() != "jahr"
