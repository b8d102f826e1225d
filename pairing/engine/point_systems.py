"""Point systems other than 1, ½ and 0: their text form, and which pairing systems support them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from pairing.engine.paired_round import (
    PairedBye,
    PairedGame,
    PairedRound,
    PairingImpossible,
    PairingReason,
    PlayerScore,
)
from pairing.engine.snapshot import HalfPoints, InvalidSnapshot, PointSystem, TournamentSnapshot

MAX_WIN_HALF_POINTS = 198
"""A win gives at most 99 points."""

SYSTEMS_WITH_FIXED_POINTS = frozenset({"jahr", "fide-1989", "dutch-1992", "dubov-1997"})
"""Systems whose documents fix one point for a win, half a point for a draw and none for a loss."""

_TEXT = (
    r"(?P<win>[0-9]{1,2}(?:\.5)?)-(?P<draw>[0-9]{1,2}(?:\.5)?)-(?P<loss>[0-9]{1,2}(?:\.5)?)"
    r"(?: A(?P<absence>[0-9]{1,2}(?:\.5)?))?(?: P(?P<bye>[0-9]{1,2}(?:\.5)?))?"
)
"""Compiled when first used, because pairing does not need it."""


class InvalidPointSystem(ValueError):
    """Raised if the points are invalid."""


class IncompatiblePointSystem(InvalidSnapshot):
    """Raised if the system's document fixes the points for results and the event uses different ones."""

    def __init__(self, system: str, points: PointSystem) -> None:
        self.system = system
        self.points = points
        super().__init__(
            f"the document of {system} counts 1 point for a win, 0.5 for a draw and none for a loss; "
            f"it cannot pair an event that counts {format_point_system(points)}"
        )


def points_in_system(points: PointSystem, system: str) -> PointSystem:
    """Return an event's points with those of the pairing-allocated bye that the system fixes."""
    if system == "round-robin":
        # The player left out of an odd table has no bye, and so no points for it.
        return replace(points, pairing_allocated_bye=0)
    if system == "jahr":
        return replace(points, pairing_allocated_bye=points.draw)
    return points


def format_point_system(points: PointSystem) -> str:
    """Return the points for a win, a draw and a loss as `3-1-0`, followed by `A` and `P` if needed.

    An absence (`A`) is left out if it gives no points. A pairing-allocated bye (`P`) is left out if it gives those of a
    win.
    """
    text = "-".join(format_half_points(worth) for worth in (points.win, points.draw, points.loss))
    if points.absence:
        text += f" A{format_half_points(points.absence)}"
    if points.pairing_allocated_bye != points.win:
        text += f" P{format_half_points(points.pairing_allocated_bye)}"
    return text


def parse_point_system(text: str) -> PointSystem:
    """Parse points as `format_point_system` writes them. Raises InvalidPointSystem if the text is malformed."""
    match = re.fullmatch(_TEXT, text)
    if match is None:
        raise InvalidPointSystem(f"expected points such as 3-1-0 or 1-0.5-0, found {text!r}")
    worth = {name: _half_points(number) for name, number in match.groupdict().items() if number is not None}
    points = PointSystem(
        win=worth["win"],
        draw=worth["draw"],
        loss=worth["loss"],
        absence=worth.get("absence", 0),
        pairing_allocated_bye=worth.get("bye", worth["win"]),
    )
    check_point_system(points)
    return points


def _half_points(number: str) -> HalfPoints:
    """Convert a number such as `1` or `1.5`."""
    whole, _point, half = number.partition(".")
    return 2 * int(whole) + bool(half)


def check_point_system(points: PointSystem) -> None:
    """Raise InvalidPointSystem unless a win is worth more than a draw, and a draw more than a loss.

    An absence may give no more than a loss, and a pairing-allocated bye no more than a win.
    """
    if not MAX_WIN_HALF_POINTS >= points.win > points.draw > points.loss >= points.absence >= 0:
        raise InvalidPointSystem(
            f"{format_point_system(points)}: a win must be worth more than a draw, a draw more than a loss, "
            f"and an absence no more than a loss"
        )
    if not 0 <= points.pairing_allocated_bye <= points.win:
        raise InvalidPointSystem(f"{format_point_system(points)}: the bye is worth at most a win")


def format_half_points(half_points: HalfPoints) -> str:
    """Return 3 as `1.5`, 4 as `2`."""
    return f"{half_points // 2}{'.5' if half_points % 2 else ''}"


def convert_to_standard_points(snapshot: TournamentSnapshot) -> tuple[TournamentSnapshot, int]:
    """Return the event with points of 1, ½ and 0, and the factor for converting to its own points.

    Raises IncompatiblePointSystem if there is no such factor.
    """
    scale = snapshot.points.scale_factor
    if scale is None or any(points % scale for card in snapshot.cards for points in card.fictitious):
        raise IncompatiblePointSystem(snapshot.system, snapshot.points)
    if scale == 1:
        return snapshot, 1
    return (
        replace(
            snapshot,
            points=PointSystem(pairing_allocated_bye=snapshot.points.pairing_allocated_bye // scale),
            cards=tuple(
                replace(card, fictitious=tuple(points // scale for points in card.fictitious))
                for card in snapshot.cards
            ),
        ),
        scale,
    )


def convert_to_event_points(paired: PairedRound, scale: int) -> PairedRound:
    """Return a round paired in standard points, converted to the points of the event."""
    if scale == 1:
        return paired
    return replace(
        paired,
        games=tuple(_game(game, scale) for game in paired.games),
        bye=paired.bye and PairedBye(player=paired.bye.player, reasons=_reasons(paired.bye.reasons, scale)),
        scores=tuple(
            PlayerScore(tpn=each.tpn, score=each.score * scale, fictitious=each.fictitious * scale)
            for each in paired.scores
        ),
    )


@contextmanager
def convert_errors_to_event_points(scale: int) -> Iterator[None]:
    """Convert the points in a PairingImpossible error to the points of the event."""
    try:
        yield
    except PairingImpossible as error:
        if scale == 1:
            raise
        raise PairingImpossible(str(error), players=error.players, causes=_reasons(error.causes, scale)) from error


def _game(game: PairedGame, scale: int) -> PairedGame:
    return replace(game, reasons=_reasons(game.reasons, scale))


def _reasons(reasons: Iterable[PairingReason], scale: int) -> tuple[PairingReason, ...]:
    return tuple(_reason(each, scale) for each in reasons)


def _reason(reason: PairingReason, scale: int) -> PairingReason:
    by_points = reason.get_fact("by") == "game_points"
    return replace(
        reason,
        facts=tuple(
            (name, fact * scale)
            if isinstance(fact, int) and (name.endswith("half_points") or (by_points and name in _COMPARED))
            else (name, tuple([value * scale for value in fact]))
            if isinstance(fact, tuple) and name.endswith("half_points")
            else (name, fact)
            for name, fact in reason.facts
        ),
    )


_COMPARED = ("higher", "lower")
