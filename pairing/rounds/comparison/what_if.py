"""What would the rounds have been? Each paired once more from what went before it as it stands now, for a look only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

from pairing.engine.paired_round import ReasonKind
from pairing.rounds.comparison.differences import Difference, Seat, compare, saved_seats, seats_by_system
from tournaments.import_export.snapshots import snapshot_before
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem


class SeatAgain(TypedDict):
    """A board by pairing numbers (the bye has neither board nor Black) that the other pairing has not, or not so."""

    board: int | None
    white: int
    black: int | None
    difference: str


class RoundAgain(TypedDict):
    """One round: the boards that differ, as it was and as it would be, and how many are the same."""

    number: int
    same: int
    by_hand: bool
    was: list[SeatAgain]
    would_be: list[SeatAgain]
    problem: str


def rounds_from(tournament: Tournament, first: int) -> list[Round]:
    """The paired rounds from that one on, drafts left out."""
    return list(tournament.rounds.published().filter(number__gte=first).order_by("number"))


def pair_again(tournament: Tournament, first: int, *, tell: Callable[[int, int], None]) -> list[RoundAgain]:
    """Pair every published round from `first` on once more, each from the real rounds before it.

    `tell` is called before each round and at the end with the number of rounds done, and of all.
    """
    rounds = rounds_from(tournament, first)
    again = []
    for done, this_round in enumerate(rounds):
        tell(done, len(rounds))
        again.append(_again(tournament, this_round))
    tell(len(rounds), len(rounds))
    return again


def _again(tournament: Tournament, round: Round) -> RoundAgain:
    was = saved_seats(round)
    by_hand = any(why.kind is ReasonKind.BY_HAND for seat in was for why in seat.reasons)
    answer = RoundAgain(number=round.number, same=0, by_hand=by_hand, was=[], would_be=[], problem="")
    try:
        compared = compare(was, seats_by_system(snapshot_before(tournament, round.number)))
    except ArbiterProblem as problem:
        return {**answer, "problem": problem.message}
    return {
        **answer,
        "same": len(compared.agreeing),
        "was": _differing(compared.one),
        "would_be": _differing(compared.other),
    }


def _differing(seats: Iterable[tuple[Seat, Difference]]) -> list[SeatAgain]:
    return [
        SeatAgain(board=seat.board, white=seat.white, black=seat.black, difference=difference.value)
        for seat, difference in seats
        if difference is not Difference.SAME
    ]
