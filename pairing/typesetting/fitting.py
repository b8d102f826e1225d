"""The largest type in which a text fits its place, by measured width; nothing is cut that could be set smaller.

`css/print/fit.css` has a class for every size: `fit-60` is six tenths of what the element would have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pairing.typesetting.widths import Face, fitted, width

MM_OF_POINT = 25.4 / 72

SIZES = range(100, 25, -5)
"""Sizes of type in hundredths of the full one."""

_SMALL = 75
"""A text that would have to be set smaller than this is broken first, where it has a gap or a hyphen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A text in lines, and the size it is set in."""

    lines: tuple[str, ...]
    size: int

    @property
    def text(self) -> str:
        """The lines under one another."""
        return "\n".join(self.lines)

    @property
    def css(self) -> str:
        return f"fit-{self.size} lines-{len(self.lines)}"


def fit(text: str, ems: float, *, face: Face, least: int = 50, broken: int = 0) -> Fitted:
    """A text in a place of so many em of its full size, no smaller than `least` hundredths of it.

    `broken` is the largest size in which two lines fit above one another, 0 where there is room for one. Only where
    nothing else helps is a word broken, and a name of which even that leaves too much is shortened.
    """
    whole = next((size for size in SIZES if size >= least and width(text, face) * size <= ems * 100), 0)
    if whole >= (_SMALL if broken else least):
        return Fitted(lines=(text,), size=whole)
    for size in (size for size in SIZES if max(whole + 1, least) <= size <= broken):
        lines = in_lines(text, ems * 100 / size, face)
        if len(lines) == 2 and all(width(line, face) * size <= ems * 100 for line in lines):
            return Fitted(lines=lines, size=size)
    if whole:
        return Fitted(lines=(text,), size=whole)
    for size in (size for size in SIZES if least <= size <= broken):
        lines = in_lines(text, ems * 100 / size, face, anywhere=True)
        if len(lines) <= 2:
            return Fitted(lines=lines, size=size)
    for size in (size for size in SIZES if least <= size <= broken):
        lines = _by_letters(text, ems * 100 / size, face)
        if len(lines) <= 2:
            return Fitted(lines=lines, size=size)
    room = ems * 100 / least
    if broken >= least:
        lines = in_lines(fitted(text, 1.9 * room, face), room, face, anywhere=True)
        if len(lines) <= 2:
            return Fitted(lines=lines, size=least)
    return Fitted(lines=(fitted(text, room, face),), size=least)


def ems(millimetres: float, points: float) -> float:
    """How many em of a type of so many points stand in so many millimetres."""
    return millimetres / (points * MM_OF_POINT)


def in_lines(text: str, ems: float, face: Face, *, anywhere: bool = False) -> tuple[str, ...]:
    """A text in lines of so many em, broken at gaps and behind hyphens; a longer word stands out, or is broken."""
    lines: list[str] = []
    line = ""
    for word in _words(text, ems, face) if anywhere else _WORDS.findall(text):
        if line and width((line + word).rstrip(), face) > ems:
            lines.append(line.rstrip())
            line = ""
        line += word
    return (*lines, line.rstrip())


def _by_letters(text: str, ems: float, face: Face) -> tuple[str, ...]:
    """A text in lines as full as can be, broken wherever that is."""
    lines = [""]
    for sign in text:
        if lines[-1] and width(lines[-1] + sign, face) > ems:
            lines.append("")
        lines[-1] += sign
    return tuple(line.strip() for line in lines)


_WORDS = re.compile(r"(?:[^\s-]|\u00a0)*(?:-|[^\S\u00a0]+|$)|(?:[^\s-]|\u00a0)+")
"""Pieces behind which a line may end: at a no-break space none does."""


def _words(text: str, ems: float, face: Face) -> Sequence[str]:
    found = []
    for word in _WORDS.findall(text):
        while width(word.rstrip(), face) > ems and len(word) > 1:
            most = max(1, next(end for end in range(len(word)) if width(word[: end + 1], face) > ems))
            found.append(word[:most])
            word = word[most:]
        found.append(word)
    return found
