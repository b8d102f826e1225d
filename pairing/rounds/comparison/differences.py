"""Two pairings of one round, side by side: what they have in common and where they differ. Nothing is saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.translation import gettext as _

from pairing.engine.acceleration.progressive import USUAL_LIMITS, LimitsDoNotFit, nearest_limits
from pairing.engine.paired_round import PairedRound, PairingImpossible, Reason
from pairing.engine.snapshot import InvalidSnapshot, PairingNumber, TournamentSnapshot
from pairing.engine.systems import SYSTEMS
from pairing.explanations.stored import reasons_from_json
from tournaments.events.accelerating import limits_sentence
from tournaments.models import Acceleration, Bye, Round
from tournaments.problems import ArbiterProblem


class Difference(StrEnum):
    """How a board of one pairing stands to the other pairing."""

    SAME = "same"
    COLOURS = "colours"
    """The same two players with the colours turned."""
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A board with its place in the order of its pairing; the bye has neither board nor Black."""

    board: int | None
    white: PairingNumber
    black: PairingNumber | None
    reasons: Sequence[Reason]

    @property
    def players(self) -> frozenset[PairingNumber | None]:
        return frozenset((self.white, self.black))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two pairings: each board with how it stands to the other pairing, and the number of boards they share."""

    one: tuple[tuple[Seat, Difference], ...]
    other: tuple[tuple[Seat, Difference], ...]

    @property
    def agreeing(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, difference in self.one if difference is Difference.SAME)

    @property
    def agrees(self) -> bool:
        return len(self.agreeing) == len(self.one) == len(self.other)


def compare(one: Sequence[Seat], other: Sequence[Seat]) -> Compared:
    """Mark the boards of two pairings of the same players, whatever the order of the boards."""
    return Compared(one=tuple(_marked(one, other)), other=tuple(_marked(other, one)))


def seats_by_system(snapshot: TournamentSnapshot) -> tuple[Seat, ...]:
    """The round as the snapshot's system pairs it. ArbiterProblem where it cannot."""
    try:
        return seats_of(SYSTEMS[snapshot.system](snapshot))
    except PairingImpossible as error:
        raise ArbiterProblem(_("No legal round exists under this system.")) from error
    except LimitsDoNotFit as error:
        raise ArbiterProblem(limits_sentence(error)) from error
    except InvalidSnapshot as error:
        raise ArbiterProblem(_("The round cannot be paired like this: %(what)s.") % {"what": error}) from error


def seats_of(paired: PairedRound) -> tuple[Seat, ...]:
    """The boards and the bye of a paired round."""
    seats = [Seat(board=game.board, white=game.white, black=game.black, reasons=game.reasons) for game in paired.games]
    if paired.bye is not None:
        seats.append(Seat(board=None, white=paired.bye.player, black=None, reasons=paired.bye.reasons))
    return tuple(seats)


def saved_seats(round: Round) -> tuple[Seat, ...]:
    """The boards and the bye as they are saved: everyone in them has his number."""
    games = round.games.order_by("board").values_list("board", "white__tpn", "black__tpn", "reasons")
    seats = [
        Seat(board=board, white=white, black=black, reasons=reasons_from_json(reasons))
        for board, white, black, reasons in games
        if white is not None
    ]
    byes = round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).values_list("entry__tpn", "reasons")
    seats += [
        Seat(board=None, white=tpn, black=None, reasons=reasons_from_json(reasons))
        for tpn, reasons in byes
        if tpn is not None
    ]
    return tuple(seats)


def under(snapshot: TournamentSnapshot, *, system: str, procedure: str, acceleration: str) -> TournamentSnapshot:
    """The same event before the same round, to be paired by another system.

    Points stay as they were given. Progressive acceleration takes the event's own limits, where it has none the nearest
    that fit its players; ArbiterProblem where none fit.
    """
    limits = snapshot.group_limits
    if acceleration == Acceleration.PROGRESSIVE and limits is None:
        limits = nearest_limits([card.rating for card in snapshot.cards], USUAL_LIMITS)
        if limits is None:
            raise ArbiterProblem(_("These players cannot be divided into three groups of 25 to 50 percent."))
    return replace(
        snapshot,
        system=system,
        procedure=procedure or None,
        acceleration=acceleration,
        group_limits=limits if acceleration == Acceleration.PROGRESSIVE else None,
    )


def _marked(one: Sequence[Seat], other: Sequence[Seat]) -> Iterable[tuple[Seat, Difference]]:
    seats = {(seat.white, seat.black) for seat in other}
    pairs = {seat.players for seat in other}
    for seat in one:
        if (seat.white, seat.black) in seats:
            yield seat, Difference.SAME
        else:
            yield seat, Difference.COLOURS if seat.players in pairs else Difference.OTHER
