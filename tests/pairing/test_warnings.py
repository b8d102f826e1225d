"""What a pairing set by hand breaks."""

from __future__ import annotations

import pytest

from pairing.engine.snapshot import Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.warnings import WarningKind, warnings_for

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
    found = warnings_for(snapshot(**fields), pairs, bye)
    return [(warning.kind, warning.article, warning.players, warning.round) for warning in found]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ((2, 1), [("met", "2", (2, 1), 1), ("far_apart", "3", (2, 1), None)]),
        ((1, 3), [("same_absolute_colour", "9.1", (1, 3), None)]),
        ((1, 6), [("wrong_absolute_colour", "9.1", (1,), None)]),
        ((5, 2), [("wrong_absolute_colour", "9.1", (2,), None)]),
        ((7, 6), [("far_apart", "3", (7, 6), None)]),
        ((5, 7), []),
        ((2, 5), []),
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


def test_a_rule_of_the_event_has_no_article():
    forbidden = frozenset({frozenset({5, 7})})
    assert said([(5, 7)], forbidden_pairs=forbidden) == [(WarningKind.FORBIDDEN, "", (5, 7), None)]


def test_in_the_last_round_colours_bar_nobody_by_the_rules_of_1989():
    assert said([(1, 3)], rounds_announced=3) == []
    assert said([(1, 3)], rounds_announced=3, system="jahr") == []


def test_in_the_last_round_colours_bar_whoever_has_half_the_points_at_most_by_those_of_1992():
    assert said([(1, 3)], rounds_announced=3, system="dutch-1992") == []
    assert [kind for kind, *_ in said([(2, 4)], rounds_announced=3, system="dutch-1992")] == ["same_absolute_colour"]


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
