"""Standings of an event: one record for the page and the paper alike."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """One player's place. `values` go with the columns of the Standings, each with its decimals already fixed."""

    place: int
    entry: Entry
    points: Decimal
    values: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The table after a round (0: before the first). `columns` are codes: Jahr's `G`, `T`, `E`, or tie-breaks by name.

    In Jahr's method the first column, `G`, repeats `points`.
    """

    tournament: Tournament
    after_round: int
    columns: tuple[str, ...]
    rows: tuple[StandingRow, ...]


def standings(tournament: Tournament, after_round: int | None = None) -> Standings:
    """The table after a round, by the event's own system; default: after the latest round with a published pairing.

    Open boards count as nothing yet. All entries stand in it, absent and withdrawn ones too; a constant number of queries.
    """
    raise NotImplementedError
