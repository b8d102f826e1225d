"""Standings of an event from its database rows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from pairing.view_models.standings.event_standings import get_event_standings
from pairing.view_models.standings.lots import draw_lots
from tests.factories import make_event, played, player, published, round_of
from tournaments.entries.enrolment import enter_pasted_list, withdraw_player
from tournaments.models import PairingSystem
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import correct_result, enter_result, finish_round


def table(event, after_round=None):
    return {row.entry.name: row for row in get_event_standings(event, after_round).rows}


def test_an_unknown_tie_break_is_the_arbiters_problem(club):
    event = make_event(club, players=2, tie_breaks=["no-such"])
    with pytest.raises(ArbiterProblem):
        get_event_standings(event)


def test_before_the_first_round_by_the_starting_list(club):
    made = get_event_standings(make_event(club, players=3))
    assert made.after_round == 0
    assert [(row.place, row.entry.name[-1], str(row.points)) for row in made.rows] == [
        (1, "1", "0.0"),
        (2, "2", "0.0"),
        (3, "3", "0.0"),
    ]


def test_lots_have_no_column_before_any_is_drawn(club):
    assert get_event_standings(make_event(club, players=2, system=PairingSystem.DUTCH_1992)).columns == ("DE1", "AR")


def test_lots_have_no_column_where_nothing_is_left_to_them(club):
    event = make_event(club, players=2, system=PairingSystem.DUTCH_1992)
    draw_lots(event, by=None)
    published(event, 1)
    enter_result(event.rounds.get(number=1).games.get(), "1-0", revision=0, by=None)
    assert get_event_standings(event).columns == ("DE1", "AR")


def test_lots_decide_between_players_who_are_equal_in_everything(club):
    """Before the first round all are equal except for their lots."""
    event = make_event(club, players=5, system=PairingSystem.DUTCH_1992)
    draw_lots(event, by=None)
    made = get_event_standings(event)
    assert made.columns == ("DE1", "AR", "LOT")
    assert [row.place for row in made.rows] == [1, 2, 3, 4, 5]
    lots = [row.entry.lot for row in made.rows]
    assert lots == sorted(lots)
    assert made.groups_sharing_a_place == ()


def test_the_edition_is_that_of_the_events_first_day(club):
    """The dummy of the allocated bye: one point for one round, since March 2026 at most the half point of a draw."""
    event = make_event(club, players=3, system=PairingSystem.FIDE_1989, tie_breaks=["BH"])
    with_bye = played(event, 1).byes.get().entry
    values = {}
    for day in (date(2026, 2, 28), date(2026, 3, 1)):
        event.starts_on = day
        values[day.month] = next(row.values[0] for row in get_event_standings(event).rows if row.entry == with_bye)
    assert values == {2: Decimal("1.0"), 3: Decimal("0.5")}


def test_jahrs_values_as_the_document_counts_them(club):
    """Three players, calculated by hand: the bye is half a point, a tenth of the opponent's total is added."""
    event = make_event(club, players=3, rounds=3)
    first = published(event, 1)
    game, bye = first.games.get(), first.byes.get().entry
    enter_result(game, "1-0", revision=0, by=None)
    finish_round(first, by=None)
    after = table(event)
    assert (after[game.white.name].points, after[game.white.name].values) == (Decimal("1.0"), (Decimal("1.00"), 0))
    assert (after[bye.name].points, after[bye.name].values) == (Decimal("0.5"), (Decimal("0.50"), 0))
    assert get_event_standings(event).columns == ("T", "E")

    second = published(event, 2)
    game = second.games.get()
    before = {name: row.values[0] for name, row in after.items()}
    enter_result(game, "1/2", revision=0, by=None)
    finish_round(second, by=None)
    row = table(event)[game.white.name]
    tenth = (before[game.black.name] / 10).quantize(Decimal("0.01"))
    assert row.values[0] == before[game.white.name] + tenth + Decimal("0.5")


def test_open_boards_count_for_nothing_yet(club):
    event = make_event(club, players=4, system=PairingSystem.FIDE_1989)
    shown = published(event, 1)
    game = shown.games.get(board=1)
    enter_result(game, "1-0", revision=0, by=None)
    points = {name: row.points for name, row in table(event).items()}
    assert sum(points.values()) == 1
    assert points[game.white.name] == 1


def test_a_table_of_an_earlier_round_stays_as_it_was(club):
    event = make_event(club, players=6)
    played(event, 1)
    before = [(row.place, row.entry, row.values) for row in get_event_standings(event).rows]
    played(event, 2)
    assert [(row.place, row.entry, row.values) for row in get_event_standings(event, after_round=1).rows] == before


def test_a_correction_counts_at_once(club):
    event = make_event(club, players=2, system=PairingSystem.FIDE_1989)
    game = played(event, 1).games.get()
    result = "0-1" if game.result != "0-1" else "1-0"
    correct_result(game, result, revision=game.revision, by=None)
    winner = game.black if result == "0-1" else game.white
    assert get_event_standings(event).rows[0].entry == winner


def test_the_absent_and_withdrawn_stand_in_it_too(club):
    event = make_event(club, players=4)
    played(event, 1)
    withdraw_player(player(event, 4), 2, by=None)
    enter_pasted_list(event, "Kot, Ala; 1500", by=None)
    assert len(get_event_standings(event).rows) == 5


@pytest.mark.parametrize("players", [4, 40])
def test_a_fixed_number_of_queries(players, club, django_assert_num_queries):
    event = make_event(club, players=players)
    played(event, 1)
    event = round_of(event, 1).tournament
    with django_assert_num_queries(6):
        get_event_standings(event)
