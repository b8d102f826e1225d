"""Arranges items on sheets that are cut: positions, cut marks, order after cutting, backs. Draws on whole sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import quote

Thing = TypeVar("Thing")


@dataclass(frozen=True, kw_only=True)
class CutGrid:
    """A sheet cut into pieces, `across` times `down`."""

    across: int
    down: int

    @property
    def pieces_per_sheet(self) -> int:
        return self.across * self.down

    @property
    def cut_mark_classes(self) -> tuple[str, ...]:
        """The CSS classes of the cut marks, which are where cuts cross each other and the edges."""
        upright = [f"upright x{x} y{y}" for x in range(1, self.across) for y in range(self.down + 1)]
        level = [f"level x{x} y{y}" for y in range(1, self.down) for x in range(self.across + 1)]
        return (*upright, *level)


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSheet(Generic[Thing]):
    """One side of a sheet: its items with their positions as CSS classes."""

    things: tuple[tuple[Thing, str], ...]
    is_back: bool = False


def arrange_on_sheets(
    things: Sequence[Thing], cut: CutGrid, *, stacked: bool = False, backs: bool = False
) -> tuple[CutSheet[Thing], ...]:
    """Arrange items on as many sheets as they need.

    `stacked`: after the pile is cut and the stacks are put together, position by position, everything is in order.
    `backs`: every sheet is followed by its back, with columns exchanged, for printing with a flip on the long edge.
    """
    count = -(-len(things) // cut.pieces_per_sheet)
    sheets: list[CutSheet[Thing]] = []
    for number in range(count):
        piles = range(cut.pieces_per_sheet)
        wanted = [number + place * count if stacked else number * cut.pieces_per_sheet + place for place in piles]
        chosen = [(place, things[index]) for place, index in enumerate(wanted) if index < len(things)]
        for is_back in (False, True) if backs else (False,):
            placed = tuple((thing, _css_classes(place, cut, is_back=is_back)) for place, thing in chosen)
            sheets.append(CutSheet(things=placed, is_back=is_back))
    return tuple(sheets)


def _css_classes(place: int, cut: CutGrid, *, is_back: bool) -> str:
    down, across = divmod(place, cut.across)
    return f"x{cut.across - 1 - across if is_back else across} y{down}"


def svg_background(size: tuple[float, float], drawing: str, *, colour: str = "") -> str:
    """Return a drawing on a sheet as a CSS background. `size` and `drawing` are in millimetres, black by default."""
    wide, high = size
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}"'
        f' fill="none" stroke="{colour or "#000"}">{drawing}</svg>'
    )
    return f"url('data:image/svg+xml,{quote(picture)}') 0 0 no-repeat"
