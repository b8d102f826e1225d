"""Direct encounter: FIDE Handbook C.07, article 6, and the Dutch system of 1992, F10."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.standings.inputs import RoundOutcome, StandingsInputs, TieBreakBasis
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    NO_VALUE,
    TieBreakColumn,
    TieBreakValue,
    TieBreakWorkingRow,
    half_points_value,
)

TiedGroups: TypeAlias = Sequence[Sequence[PairingNumber]]
"""The players still tied, group by group from the top."""

_Points: TypeAlias = int | Fraction
_MiniTable: TypeAlias = Mapping[PairingNumber, tuple[_Points, _Points]]
"""For every tied player the points of the games among them, and the most possible with the unplayed ones."""


def direct_encounter(facts: StandingsInputs, code: TieBreakCode, groups: TiedGroups) -> TieBreakColumn:
    """Article 6, DE: a table of the games among the tied players.

    Shown as the place inside the group, 1 the best, and 0 if the rule separates nobody.
    """
    values: dict[PairingNumber, TieBreakValue] = {}
    for group in groups:
        places = _places(facts, code, group)
        is_broken = len(set(places.values())) > 1
        for tpn, place in places.items():
            shown = place if is_broken else 0
            values[tpn] = TieBreakValue(key=(-shown,), number=Decimal(shown), decimals=0)

    def rows(tpn: PairingNumber) -> tuple[TieBreakWorkingRow, ...]:
        group = next(group for group in groups if tpn in group)
        return tuple(_rows(facts, code, tpn, frozenset(group)))

    return TieBreakColumn(values=values, working_rows=rows)


def direct_encounter_for_first_place(facts: StandingsInputs, code: TieBreakCode, groups: TiedGroups) -> TieBreakColumn:
    """Dutch system 1992, F10: points from the games among the players tied for first place."""
    tied = frozenset(groups[0]) if groups and len(groups[0]) > 1 else frozenset()
    values = dict.fromkeys(facts.outcomes_by_player, NO_VALUE)
    for tpn in tied:
        values[tpn] = half_points_value(sum(outcome.points for outcome in _games_among(facts, code, tpn, tied)))
    return TieBreakColumn(
        values=values, working_rows=lambda tpn: tuple(_rows(facts, code, tpn, tied)) if tpn in tied else ()
    )


def _places(facts: StandingsInputs, code: TieBreakCode, group: Sequence[PairingNumber]) -> dict[PairingNumber, int]:
    """Return places by articles 6.2 and 6.3, applied until they separate nobody. Players still tied share a place."""
    places: dict[PairingNumber, int] = {}
    waiting = [tuple(group)]
    first = 1
    while waiting:
        tied = waiting.pop()
        parts = _told_apart(facts, code, tied)
        if len(parts) == 1:
            places.update(dict.fromkeys(tied, first))
            first += len(tied)
        else:
            waiting.extend(reversed(parts))
    return places


def _told_apart(
    facts: StandingsInputs, code: TieBreakCode, tied: tuple[PairingNumber, ...]
) -> list[tuple[PairingNumber, ...]]:
    """Apply the article once: return the tied players in parts, from the top."""
    if len(tied) == 1:
        return [tied]
    table = _mini_table(facts, code, tied)
    if all(scored == most for scored, most in table.values()):
        return _by_their_table(table)
    return _certain_from_the_top(table)


def _by_their_table(table: _MiniTable) -> list[tuple[PairingNumber, ...]]:
    """Article 6.2: all have met one another, so the table decides."""
    parts: dict[_Points, list[PairingNumber]] = defaultdict(list)
    for tpn, (scored, _) in table.items():
        parts[scored].append(tpn)
    return [tuple(parts[scored]) for scored in sorted(parts, reverse=True)]


def _certain_from_the_top(table: _MiniTable) -> list[tuple[PairingNumber, ...]]:
    """Article 6.3: separate players who are alone at the top however the unplayed games end. The others stay tied."""
    order = sorted(table, key=lambda tpn: (table[tpn][0], table[tpn][1]), reverse=True)
    most_of_rest: list[_Points] = [-1]
    for tpn in reversed(order[1:]):
        most_of_rest.append(max(most_of_rest[-1], table[tpn][1]))
    most_of_rest.reverse()
    certain = 0
    while certain < len(order) and table[order[certain]][0] > most_of_rest[certain]:
        certain += 1
    rest = tuple(order[certain:])
    return [*((tpn,) for tpn in order[:certain]), *((rest,) if rest else ())]


def _mini_table(facts: StandingsInputs, code: TieBreakCode, tied: Sequence[PairingNumber]) -> _MiniTable:
    """Article 6.1. Two who met more than once count the average of their games (6.1.2)."""
    members = frozenset(tied)
    table: dict[PairingNumber, tuple[_Points, _Points]] = {}
    for tpn in tied:
        games: dict[PairingNumber, list[HalfPoints]] = defaultdict(list)
        for outcome in _games_among(facts, code, tpn, members):
            if outcome.opponent is not None:
                games[outcome.opponent].append(outcome.points)
        scored = sum(_average(points) for points in games.values())
        table[tpn] = (scored, scored + facts.point_system.win * (len(tied) - 1 - len(games)))
    return table


def _average(points: Sequence[HalfPoints]) -> _Points:
    return points[0] if len(points) == 1 else Fraction(sum(points), len(points))


def _games_among(
    facts: StandingsInputs, code: TieBreakCode, tpn: PairingNumber, members: frozenset[PairingNumber]
) -> Iterator[RoundOutcome]:
    """Yield finished games against the others. Forfeits only if they count as games (6.1.1)."""
    for outcome in facts.outcomes_by_player[tpn]:
        counts = outcome.is_played or facts.do_forfeits_count(code)
        if outcome.opponent in members and counts and not outcome.is_pending:
            yield outcome


def _rows(
    facts: StandingsInputs, code: TieBreakCode, tpn: PairingNumber, members: frozenset[PairingNumber]
) -> Iterator[TieBreakWorkingRow]:
    met = set()
    for outcome in _games_among(facts, code, tpn, members):
        met.add(outcome.opponent)
        points = Decimal(outcome.points) / 2
        yield TieBreakWorkingRow(
            round=outcome.number,
            opponent=outcome.opponent,
            basis=TieBreakBasis.OPPONENT if outcome.is_played else TieBreakBasis.SCHEDULED_OPPONENT,
            counted=None,
            points=points,
            value=points,
        )
    for other in sorted(members - met - {tpn}):
        yield TieBreakWorkingRow(
            round=None, opponent=other, basis=TieBreakBasis.NOT_MET, counted=None, points=None, value=None
        )
