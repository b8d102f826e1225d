"""The tag tree of a PDF as PDFium reads it, and its faults for screen readers.

Every text is in the tree or marked as furniture of the page; headings begin with the first and leave none out; tables
have headings for every column; figures say what they are and stand on their page.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2
from pypdfium2 import raw

_DEEPEST = 6
_USUAL = 256
"""Bytes in which nearly every text has room."""


@dataclass(frozen=True, slots=True)
class Tag:
    """An element: its type, the marks of its content, its alternative text, and its elements."""

    type: str
    marks: tuple[int, ...]
    says: str
    columns: int
    box: tuple[float, ...]
    kids: tuple[Tag, ...]

    def every(self, *types: str) -> Iterator[Tag]:
        """The elements of these types, from this one downwards, in order."""
        if self.type in types:
            yield self
        for kid in self.kids:
            yield from kid.every(*types)

    def all_marks(self) -> tuple[int, ...]:
        """Its marks and those below it."""
        return (*self.marks, *(mark for kid in self.kids for mark in kid.all_marks()))


@dataclass(frozen=True, slots=True)
class ReadPage:
    """The elements of a page, its texts by mark, and texts without a mark."""

    tags: tuple[Tag, ...]
    texts: dict[int, str]
    unmarked: tuple[str, ...]
    size: tuple[float, float]

    def every(self, *types: str) -> Iterator[Tag]:
        """The elements of these types, in order."""
        for tag in self.tags:
            yield from tag.every(*types)

    def text_of(self, tag: Tag) -> str:
        """The text that a screen reader reads for an element."""
        return " ".join("".join(self.texts.get(mark, "") for mark in tag.all_marks()).split())


def faults_of_tags(pdf: bytes) -> list[str]:
    """Faults in the tags of a PDF."""
    pages = read_pages(pdf)
    found = []
    levels = [0, *(int(tag.type[1]) for page in pages for tag in page.every("H1", "H2", "H3"))]
    found += [
        f"a heading of level {after} follows one of {before}"
        for before, after in pairwise(levels)
        if after > before + 1
    ]
    if len(levels) == 1:
        found.append("no heading")
    for number, page in enumerate(pages, start=1):
        found += [f"page {number}: {fault}" for fault in _faults_of_page(page)]
    return found


def _faults_of_page(page: ReadPage) -> Iterator[str]:
    for text in page.unmarked:
        yield f"drawn without a mark: {text!r}"
    read = {mark for tag in page.tags for mark in tag.all_marks()}
    for mark, text in page.texts.items():
        if text.strip() and mark not in read:
            yield f"not in the tree: {text!r}"
    for figure in page.every("Figure"):
        if not figure.says:
            yield "a figure that says nothing"
        left, bottom, right, top = figure.box or (0, 0, 0, 0)
        if not (0 <= left < right <= page.size[0] and 0 <= bottom < top <= page.size[1]):
            yield f"a figure's box is {figure.box}"
    for table in page.every("Table"):
        rows = list(table.every("TR"))
        # Cells without ink cannot be read: rows may have fewer cells than headings, never more.
        wide = [sum(cell.columns for cell in row.kids) for row in rows]
        if max(wide) > wide[0]:
            yield f"a table of {wide[0]} headings with rows of {max(wide)} columns"
        if any(cell.type not in ("TH", "TD") for row in rows for cell in row.kids):
            yield "something else than cells in a row"
        if not any(table.every("TH")):
            yield "a table without headings"


def read_pages(pdf: bytes) -> list[ReadPage]:
    """Every page of a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_page(document[number]) for number in range(len(document))]
    finally:
        document.close()


def _page(page: Any) -> ReadPage:
    text_page = page.get_textpage()
    texts: dict[int, str] = defaultdict(str)
    unmarked = []
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=_DEEPEST):
        text = _said(
            lambda buffer, size, each=thing: raw.FPDFTextObj_GetText(each.raw, text_page.raw, buffer, size),
            raw.FPDF_WCHAR,
        )
        mark = raw.FPDFPageObj_GetMarkedContentID(thing.raw)
        if mark >= 0:
            texts[mark] += text
        elif not raw.FPDFPageObj_CountMarks(thing.raw):
            unmarked.append(text)
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    count = raw.FPDF_StructTree_CountChildren(tree)
    tags = tuple(_tag(raw.FPDF_StructTree_GetChildAtIndex(tree, place)) for place in range(count))
    raw.FPDF_StructTree_Close(tree)
    found = ReadPage(tags, dict(texts), tuple(unmarked), page.get_size())
    text_page.close()
    page.close()
    return found


def _tag(element: Any) -> Tag:
    kids, marks = [], []
    for place in range(raw.FPDF_StructElement_CountChildren(element)):
        if kid := raw.FPDF_StructElement_GetChildAtIndex(element, place):
            kids.append(_tag(kid))
        elif (mark := raw.FPDF_StructElement_GetChildMarkedContentID(element, place)) >= 0:
            marks.append(mark)
    kind = _said(lambda buffer, size: raw.FPDF_StructElement_GetType(element, buffer, size))
    return Tag(
        type=kind,
        marks=tuple(marks),
        says=_said(lambda buffer, size: raw.FPDF_StructElement_GetAltText(element, buffer, size)),
        columns=int((_attribute(element, b"ColSpan") or (1.0,))[0]) if kind in ("TH", "TD") else 1,
        box=_attribute(element, b"BBox") if kind == "Figure" else (),
        kids=tuple(kids),
    )


def _attribute(element: Any, name: bytes) -> tuple[float, ...]:
    """The numbers of an attribute; empty if it is missing."""
    for place in range(max(0, raw.FPDF_StructElement_GetAttributeCount(element))):
        attribute = raw.FPDF_StructElement_GetAttributeAtIndex(element, place)
        value = raw.FPDF_StructElement_Attr_GetValue(attribute, name)
        if value:
            count = raw.FPDF_StructElement_Attr_CountChildren(value)
            each = [raw.FPDF_StructElement_Attr_GetChildAtIndex(value, at) for at in range(count)] or [value]
            return tuple(map(_number, each))
    return ()


def _number(value: Any) -> float:
    number = ctypes.c_float()
    raw.FPDF_StructElement_Attr_GetNumberValue(value, number)
    return number.value


def _said(ask: Any, kind: Any = None) -> str:
    """A text from PDFium, which returns the number of bytes it needs, so it is called twice."""
    size, room = _USUAL, 0
    while size > room:
        room = size
        buffer = ctypes.create_string_buffer(room)
        size = ask(buffer if kind is None else ctypes.cast(buffer, ctypes.POINTER(kind)), room)
    return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0")
