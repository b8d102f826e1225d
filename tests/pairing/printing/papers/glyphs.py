"""The position of every glyph of a PDF, by PDFium, and faults of a page: clipped, overprinted, off the sheet.

Boxes are those of the ink, in points from the lower left of the sheet.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import pypdfium2
from pypdfium2 import raw

from pairing.printing.pdf.weasyprint_rendering import Paper, render_and_count_pages

MM = 72 / 25.4
_TOUCH = 0.5
"""Boxes that share less than this, in points, touch: boxes of round letters hold white corners."""
_CELL = 24.0
_DEEPEST = 6
_HYPHEN_AT_THE_END = "\x02"
"""PDFium's sign for a hyphen behind which a line ends."""


_MOST_OF_A_LIGATURE = 3
"""More letters in one place are an ellipsis that says it were what it stands for."""


class Box(NamedTuple):
    """Left, bottom, right, top."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: Box) -> bool:
        return (
            min(self.right, other.right) - max(self.left, other.left) > _TOUCH
            and min(self.top, other.top) - max(self.bottom, other.bottom) > _TOUCH
        )

    def within(self, other: Box) -> bool:
        return (
            self.left >= other.left - _TOUCH
            and self.bottom >= other.bottom - _TOUCH
            and self.right <= other.right + _TOUCH
            and self.top <= other.top + _TOUCH
        )


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter, the position of its ink, and its run of text."""

    letter: str
    box: Box
    run: int


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """The contents of a page. `runs` are the texts of its runs, `clips` the boxes that clip some of them."""

    wide: float
    high: float
    glyphs: tuple[Glyph, ...]
    runs: dict[int, str]
    clips: dict[int, Box]
    lines: tuple[Box, ...]
    """The boxes of everything that is drawn and is not text."""
    pictures: tuple[Box, ...] = ()
    """Those of pictures made of dots: codes, for the most part."""

    @property
    def text(self) -> str:
        """Every letter in the order of drawing, without white space."""
        return "".join(glyph.letter for glyph in self.glyphs)

    def faults(self, *, keeps: float, cuts: Iterable[Box] = ()) -> list[str]:
        """Faults: clipped, overprinted, or nearer than `keeps` millimetres to the edge of the page or piece."""
        found = [*self._clipped(), *self._overprinted(), *self._over_pictures()]
        return [*found, *self._beyond(keeps * MM, list(cuts))]

    def _clipped(self) -> Iterator[str]:
        for run, clip in self.clips.items():
            lost = [glyph.letter for glyph in self.glyphs if glyph.run == run and not glyph.box.within(clip)]
            if lost:
                yield f"clipped: {''.join(lost)!r} of {self.runs[run]!r}"

    def _overprinted(self) -> Iterator[str]:
        cells: dict[tuple[int, int], list[Glyph]] = defaultdict(list)
        for glyph in self.glyphs:
            left, bottom, right, top = (int(length // _CELL) for length in glyph.box)
            for cell in product(range(left, right + 1), range(bottom, top + 1)):
                cells[cell].append(glyph)
        told = set()
        for near in cells.values():
            for place, one in enumerate(near):
                for other in near[place + 1 :]:
                    if one.run != other.run and (one.run, other.run) not in told and one.box.meets(other.box):
                        told.add((one.run, other.run))
                        yield f"overprinted: {self.runs[one.run]!r} and {self.runs[other.run]!r}"

    def _over_pictures(self) -> Iterator[str]:
        over = {glyph.run for glyph in self.glyphs for box in self.pictures if glyph.box.meets(box)}
        return (f"printed over a picture: {self.runs[run]!r}" for run in over)

    def _beyond(self, keeps: float, cuts: list[Box]) -> Iterator[str]:
        sheet = Box(keeps, keeps, self.wide - keeps, self.high - keeps)
        told = set()
        for glyph in self.glyphs:
            if glyph.run in told:
                continue
            piece = next((cut for cut in cuts if glyph.box.meets(cut)), None)
            if not glyph.box.within(sheet) or (piece is not None and not glyph.box.within(piece)):
                told.add(glyph.run)
                yield f"off its sheet: {self.runs[glyph.run]!r} at {[round(length / MM) for length in glyph.box]} mm"


def drawn_pdf(paper: Paper) -> bytes:
    """A paper as PDF, not from the cache."""
    return render_and_count_pages(paper)[0]


def drawn_pages(pdf: bytes) -> list[DrawnPage]:
    """Every page of a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_page(document[number]) for number in range(len(document))]
    finally:
        document.close()


def _page(page: Any) -> DrawnPage:
    text = page.get_textpage()
    runs: dict[int, str] = defaultdict(str)
    glyphs: list[Glyph] = []
    at_one_place = 1
    for place in range(text.count_chars()):
        letter = chr(raw.FPDFText_GetUnicode(text, place)).replace(_HYPHEN_AT_THE_END, "-")
        drawn_by = raw.FPDFText_GetTextObject(text, place)
        if not drawn_by or raw.FPDFText_IsGenerated(text, place):
            continue
        run = ctypes.addressof(drawn_by.contents)
        runs[run] += letter
        box = Box(*text.get_charbox(place))
        at_one_place = at_one_place + 1 if glyphs and glyphs[-1].box == box else 1
        if not letter.isspace() and at_one_place <= _MOST_OF_A_LIGATURE:
            glyphs.append(Glyph(letter, box, run))
    clips, lines, pictures = {}, [], []
    for thing, clip in _things(page):
        if thing.type == raw.FPDF_PAGEOBJ_TEXT and clip is not None:
            clips[ctypes.addressof(thing.raw.contents)] = clip
        elif thing.level == 0 and thing.type in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE):
            lines.append(Box(*thing.get_bounds()))
            if thing.type == raw.FPDF_PAGEOBJ_IMAGE:
                pictures.append(lines[-1])
    wide, high = page.get_size()
    found = DrawnPage(wide, high, tuple(glyphs), dict(runs), clips, tuple(lines), tuple(pictures))
    text.close()
    page.close()
    return found


def _things(page: Any) -> Iterator[tuple[Any, Box | None]]:
    """Everything drawn, with the box that clips it."""
    for thing in page.get_objects(max_depth=_DEEPEST):
        yield thing, _clip_of(thing)


def _clip_of(thing: Any) -> Box | None:
    path = raw.FPDFPageObj_GetClipPath(thing.raw)
    count = raw.FPDFClipPath_CountPaths(path) if path else 0
    boxes = [_box_of(path, number) for number in range(max(0, count))]
    if not boxes:
        return None
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Box(max(lefts), max(bottoms), min(rights), min(tops))


def _box_of(path: Any, number: int) -> Box:
    xs, ys = [], []
    for place in range(raw.FPDFClipPath_CountPathSegments(path, number)):
        segment = raw.FPDFClipPath_GetPathSegment(path, number, place)
        x, y = ctypes.c_float(), ctypes.c_float()
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        xs.append(x.value)
        ys.append(y.value)
    return Box(min(xs), min(ys), max(xs), max(ys))
