"""Making an event, and changing what was announced of it."""

from __future__ import annotations

from typing import Any

from clubs.models import Club, User
from tournaments.models import Tournament


def create_tournament(club: Club, *, by: User | None, name: str, rounds_announced: int, **fields: Any) -> Tournament:
    """Make an event with all its rounds, waiting.

    `fields` are further fields of Tournament by name (`system`, `starts_on`, ...). The address (`slug`) is made from the
    name and made unique in the club. Raises ArbiterProblem when a field is out of range.
    """
    raise NotImplementedError


def change_tournament(tournament: Tournament, *, by: User | None, **changes: Any) -> Tournament:
    """Change fields of an event; only changes whose every consequence can be carried out are accepted.

    Once round 1 is paired, what made its pairing stands (system, procedure, acceleration and its limits, first colour).
    `rounds_announced` adds or removes waiting rounds; it is refused while a draft stands (the last round is paired by
    rules of its own), below a round already paired, or where a requested bye would be lost or become a bye in the last
    round against the event's rule. The address does not change with the name. Raises ArbiterProblem.
    """
    raise NotImplementedError
