"""Pair earlier rounds again from the current results before them, for comparison only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

from pairing.engine.paired_round import ReasonKind
from pairing.rounds.comparison.differences import (
    BoardDifference,
    PairedBoard,
    boards_by_system,
    compare_pairings,
    saved_boards,
)
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem


class WhatIfBoard(TypedDict):
    """A board that is missing from the other pairing or has different colours there, by pairing numbers.

    The bye has neither a board number nor Black.
    """

    board: int | None
    white: int
    black: int | None
    difference: str


class WhatIfRound(TypedDict):
    """One round: the boards that differ, as paired and as they would be now, and how many are the same."""

    number: int
    same: int
    by_hand: bool
    was: list[WhatIfBoard]
    would_be: list[WhatIfBoard]
    problem: str


def published_rounds_from(tournament: Tournament, first: int) -> list[Round]:
    """Return the published rounds from round `first` onwards."""
    return list(tournament.rounds.only_published().filter(number__gte=first).order_by("number"))


def pair_rounds_again(
    tournament: Tournament, first: int, *, report_progress: Callable[[int, int], None]
) -> list[WhatIfRound]:
    """Re-pair every published round from `first` onwards, each from the real rounds before it.

    `report_progress` is called before each round and at the end, with the number of rounds done and of all rounds.
    """
    rounds = published_rounds_from(tournament, first)
    again = []
    for done, this_round in enumerate(rounds):
        report_progress(done, len(rounds))
        again.append(_again(tournament, this_round))
    report_progress(len(rounds), len(rounds))
    return again


def _again(tournament: Tournament, round: Round) -> WhatIfRound:
    was = saved_boards(round)
    by_hand = any(why.kind is ReasonKind.MANUAL for seat in was for why in seat.reasons)
    answer = WhatIfRound(number=round.number, same=0, by_hand=by_hand, was=[], would_be=[], problem="")
    try:
        compared = compare_pairings(was, boards_by_system(snapshot_before_round(tournament, round.number)))
    except ArbiterProblem as problem:
        return {**answer, "problem": problem.message}
    return {
        **answer,
        "same": len(compared.shared_boards),
        "was": _differing(compared.one),
        "would_be": _differing(compared.other),
    }


def _differing(seats: Iterable[tuple[PairedBoard, BoardDifference]]) -> list[WhatIfBoard]:
    return [
        WhatIfBoard(board=seat.board, white=seat.white, black=seat.black, difference=difference.value)
        for seat, difference in seats
        if difference is not BoardDifference.SAME
    ]
