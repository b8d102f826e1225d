"""A player's outcome of one round, in the terms of FIDE Handbook C.07, articles 15 and 16."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pairing.engine.snapshot import Colour, HalfPoints, PairingCard, PairingNumber, PointSystem, Result


class RoundOutcome(NamedTuple):
    """One round of one player.

    - `opponent`: the one they met or, in a forfeit, should have met; None in byes
    - `is_played`: the game was played (article 15.1 calls all else unplayed)
    - `is_requested_bye`: a half-point or zero-point bye or an absence (16.1.1)
    - `is_voluntary`: one of those or a forfeit loss, a VUR (16.1.2)
    - `is_pending`: an adjourned game; it is played, and gives no points until it is finished
    """

    number: int
    opponent: PairingNumber | None
    points: HalfPoints
    is_black: bool
    is_played: bool
    is_requested_bye: bool
    is_voluntary: bool
    is_pending: bool


_REQUESTED_BYES = frozenset({Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.ABSENT})


class ResultProperties(NamedTuple):
    """The properties of a result, looked up once for the many records that have it."""

    points: HalfPoints
    is_played: bool
    is_requested_bye: bool
    is_voluntary: bool
    is_pending: bool


def outcomes_of_card(card: PairingCard, properties: Mapping[Result, ResultProperties]) -> tuple[RoundOutcome, ...]:
    """Return a player's rounds so far; `properties` come from `result_properties_for_points`."""
    outcomes = []
    for number, record in enumerate(card.records, start=1):
        nature = properties[record.result]
        outcomes.append(RoundOutcome(number, record.opponent, nature[0], record.colour is Colour.BLACK, *nature[1:]))
    return tuple(outcomes)


def result_properties_for_points(points: PointSystem) -> Mapping[Result, ResultProperties]:
    """Return the properties of each result in an event with these points."""
    return {
        result: ResultProperties(
            # An adjourned game is a draw for pairing only; a table shows it as pending (Dutch system 1992, F9).
            points=0 if result is Result.ADJOURNED else points.points_for_result(result),
            is_played=result.is_played,
            is_requested_bye=result in _REQUESTED_BYES,
            is_voluntary=result in _REQUESTED_BYES or result is Result.FORFEIT_LOSS,
            is_pending=result is Result.ADJOURNED,
        )
        for result in Result
    }
