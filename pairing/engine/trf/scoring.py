"""Points of results, as files give them (XXS, 162 and the like) and as an event counts them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import NoReturn

from pairing.engine.point_systems import InvalidPointSystem, check_point_system
from pairing.engine.snapshot import STANDARD_POINTS, PointSystem
from pairing.engine.trf.event_directives import EventDirectives, FilePosition
from pairing.engine.trf.model import TrfEdition, TrfError, TrfFile

_LIKE = {
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB", "X"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "P": ("PAB",),
}
"""Results with equal points in every event, the first of each leading."""


def point_system_of_trf(trf: TrfFile, directives: EventDirectives) -> PointSystem:
    """Return the file's point system. Raises TrfError if no event can use it."""
    if directives.abnormal_points:
        _refuse(trf, directives.abnormal_points, "no points but those of the results")
    worth = {name: _half_points(trf, directives, codes) for name, codes in _LIKE.items()}
    points = PointSystem(
        win=worth["W"], draw=worth["D"], loss=worth["L"], absence=worth["A"], pairing_allocated_bye=worth["P"]
    )
    try:
        check_point_system(points)
    except InvalidPointSystem as error:
        _refuse(trf, point_system_position(directives), f"points an event can count: {error}")
    return points


def point_system_position(directives: EventDirectives) -> FilePosition:
    """Return where in a file the points for a win are stated, or else any other points."""
    stated = directives.result_point_positions
    return stated.get("WW") or next(iter(stated.values()), FilePosition(line=1, column=1))


def format_point_system_lines(points: PointSystem, edition: TrfEdition) -> Iterator[str]:
    """Yield the line for non-standard points: in TRF26 only what differs from the standard.

    In TRF16 it has only the pairing-allocated bye if nothing else differs.
    """
    worth = dict(zip("WDLA", (points.win, points.draw, points.loss, points.absence), strict=True))
    worth["P"] = points.pairing_allocated_bye
    if edition is TrfEdition.TRF26:
        usual = {"W": STANDARD_POINTS.win, "D": STANDARD_POINTS.draw, "L": 0, "A": 0, "P": points.win}
        told = [f"{name}{Decimal(worth[name]) / 2:4.1f}" for name in worth if worth[name] != usual[name]]
        if told:
            yield "162  " + "    ".join(told)
    elif points != STANDARD_POINTS:
        if replace(points, pairing_allocated_bye=STANDARD_POINTS.pairing_allocated_bye) == STANDARD_POINTS:
            worth = {"P": points.pairing_allocated_bye}
        by_code = {code: half_points for name, half_points in worth.items() for code in _LIKE[name]}
        yield "XXS " + " ".join(f"{code}={Decimal(half_points) / 2:.1f}" for code, half_points in by_code.items())


def _half_points(trf: TrfFile, directives: EventDirectives, codes: tuple[str, ...]) -> int:
    """Return the points of all these results. One that the file leaves out has those of the first."""
    points = directives.result_points[codes[0]]
    for code in codes:
        if directives.result_points[code] != points:
            stated = next(each for each in (code, *codes) if each in directives.result_point_positions)
            expected = f"{points} for {code}, which is worth what {codes[0]} is"
            _refuse(trf, directives.result_point_positions[stated], expected)
    if points * 2 % 1:
        _refuse(trf, directives.result_point_positions[codes[0]], f"whole or half points for {codes[0]}")
    return int(points * 2)


def _refuse(trf: TrfFile, place: FilePosition, expected: str) -> NoReturn:
    raise TrfError(expected, name=trf.name, line=place.line, column=place.column)
