"""Compare two pairings of one round: what they share and where they differ. Nothing is saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.translation import gettext as _

from pairing.engine.acceleration.progressive import DEFAULT_GROUP_LIMITS, GroupLimitsError, nearest_valid_limits
from pairing.engine.paired_round import PairedRound, PairingImpossible, PairingReason
from pairing.engine.snapshot import InvalidSnapshot, PairingNumber, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.explanations.reason_json import reasons_from_json
from tournaments.entries.pairing_numbers import kept_numbers
from tournaments.events.acceleration_groups import explain_refused_group_limits
from tournaments.models import Acceleration, Bye, Round
from tournaments.problems import ArbiterProblem


class BoardDifference(StrEnum):
    """How a board in one pairing compares with the other pairing."""

    SAME = "same"
    COLOURS = "colours"
    """The same two players with colours swapped."""
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedBoard:
    """A board with its place in the order of its pairing. The bye has neither a board number nor Black."""

    board: int | None
    white: PairingNumber
    black: PairingNumber | None
    reasons: Sequence[PairingReason]

    @property
    def players(self) -> frozenset[PairingNumber | None]:
        return frozenset((self.white, self.black))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingComparison:
    """Two pairings: each board with its difference from the other pairing, and the boards they have in common."""

    one: tuple[tuple[PairedBoard, BoardDifference], ...]
    other: tuple[tuple[PairedBoard, BoardDifference], ...]

    @property
    def shared_boards(self) -> tuple[PairedBoard, ...]:
        return tuple(seat for seat, difference in self.one if difference is BoardDifference.SAME)

    @property
    def is_identical(self) -> bool:
        return len(self.shared_boards) == len(self.one) == len(self.other)


def compare_pairings(one: Sequence[PairedBoard], other: Sequence[PairedBoard]) -> PairingComparison:
    """Compare the boards in two pairings of the same players. The order of the boards does not matter."""
    return PairingComparison(one=tuple(_marked(one, other)), other=tuple(_marked(other, one)))


def boards_by_system(snapshot: TournamentSnapshot) -> tuple[PairedBoard, ...]:
    """Return the round as the snapshot's system pairs it. Raises ArbiterProblem if it cannot."""
    try:
        return boards_of_paired_round(PAIRING_SYSTEMS[snapshot.system](snapshot))
    except PairingImpossible as error:
        raise ArbiterProblem(_("No legal pairing exists under this system.")) from error
    except GroupLimitsError as error:
        raise ArbiterProblem(explain_refused_group_limits(error)) from error
    except InvalidSnapshot as error:
        raise ArbiterProblem(_("The round can't be paired like this: %(what)s.") % {"what": error}) from error


def boards_of_paired_round(paired: PairedRound) -> tuple[PairedBoard, ...]:
    """Return the boards and the bye of a paired round."""
    seats = [
        PairedBoard(board=game.board, white=game.white, black=game.black, reasons=game.reasons) for game in paired.games
    ]
    if paired.bye is not None:
        seats.append(PairedBoard(board=None, white=paired.bye.player, black=None, reasons=paired.bye.reasons))
    return tuple(seats)


def saved_boards(round: Round) -> tuple[PairedBoard, ...]:
    """Return the boards and the bye as saved. Every player in them has a pairing number."""
    kept = kept_numbers(round.tournament, round.number)
    games = round.games.order_by("board").values_list(
        "board", "white_id", "white__tpn", "black_id", "black__tpn", "reasons"
    )
    seats = [
        PairedBoard(
            board=board,
            white=kept.get(str(white), white_tpn),
            black=kept.get(str(black), black_tpn),
            reasons=reasons_from_json(reasons),
        )
        for board, white, white_tpn, black, black_tpn, reasons in games
        if white_tpn is not None
    ]
    byes = round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).values_list("entry_id", "entry__tpn", "reasons")
    seats += [
        PairedBoard(board=None, white=kept.get(str(entry), tpn), black=None, reasons=reasons_from_json(reasons))
        for entry, tpn, reasons in byes
        if tpn is not None
    ]
    return tuple(seats)


def snapshot_under_system(
    snapshot: TournamentSnapshot, *, system: str, procedure: str, acceleration: str
) -> TournamentSnapshot:
    """Return a copy of the snapshot, to be paired by another system.

    Points stay as they were given. Progressive acceleration uses the event's own limits, or else the nearest that fit
    its players. Raises ArbiterProblem if no limits fit.
    """
    limits = snapshot.group_limits
    if acceleration == Acceleration.PROGRESSIVE and limits is None:
        limits = nearest_valid_limits([card.rating for card in snapshot.cards], DEFAULT_GROUP_LIMITS)
        if limits is None:
            raise ArbiterProblem(
                _("These players can't be split into 3 groups, each with a quarter to a half of them.")
            )
    return replace(
        snapshot,
        system=system,
        procedure=procedure or None,
        acceleration=acceleration,
        group_limits=limits if acceleration == Acceleration.PROGRESSIVE else None,
    )


def _marked(one: Sequence[PairedBoard], other: Sequence[PairedBoard]) -> Iterable[tuple[PairedBoard, BoardDifference]]:
    seats = {(seat.white, seat.black) for seat in other}
    pairs = {seat.players for seat in other}
    for seat in one:
        if (seat.white, seat.black) in seats:
            yield seat, BoardDifference.SAME
        else:
            yield seat, BoardDifference.COLOURS if seat.players in pairs else BoardDifference.OTHER
