"""Requested byes and absences of rounds to come, and who is to be paired."""

from __future__ import annotations

from dataclasses import dataclass

from clubs.models import User
from tournaments.models import Bye, Entry, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """One player at the door of a round: `bye` is his row for the round, None when he is to be paired."""

    entry: Entry
    bye: Bye | None

    @property
    def is_to_be_paired(self) -> bool:
        return self.bye is None


def attendance(round: Round) -> list[Attendance]:
    """Everyone who takes part in the round (entered, not withdrawn), by name; two queries."""
    raise NotImplementedError


def to_be_paired(round: Round) -> list[Entry]:
    """Those of `attendance` who are to be paired."""
    raise NotImplementedError


def request_bye(entry: Entry, round: Round, kind: Bye.Kind, *, by: User | None, beyond_quota: bool = False) -> Bye:
    """Note a requested bye (half, full or zero points) for a waiting round; a second request replaces the first.

    Raises ArbiterProblem when the round is paired already, the quota is used up, it is the last round and the event
    grants none there, or the kind is worth more than the event grants. `beyond_quota` is the arbiter's decision to grant
    it all the same (logged as such): then only the waiting round is asked for.
    """
    raise NotImplementedError


def mark_absent(entry: Entry, round: Round, *, by: User | None) -> Bye:
    """He is not here and is not paired in this waiting round: no points. A requested bye stands as it is."""
    raise NotImplementedError


def mark_present(entry: Entry, round: Round, *, by: User | None) -> None:
    """He is here and is to be paired: an absence or requested bye of this waiting round is taken back."""
    raise NotImplementedError
