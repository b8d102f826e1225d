"""Standings: players by their points, then by any list of tie-breaks.

`TIE_BREAKS` is the closed list, by code. A new tie-break is one function in a room of this folder and one line here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.standings import fide_1989, jahr, points
from pairing.engine.standings.facts import StandingsFacts, TieBreak, TieBreakValue

TIE_BREAKS: Mapping[str, TieBreak] = {
    "PTS": points.points,
    "G": jahr.game_points,
    "T": jahr.total_points,
    "E": jahr.exact_value,
    "16": fide_1989.article_16,
    "16A": fide_1989.ratings_of_opponents,
    "16B": fide_1989.progressive_scores,
}

TIE_BREAKS_OF_SYSTEM: Mapping[str, tuple[str, ...]] = {"jahr": ("T", "E"), "fide-1989": ("16",)}
"""What each system's document breaks ties by."""


class UnknownTieBreak(ValueError):
    """A code that `TIE_BREAKS` does not have."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(f"unknown tie-break {code!r}; known are {', '.join(TIE_BREAKS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's place in the table, with one value for each tie-break asked for."""

    rank: int
    tpn: PairingNumber
    points: HalfPoints
    values: tuple[TieBreakValue, ...]


def rank_players(snapshot: TournamentSnapshot, tie_breaks: Iterable[str]) -> tuple[Standing, ...]:
    """Everyone on the starting list, absent players too, by points and then the tie-breaks in their order.

    Players whom nothing tells apart share a rank and stand by their TPN; in Jahr's method the TPN decides, so
    that there are no shared ranks. Raises UnknownTieBreak.
    """
    facts = StandingsFacts(snapshot)
    columns = [_tie_break(code)(facts) for code in tie_breaks]
    rows = [(tpn, half_points, tuple(column[tpn] for column in columns)) for tpn, half_points in facts.points.items()]
    rows.sort(key=lambda row: row[0])
    rows.sort(key=lambda row: (row[1], *(value.key for value in row[2])), reverse=True)
    return tuple(_ranked(rows, shared=snapshot.system != "jahr"))


def _tie_break(code: str) -> TieBreak:
    if code not in TIE_BREAKS:
        raise UnknownTieBreak(code)
    return TIE_BREAKS[code]


def _ranked(
    rows: Sequence[tuple[PairingNumber, HalfPoints, tuple[TieBreakValue, ...]]], *, shared: bool
) -> Iterable[Standing]:
    rank = 0
    for place, (tpn, half_points, values) in enumerate(rows, start=1):
        if not (shared and place > 1 and rows[place - 2][1:] == (half_points, values)):
            rank = place
        yield Standing(rank=rank, tpn=tpn, points=half_points, values=values)
