"""Players as a pasted list or a CSV file names them, and what entering each will do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clubs.models import Member


class RowOutcome(StrEnum):
    """What will happen with a row."""

    MEMBER = "member"
    """Enters a member of the club's book, found by FIDE ID or name."""
    GUEST = "guest"
    """Enters a player who is not in the club's book."""
    ALREADY_ENTERED = "already_entered"
    """Nothing: the player is in the event."""
    WRONG = "wrong"
    """Cannot be entered: `problems` says why; nothing of the list is entered while such a row is in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextProblem:
    """Something wrong in a text, and where: `line` and `column` count from 1 (column in characters), 0 for the whole."""

    line: int
    column: int
    message: str
    expected: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """One player of a list. `birth` is a year or a date as in report files; empty texts and 0 mean not given."""

    line: int
    name: str
    rating: int = 0
    title: str = ""
    federation: str = ""
    sex: str = ""
    birth: str = ""
    fide_id: str = ""
    club_name: str = ""
    outcome: RowOutcome = RowOutcome.GUEST
    member: Member | None = None
    problems: tuple[TextProblem, ...] = ()
    warnings: tuple[TextProblem, ...] = ()
