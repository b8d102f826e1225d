"""Ranking: points, then any list of tie-breaks, each among those still tied (FIDE Handbook C.07, article 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.standings.catalogue import TIE_BREAKS, check_tie_breaks, parse_tie_breaks
from pairing.engine.standings.codes import Edition, TieBreakCode
from pairing.engine.standings.columns import Column, TieBreakValue, WorkingRow
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.facts import StandingsFacts
from pairing.engine.systems.round_robin import without_annulled


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's place in the table, with one value for each tie-break asked for."""

    rank: int
    tpn: PairingNumber
    points: HalfPoints
    values: tuple[TieBreakValue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """How a value came about: the article, and the rounds (or tied opponents) it is made of.

    `rows` is empty where the value is a fact of the starting list or was drawn. `edition` is that of C.07.
    """

    code: TieBreakCode
    article: str
    edition: Edition
    tpn: PairingNumber
    value: TieBreakValue
    rows: tuple[WorkingRow, ...]


class Ranking:
    """A table after the rounds of a snapshot, whose values can show their working.

    `tie_breaks` are codes in their order; points always come first. `lots` are the places drawn by lot (1 the
    best), for the code LOT. Raises UnknownTieBreak, and TieBreaksNeedUsualPoints where one does not know
    the event's points.
    """

    def __init__(
        self,
        snapshot: TournamentSnapshot,
        tie_breaks: Iterable[str],
        *,
        edition: Edition = Edition.MARCH_2026,
        lots: Mapping[PairingNumber, int] | None = None,
    ) -> None:
        self.codes = check_tie_breaks(tie_breaks, snapshot.points)
        if snapshot.system == "round-robin":
            snapshot = without_annulled(snapshot)
        self._facts = StandingsFacts(snapshot, edition=edition, lots=lots)
        self._columns: list[Column] = []
        self._groups = _by_points(self._facts.points)
        for code in self.codes:
            column = TIE_BREAKS[code.name].column(self._facts, code, self._groups)
            self._columns.append(column)
            self._groups = _split(self._groups, column)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Everyone on the starting list, absent players too, from the top.

        Players whom nothing tells apart share a rank and stand by their TPN; in Jahr's method the TPN decides, so
        that there are no shared ranks.
        """
        shares = self._facts.snapshot.system != "jahr"
        standings: list[Standing] = []
        for group in self._groups:
            shared = len(standings) + 1
            for tpn in group:
                standings.append(
                    Standing(
                        rank=shared if shares else len(standings) + 1,
                        tpn=tpn,
                        points=self._facts.points[tpn],
                        values=tuple(column.values[tpn] for column in self._columns),
                    )
                )
        return tuple(standings)

    def has_played(self, tpn: PairingNumber) -> bool:
        """Whether he has sat down to a game at all."""
        return any(outcome.is_played for outcome in self._facts.outcomes[tpn])

    def working(self, place: int, tpn: PairingNumber) -> Working:
        """How the player's value of the tie-break at that place of the list (from 0) came about."""
        code, column = self.codes[place], self._columns[place]
        return Working(
            code=code,
            article=TIE_BREAKS[code.name].article,
            edition=self._facts.edition_for(code),
            tpn=tpn,
            value=column.values[tpn],
            rows=column.rows(tpn),
        )


def rank_players(
    snapshot: TournamentSnapshot,
    tie_breaks: Iterable[str],
    *,
    edition: Edition = Edition.MARCH_2026,
    lots: Mapping[PairingNumber, int] | None = None,
) -> tuple[Standing, ...]:
    """The table of a Ranking, for those who need no working."""
    return Ranking(snapshot, tie_breaks, edition=edition, lots=lots).standings


def explain(
    snapshot: TournamentSnapshot,
    tie_breaks: Sequence[str],
    *,
    code: str,
    tpn: PairingNumber,
    edition: Edition = Edition.MARCH_2026,
    lots: Mapping[PairingNumber, int] | None = None,
) -> Working:
    """The working of one value; `code` is one of `tie_breaks`, whose order says who is tied when it is its turn."""
    ranking = Ranking(snapshot, tie_breaks, edition=edition, lots=lots)
    return ranking.working(ranking.codes.index(parse_tie_breaks([code])[0]), tpn)


def _by_points(points: Mapping[PairingNumber, HalfPoints]) -> TiedGroups:
    order = sorted(points, key=lambda tpn: (-points[tpn], tpn))
    return [tuple(group) for _, group in groupby(order, key=lambda tpn: points[tpn])]


def _split(groups: TiedGroups, column: Column) -> TiedGroups:
    """Every group by the column's values, the better first; players stay in the order they had."""
    split: list[Sequence[PairingNumber]] = []
    for group in groups:
        if len(group) == 1:
            split.append(group)
            continue
        order = sorted(group, key=lambda tpn: column.values[tpn].key, reverse=True)
        split += [tuple(tied) for _, tied in groupby(order, key=lambda tpn: column.values[tpn].key)]
    return split
