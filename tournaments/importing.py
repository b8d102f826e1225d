"""Importing report files (TRF) and lists of players (CSV): a preview first, then all or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from clubs.models import Club, User
from tournaments.models import System, Tournament
from tournaments.player_rows import PlayerRow, TextProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """What a file holds and what importing it would do; nothing has been written.

    `rounds` counts rounds with a pairing, `games` and `byes` what they hold, `requested_byes` those for the round to come.
    `tournament_name` is the event's name in the file. With any `errors` the file is refused as a whole.
    """

    filename: str
    kind: Literal["trf", "csv"]
    encoding: str
    tournament_name: str = ""
    players: tuple[PlayerRow, ...] = ()
    rounds: int = 0
    rounds_announced: int | None = None
    games: int = 0
    byes: int = 0
    requested_byes: int = 0
    warnings: tuple[TextProblem, ...] = ()
    errors: tuple[TextProblem, ...] = ()

    @property
    def can_be_imported(self) -> bool:
        return not self.errors


def preview_import(target: Tournament | Club, data: bytes, filename: str) -> ImportPreview:
    """Read a file and say what importing it would do. Never raises for what stands in the file: see `errors`.

    TRF goes into a club (a new event) or an event without entries; CSV into an event, whatever its entries.
    """
    raise NotImplementedError


def apply_import(
    target: Tournament | Club, data: bytes, filename: str, *, by: User | None, system: System = System.JAHR
) -> Tournament:
    """Import a file in one transaction, all or nothing, and return the event.

    `system` is the pairing system of a new event. Raises ArbiterProblem with the first errors of the preview.
    """
    raise NotImplementedError
