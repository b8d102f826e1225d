"""Who plays: entering members and lists, late entries, withdrawals, pairs who must not meet.

The starting list is open until round 1 is published: until then numbers are given anew, by rating, each time round 1 is
paired. Afterwards a newcomer takes the next number at the end, and the rounds he missed are byes worth what the
event grants for them (FIDE 1987-89, art. 17).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clubs.models import Member, User
from tournaments.models import Entry, ForbiddenPair, Tournament
from tournaments.player_rows import PlayerRow, TextProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPreview:
    """What a pasted list would do. `text` is the list as it was pasted, to be sent again for entering."""

    text: str
    rows: tuple[PlayerRow, ...]

    @property
    def problems(self) -> tuple[TextProblem, ...]:
        """Everything that stops the list from being entered, in the order of the lines."""
        raise NotImplementedError

    @property
    def can_be_entered(self) -> bool:
        """At least one row would enter a player, and none is wrong."""
        raise NotImplementedError

    @property
    def to_enter(self) -> tuple[PlayerRow, ...]:
        """The rows that would enter a player."""
        raise NotImplementedError


def enter_members(
    tournament: Tournament, members: Iterable[Member], *, by: User | None, from_round: int | None = None
) -> list[Entry]:
    """Enter members of the event's own club; those already entered are left as they are. Returns the new entries.

    `from_round` is the first round they play (default: the first round not yet published).
    """
    raise NotImplementedError


def preview_pasted_list(tournament: Tournament, text: str) -> ListPreview:
    """Read a list of players, one a line: `Family, Given; 1875; FM; POL`. Writes nothing.

    Fields are parted by tabs, semicolons or (with none of these in the line) by commas behind the given name; after the name
    their order is free: a number up to 3500 is the rating, a title a title, three capital letters the federation,
    a year with `*` before it or a date the birth, a longer number the FIDE ID. Empty lines are passed over.
    """
    raise NotImplementedError


def enter_pasted_list(
    tournament: Tournament, text: str, *, by: User | None, from_round: int | None = None
) -> list[Entry]:
    """Enter the players of a list, all or none; raises ArbiterProblem when a row is wrong. Returns the new entries."""
    raise NotImplementedError


def first_open_round(tournament: Tournament) -> int:
    """The number of the first round not yet published: the one a newcomer plays first. One behind the last when none is."""
    raise NotImplementedError


def remove_entry(entry: Entry, *, by: User | None) -> None:
    """Take somebody off the starting list again; raises ArbiterProblem once a pairing or a bye names him (withdraw him)."""
    raise NotImplementedError


def change_first_round(entry: Entry, from_round: int, *, by: User | None) -> Entry:
    """A late entrant comes earlier or later than was announced; only rounds not yet paired can be chosen."""
    raise NotImplementedError


def withdraw(entry: Entry, from_round: int, *, by: User | None) -> Entry:
    """He plays no more from that round on; his requested byes of those rounds are dropped.

    Only from a round not yet paired (a draft must be discarded first): raises ArbiterProblem.
    """
    raise NotImplementedError


def return_from_withdrawal(entry: Entry, *, by: User | None) -> Entry:
    """He plays again from the first round not yet paired; the rounds between count as absences."""
    raise NotImplementedError


def forbid_pair(first: Entry, second: Entry, *, by: User | None, remark: str = "") -> ForbiddenPair:
    """These two must not meet; saying it twice, either way round, is no error."""
    raise NotImplementedError


def allow_pair(first: Entry, second: Entry, *, by: User | None) -> None:
    """They may meet after all; no error where no rule stood."""
    raise NotImplementedError
