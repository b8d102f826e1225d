"""From a waiting round to a published pairing: read, pair, save. The only place that saves a paired round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clubs.models import User
from pairing.engine.paired_round import PairedRound, Reason
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from tournaments.models import Entry, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A round with its saved pairing; `is_new` is False when it was there already (a double click, a second laptop)."""

    round: Round
    is_new: bool


class WarningKind(StrEnum):
    """What a pairing set by hand breaks."""

    MET = "met"
    """players=(white, black): they have met; fact `round`."""
    SAME_ABSOLUTE_COLOUR = "same_absolute_colour"
    """players=(white, black): both hold the same absolute colour preference."""
    WRONG_ABSOLUTE_COLOUR = "wrong_absolute_colour"
    """players=(player,): he gets the other colour than his absolute preference."""
    FORBIDDEN = "forbidden"
    """players=(white, black): a rule of the event says they must not meet."""
    SECOND_BYE = "second_bye"
    """players=(player,): he has had the bye, or a win without play, before."""
    NOT_LOWEST_GROUP = "not_lowest_group"
    """players=(player,): the bye goes to someone who is not in the lowest score group."""
    FAR_APART = "far_apart"
    """players=(white, black): their scores differ by two points or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingWarning:
    """One article a pairing breaks; the arbiter may publish it all the same. `players` are pairing numbers."""

    kind: WarningKind
    article: str
    players: tuple[PairingNumber, ...]
    round: int | None = None


def take_snapshot(round: Round) -> TournamentSnapshot:
    """The event before this round, in a number of queries that does not grow with the event.

    Numbers not given yet (round 1) are those `pair_round` will give. Raises ArbiterProblem when an earlier round is
    not finished, or the rows contradict one another.
    """
    raise NotImplementedError


def pair_round(round_id: int, *, by: User | None) -> Draft:
    """Pair a waiting round and save it as a draft: computed outside the lock, saved inside it.

    A round already paired comes back as it is. Raises ArbiterProblem: an earlier round is open, nobody is there to be paired,
    or no legal round exists (naming the players who block it); then nothing has changed.
    """
    raise NotImplementedError


def save_draft(round: Round, snapshot: TournamentSnapshot, paired: PairedRound, *, by: User | None) -> Draft | None:
    """Save a paired round as a draft, in one transaction; None when the event is no longer as in the snapshot.

    In round 1 this gives the numbers. Whoever enters later than this round gets the bye the event grants for it.
    """
    raise NotImplementedError


def discard_draft(round: Round, *, by: User | None) -> Round:
    """Throw a draft away: the round waits again. In round 1 the numbers go as well, unless they came with a file."""
    raise NotImplementedError


def publish(round: Round, *, by: User | None, version: int) -> Round:
    """Show the draft to everyone. `version` is the one the arbiter has seen; PairingChanged if it is another now.

    Publishing twice is no error. Whoever came in after the draft was made plays from the next round.
    """
    raise NotImplementedError


def unpublish(round: Round, *, by: User, reason: str) -> Round:
    """Make a published round a draft again, while no result is in; the chief arbiter's written reason goes into the log."""
    raise NotImplementedError


def set_pairing_by_hand(
    round: Round, pairs: Sequence[tuple[Entry, Entry]], bye: Entry | None, *, by: User | None, version: int
) -> tuple[PairingWarning, ...]:
    """Replace a draft's boards by these (white, black) pairs, in the order of the boards, and its bye.

    Everyone who was paired or had the bye must stand in it exactly once, nobody else: ArbiterProblem otherwise. PairingChanged
    when the draft is no longer the version seen. Boards left as they were keep their reasons. Returns `warnings_for` it.
    """
    raise NotImplementedError


def warnings_for(
    snapshot: TournamentSnapshot, pairs: Iterable[tuple[PairingNumber, PairingNumber]], bye: PairingNumber | None = None
) -> tuple[PairingWarning, ...]:
    """What a pairing (white, black by number) breaks, board by board, then the bye; articles of the snapshot's system."""
    raise NotImplementedError


def warnings_of_draft(round: Round) -> tuple[PairingWarning, ...]:
    """`warnings_for` a round's saved boards."""
    raise NotImplementedError


def is_out_of_date(round: Round) -> bool:
    """The draft was made before something it rests on changed: a score, or who is to be paired."""
    raise NotImplementedError


def reasons_to_json(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Reasons as stored in `Game.reasons` and `Bye.reasons`: article, kind, players, facts."""
    raise NotImplementedError


def reasons_from_json(stored: Iterable[dict[str, Any]]) -> tuple[Reason, ...]:
    """Stored reasons as the engine gave them."""
    raise NotImplementedError
