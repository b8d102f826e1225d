"""The crosstable: the players in the order of the table, with their opponents and results round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.engine.snapshot import Colour, PairingNumber, Result, TournamentSnapshot
from pairing.engine.standings.ranking import PlayerStanding


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosstableCell:
    """One round of one player. `opponent_line` is the opponent's line in this table, from 1; None without one."""

    opponent: PairingNumber | None
    opponent_line: int | None
    colour: Colour | None
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosstableRow:
    """A line of the table."""

    line: int
    standing: PlayerStanding
    cells: tuple[CrosstableCell, ...]


def build_crosstable(snapshot: TournamentSnapshot, standings: Sequence[PlayerStanding]) -> tuple[CrosstableRow, ...]:
    """Return a line for every standing. Opponents are given by their lines, which are never shared, unlike ranks."""
    lines = {standing.tpn: line for line, standing in enumerate(standings, start=1)}
    cards = {card.tpn: card for card in snapshot.cards}
    return tuple(
        CrosstableRow(
            line=lines[standing.tpn],
            standing=standing,
            cells=tuple(
                CrosstableCell(
                    opponent=record.opponent,
                    opponent_line=None if record.opponent is None else lines.get(record.opponent),
                    colour=record.colour,
                    result=record.result,
                )
                for record in cards[standing.tpn].records
            ),
        )
        for standing in standings
    )
