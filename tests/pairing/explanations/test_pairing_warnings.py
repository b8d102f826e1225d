"""Rules that a manual pairing breaks."""

from __future__ import annotations

import pytest

from pairing.engine.snapshot import Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.explanations.pairing_warnings import PairingWarningKind, WarningSeverity, find_pairing_warnings
from tests.pairing.builders import event

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def won(opponent: int, colour: Colour) -> RoundRecord:
    return RoundRecord(result=Result.WIN, opponent=opponent, colour=colour)


def lost(opponent: int, colour: Colour) -> RoundRecord:
    return RoundRecord(result=Result.LOSS, opponent=opponent, colour=colour)


BYE = RoundRecord(result=Result.PAIRING_ALLOCATED_BYE)
WALKOVER = RoundRecord(result=Result.FORFEIT_WIN)

# After two rounds: 1 has two points, 7 has none; 1, 3 had White twice, 2, 4 Black twice.
RECORDS = {
    1: (won(2, WHITE), won(4, WHITE)),
    2: (lost(1, BLACK), lost(3, BLACK)),
    3: (won(4, WHITE), won(2, WHITE)),
    4: (lost(3, BLACK), lost(1, BLACK)),
    5: (BYE, lost(6, WHITE)),
    6: (WALKOVER, won(5, BLACK)),
    7: (RoundRecord(result=Result.ZERO_POINT_BYE), RoundRecord(result=Result.ZERO_POINT_BYE)),
}


def snapshot(system: str = "fide-1989", **fields) -> TournamentSnapshot:
    return TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn, rating=2000 - tpn, records=records) for tpn, records in RECORDS.items()),
        rounds_paired=2,
        system=system,
        **({"rounds_announced": 7} | fields),
    )


def said(pairs, bye=None, **fields):
    found = find_pairing_warnings(snapshot(**fields), pairs, bye)
    return [(warning.kind, warning.article, warning.players, warning.round) for warning in found]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (
            (2, 1),
            [
                ("met", "2", (2, 1), 1),
                ("far_apart", "3", (2, 1), None),
                ("floats_again", "10.10", (1,), 2),
                ("floats_again", "10.10", (2,), 2),
            ],
        ),
        ((1, 3), [("same_absolute_colour", "9.1", (1, 3), None)]),
        ((1, 6), [("wrong_absolute_colour", "9.1", (1,), None)]),
        ((5, 2), [("wrong_absolute_colour", "9.1", (2,), None), ("floats_again", "10.10", (2,), 2)]),
        ((7, 6), [("far_apart", "3", (7, 6), None), ("colours_turned", "12.1", (7, 6), None)]),
        ((5, 7), [("colours_turned", "12.1", (5, 7), None)]),
        ((2, 5), [("floats_again", "10.10", (2,), 2)]),
        ((7, 5), []),
        ((6, 7), [("far_apart", "3", (6, 7), None)]),
    ],
)
def test_a_pair(pair, expected):
    assert said([pair]) == [(kind, f"fide-1989 art. {article}", *rest) for kind, article, *rest in expected]


@pytest.mark.parametrize(
    ("bye", "expected"),
    [
        (5, [("second_bye", "8.2", (5,), 1), ("not_lowest_group", "8.1", (5,), None)]),
        (6, [("second_bye", "8.2", (6,), 1), ("not_lowest_group", "8.1", (6,), None)]),
        (1, [("not_lowest_group", "8.1", (1,), None)]),
        (7, []),
    ],
)
def test_a_bye(bye, expected):
    assert said([], bye) == [(kind, f"fide-1989 art. {article}", *rest) for kind, article, *rest in expected]


@pytest.mark.parametrize(
    ("system", "article"),
    [("dutch-1992", "B1"), ("dubov-1997", "art. 2.2"), ("dutch-2026", "C2"), ("fide-1989", None)],
)
def test_a_bye_after_a_full_point_bye(system, article):
    """A player with the points of a win without a game; the rules of 1987-89 do not count a requested bye."""
    before = event(f"{system}\n1 0 2w1\n2 0 1b0\n3 0 F")
    barred = [each for each in find_pairing_warnings(before, [(2, 1)], 3) if each.kind is PairingWarningKind.SECOND_BYE]
    expected = [(f"{system} {article}", (3,), 1)] if article else []
    assert [(each.article, each.players, each.round) for each in barred] == expected


def test_a_rule_of_the_event_has_no_article():
    forbidden = frozenset({frozenset({5, 7})})
    assert said([(7, 5)], forbidden_pairs=forbidden) == [(PairingWarningKind.FORBIDDEN, "", (7, 5), None)]


def test_in_the_last_round_colours_bar_nobody_by_the_rules_of_1989():
    denied = [("colour_denied", "fide-1989 art. 12.1", (1,), None)]
    assert said([(1, 3)], rounds_announced=3) == denied
    assert said([(1, 3)], rounds_announced=3, system="jahr") == denied


def test_in_the_last_round_colours_bar_whoever_has_half_the_points_at_most_by_those_of_1992():
    assert [kind for kind, *_ in said([(1, 3)], rounds_announced=3, system="dutch-1992")] == ["colour_denied"]
    assert [kind for kind, *_ in said([(2, 4)], rounds_announced=3, system="dutch-1992")] == ["same_absolute_colour"]


# -- Floats --------------------------------------------------------------------------------------------------------

DRAWN = RoundRecord(result=Result.ZERO_POINT_BYE)


def after(*rounds: dict[int, RoundRecord], system: str, announced: int = 9, players: int = 6) -> TournamentSnapshot:
    """Players 1, 2, ... with these rounds; players who are not named had no points and no game."""
    return TournamentSnapshot(
        cards=tuple(
            PairingCard(tpn=tpn, rating=2000 - tpn, records=tuple(each.get(tpn, DRAWN) for each in rounds))
            for tpn in range(1, players + 1)
        ),
        rounds_paired=len(rounds),
        system=system,
        rounds_announced=announced,
    )


def game(winner: int, loser: int) -> dict[int, RoundRecord]:
    """The winner had White."""
    return {winner: won(loser, WHITE), loser: lost(winner, BLACK)}


def floats(snapshot: TournamentSnapshot, white: int, black: int) -> list[tuple[str, str, tuple[int, ...], int | None]]:
    found = find_pairing_warnings(snapshot, [(white, black)])
    return [
        (one.kind, one.article, one.players, one.round)
        for one in found
        if one.kind in (PairingWarningKind.FLOATS_AGAIN, PairingWarningKind.FLOAT_LIMIT)
    ]


# Round 1: 1 beats 2. Round 2: 1 (1 point) beats 3 (0): 1 floats down, 3 up. Then 1 has two points, 4 none.
ONE_FLOAT = (game(1, 2), game(1, 3))


def test_the_same_float_twice_running_by_the_dutch_rules():
    assert floats(after(*ONE_FLOAT, system="dutch-1992"), 1, 4) == [("floats_again", "dutch-1992 B5", (1,), 2)]
    assert floats(after(*ONE_FLOAT, system="dutch-1992"), 4, 5) == [], "nobody floats among equals"


def test_the_same_float_as_two_rounds_before_by_the_dutch_rules():
    snapshot = after(*ONE_FLOAT, {}, system="dutch-1992")
    assert floats(snapshot, 1, 4) == [("floats_again", "dutch-1992 B6", (1,), 2)]
    assert floats(after(*ONE_FLOAT, {}, {}, system="dutch-1992"), 1, 4) == []


def test_another_float_than_before_counts_in_1989_and_not_in_1992():
    """3 beats 1 in round 3: 3 had fewer points, so 3 floated up, and floats down now."""
    rounds = (*ONE_FLOAT, game(3, 1))
    assert floats(after(*rounds, system="dutch-1992"), 3, 4) == []
    assert floats(after(*rounds, system="fide-1989"), 3, 4) == [("floats_again", "fide-1989 art. 10.10", (3,), 3)]


def test_moved_up_twice_running_by_dubovs_rules():
    snapshot = after(*ONE_FLOAT, system="dubov-1997")
    assert floats(snapshot, 3, 1) == [("floats_again", "dubov-1997 art. 2.5", (3,), 2)]
    assert floats(snapshot, 1, 4) == [], "floating down again is nothing to Dubov"


def test_moved_up_as_often_as_dubovs_rules_allow():
    """6 meets players with more points in rounds 2, 3 and 4, but not in round 5."""
    rounds = (
        {1: BYE, 2: BYE, 3: BYE},
        {1: won(6, WHITE), 6: lost(1, BLACK)},
        {2: won(6, WHITE), 6: lost(2, BLACK)},
        {3: won(6, WHITE), 6: lost(3, BLACK)},
        {},
    )
    limit = [("float_limit", "dubov-1997 art. 2.5", (6,), None)]
    assert floats(after(*rounds, system="dubov-1997"), 6, 1) == limit
    assert floats(after(*rounds, system="dubov-1997", announced=10), 6, 1) == [], "one more in ten rounds"
    assert floats(after(*rounds[:3], {}, system="dubov-1997"), 6, 1) == []


def test_in_the_last_round_floats_are_not_asked():
    for system in ("fide-1989", "dutch-1992", "dubov-1997"):
        assert floats(after(*ONE_FLOAT, system=system, announced=3), 1, 3) == []


# -- Severity ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pair", "severities"),
    [
        ((2, 1), {"met": "FORBIDDEN", "far_apart": "DOUBTFUL", "floats_again": "DOUBTFUL"}),
        ((1, 3), {"same_absolute_colour": "FORBIDDEN"}),
        ((5, 7), {"colours_turned": "DOUBTFUL"}),
    ],
)
def test_severity(pair, severities):
    assert {one.kind: one.severity.name for one in find_pairing_warnings(snapshot(), [pair])} == severities


def test_a_colour_that_one_of_two_must_go_without_is_a_note():
    pairs = after(game(1, 2), game(3, 4), system="dutch-1992")
    (denied,) = (one for one in find_pairing_warnings(pairs, [(1, 3)]))
    assert (denied.kind, denied.severity, denied.players) == ("colour_denied", WarningSeverity.NOTE, (1,))


def test_each_warning_names_its_board():
    found = find_pairing_warnings(snapshot(), [(7, 5), (1, 3)], 1)
    assert [(one.kind, one.board) for one in found] == [("same_absolute_colour", 2), ("not_lowest_group", None)]


@pytest.mark.parametrize(
    ("fields", "article"),
    [
        ({"system": "jahr"}, "fide-1989 art. 2"),
        ({"system": "jahr", "procedure": "dutch-1992"}, "dutch-1992 B1"),
        ({"system": "dutch-1992"}, "dutch-1992 B1"),
        ({"system": "dubov-1997"}, "dubov-1997 art. 2.1"),
    ],
)
def test_articles_are_those_of_the_events_procedure(fields, article):
    assert said([(2, 1)], **fields)[0][:2] == ("met", article)
