"""Tags start cards, set as lines of text with tabs, as tables in a PDF.

A card is an `article`. Its `div`s are runs of lines: headings of boxes, rows; headings of the foot, the foot. Each pair
becomes a table, each line a row, and the text between two tabs a cell. The text is drawn as before, but marked in
pieces. A `span` of the article is a name too long for its box; it belongs to the row beside it. All rows of a card are
laid out as one line (`join_card_rows`), as each line costs a twentieth of the card's time. When drawn, each row begins
where its own line would.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element

import pydyf

from pairing.printing.pdf.pdf_objects import resolve_reference

CELL_SEPARATOR = "\u2060\t"
"""Separates two cells of a line; the zero-width character is drawn as a shift of 0, which marks the tab."""

TAB_PATTERN = re.compile(rb">0\.0<>(-[\d.e-]+)(?:<|$)")
_BASELINE = re.compile(rb"1 0 0 -1 (\S+) (\S+) Tm")
_NAMES = 3
"""The cell of a row for a name in small type: after round, colour and number."""

_COLUMN, _ROW = b"/TH/A<</O/Table/Scope/Column>>", b"/TH/A<</O/Table/Scope/Row>>"
_CELL = b"/TD"


@dataclass(slots=True, kw_only=True)
class _Line:
    """A line that becomes a row: the tag of its cells, its marks and its position on the page."""

    element: Any
    cell: bytes
    first: bytes
    head: _Line | None = None
    """The headings of its columns; None for headings themselves."""
    marks: list[int | None] = field(default_factory=list)
    left: bytes = b""
    baseline: float = 0.0


class RawPdfObject(pydyf.Object):
    """An element of the tag tree that is written unchanged."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.ready = data

    @property
    def data(self) -> bytes:
        return self.ready


def join_card_rows(root: Element) -> None:
    """Join the rows of every card of a page into one line."""
    for card in root.iter("article"):
        runs = [each for each in card.iter("div") if each.get("class") in ("labels", "rows")]
        for head, rows in pairwise(runs):
            if rows.get("class") == "rows" and head.text and rows.text:
                columns = head.text.count(CELL_SEPARATOR)
                lines = rows.text.split("\n")
                whole = "".join(line + CELL_SEPARATOR * (columns + 1 - line.count(CELL_SEPARATOR)) for line in lines)
                rows.text = whole.removesuffix(CELL_SEPARATOR)
                rows.set(_ROWS, str(len(lines)))


_ROWS = "data-rows"
"""The attribute with the number of rows in a line."""


def tag_card_tables(document: Any, pdf: Any) -> None:
    """Tag the lines of all cards as tables; call it before the PDF is written."""
    by_page: dict[bytes, list[Any]] = defaultdict(list)
    for element in pdf.objects:
        if isinstance(element, dict) and element.get("S") == "/Art":
            by_page[element["Pg"]].append(element)
    boxes = dict(zip(pdf.page_references, document.pages, strict=True))
    for page, cards in by_page.items():
        _Page(pdf, page, _row_high(boxes[page]._page_box)).tag_page_cards(cards)


def _row_high(box: Any) -> float:
    """Return the height of a row of the cards below a box, in pixels; 0 without cards.

    All cards of a page are alike.
    """
    box = getattr(box, "_box", box)
    rows = box.element.get(_ROWS) if box.element is not None else None
    if rows:
        return float(box.height / int(rows))
    return next(filter(None, map(_row_high, getattr(box, "children", ()))), 0.0)


class _Page:
    """The tags of a page: `nums` has the element of each mark of its content.

    `row_high` is the height of a card's row, in pixels.
    """

    def __init__(self, pdf: Any, reference: bytes, row_high: float) -> None:
        self.pdf = pdf
        self.row_high = row_high
        self.reference = reference
        page = resolve_reference(self.pdf, reference)
        self.content = resolve_reference(self.pdf, page["Contents"])
        tree = resolve_reference(pdf, resolve_reference(pdf, pdf.catalog["StructTreeRoot"])["ParentTree"])
        self.nums = tree["Nums"][2 * page["StructParents"] + 1]
        self.lines: dict[int, _Line] = {}

    def _kids(self, element: Any) -> list[Any]:
        return [resolve_reference(self.pdf, kid) for kid in element["K"]]

    def tag_page_cards(self, cards: Sequence[Any]) -> None:
        tables = [table for card in cards for table in self._tables_of(card)]
        beside = [(each, self._marks_of(each)) for card in cards for each in self._kids(card) if each["S"] == "/Span"]
        wanted = {mark for _element, marks in beside for mark in marks}
        baselines = self._mark_in_pieces(wanted)
        for head, rows in tables:
            self._write(head, rows)
        for element, marks in beside:
            self._into_its_row(element, sum(baselines[mark] for mark in marks) / len(marks))

    def _tables_of(self, card: Any) -> Iterator[tuple[Any, Any | None]]:
        """Yield the runs of lines of a card in pairs, headings first; the foot may still be empty."""
        runs = [each for each in self._kids(card) if each["S"] == "/Div" and self._is_run(each)]
        for place in range(0, len(runs), 2):
            head, rows = runs[place], runs[place + 1] if place + 1 < len(runs) else None
            heads = [self._add(line, _COLUMN, _COLUMN) for line in self._kids(head)]
            for line in self._kids(rows) if rows else ():
                self._add(line, _CELL, _CELL if place else _ROW).head = heads[0]
            yield head, rows

    def _is_run(self, element: Any) -> bool:
        return bool(element["K"]) and all(kid["S"] == "/Span" for kid in self._kids(element))

    def _add(self, line: Any, cell: bytes, first: bytes) -> _Line:
        added = self.lines[line["K"][0]] = _Line(element=line, cell=cell, first=first)
        return added

    def _marks_of(self, element: Any) -> list[int]:
        return [kid["K"][0] for kid in self._kids(element)]

    # -- What is drawn ---------------------------------------------------------------------------------------------

    def _mark_in_pieces(self, others: set[int]) -> dict[int, float]:
        """Mark every line cell by cell; return the baselines of the texts with the marks `others`."""
        drawn: list[Any] = []
        baselines: dict[int, float] = {}
        items = iter(self.content.stream)
        for item in items:
            drawn.append(item)
            if item != b"BDC":
                continue
            mark = drawn[-2]["MCID"]
            if mark in others:
                baselines[mark] = self._copied(items, drawn)
            elif mark in self.lines:
                del drawn[-3:]
                self._in_cells(self.lines[mark], mark, items, drawn)
        self.content.stream = drawn
        return baselines

    def _copied(self, items: Iterator[Any], drawn: list[Any]) -> float:
        baseline = 0.0
        for item in items:
            drawn.append(item)
            if item == b"EMC":
                break
            if found := text_position(item):
                baseline = float(found[1])
        return baseline

    def _in_cells(self, line: _Line, mark: int, items: Iterator[Any], drawn: list[Any]) -> None:
        """Draw a line as before, with a mark for every cell; the shift of a tab goes to the next cell."""
        line.marks.append(None)
        is_open, shift = False, b""
        columns = len(line.head.marks) if line.head else 0
        for item in items:
            if item == b"EMC":
                break
            if not (isinstance(item, bytes) and item.endswith(b"] TJ")):
                if found := text_position(item):
                    line.left, line.baseline = found[0], float(found[1])
                if item == b"ET" and is_open:
                    drawn.append(b"EMC")
                    is_open = False
                drawn.append(item)
                continue
            pieces = TAB_PATTERN.split(item[1:-4])
            for place in range(0, len(pieces), 2):
                if place:
                    shift += pieces[place - 1]
                    if is_open:
                        drawn.append(b"EMC")
                        is_open = False
                    if columns and len(line.marks) % columns == 0:
                        shift, down = b"", len(line.marks) // columns * self.row_high
                        drawn.append(b"1 0 0 -1 %b %f Tm" % (line.left, line.baseline + down))
                    line.marks.append(None)
                glyphs = complete_glyphs(pieces[place], begun=place > 0)
                if not glyphs:
                    continue
                if not is_open:
                    line.marks[-1] = mark = mark if all(each is None for each in line.marks) else self._new_mark()
                    drawn.append(b"/%b <</MCID %d>> BDC" % (line.cell[1:3], mark))
                    is_open = True
                drawn.append(b"[" + (shift + b" " if shift else b"") + glyphs + b"] TJ")
                shift = b""

    def _new_mark(self) -> int:
        self.nums.append(b"")
        return len(self.nums) - 1

    # -- The tree of tags ------------------------------------------------------------------------------------------

    def _write(self, head: Any, rows: Any | None) -> None:
        """Write a table in place of the two runs."""
        card = resolve_reference(self.pdf, head["P"])
        table = pydyf.Dictionary({"Type": "/StructElem", "S": "/Table", "Pg": self.reference, "P": head["P"]})
        self.pdf.add_object(table)
        begin = card["K"].index(head.reference)
        if rows is None:
            rows = self._empty_rows()
        else:
            card["K"].remove(rows.reference)
        card["K"][begin] = table.reference
        table["K"] = pydyf.Array([head.reference, rows.reference])
        wide = 0
        for part, name in ((head, "/THead"), (rows, "/TBody")):
            part["S"], part["P"] = name, table.reference
            for row in self._rows_of(part, wide):
                row["S"] = "/TR"
                wide = self._write_cells(row, wide)

    def _rows_of(self, part: Any, columns: int) -> list[Any]:
        """Return the elements that become rows; a line with several rows gets new elements."""
        rows = self._kids(part)
        line = self.lines.get(rows[0]["K"][0]) if rows[0]["K"] else None
        if line is None or not columns:
            return rows
        for begin in range(columns, len(line.marks), columns):
            row = pydyf.Dictionary({"Type": "/StructElem", "Pg": self.reference, "P": part.reference})
            self.pdf.add_object(row)
            part["K"].append(row.reference)
            key = -1 - len(self.lines)
            row["K"] = pydyf.Array([key])
            self.lines[key] = replace(
                line,
                element=row,
                marks=line.marks[begin : begin + columns],
                baseline=line.baseline + begin // columns * self.row_high,
            )
            rows.append(row)
        del line.marks[columns:]
        return rows

    def _empty_rows(self) -> Any:
        rows = pydyf.Dictionary({"Type": "/StructElem", "Pg": self.reference})
        self.pdf.add_object(rows)
        row = pydyf.Dictionary({"Type": "/StructElem", "Pg": self.reference, "P": rows.reference, "K": pydyf.Array()})
        self.pdf.add_object(row)
        rows["K"] = pydyf.Array([row.reference])
        return rows

    def _write_cells(self, row: Any, wide: int) -> int:
        """Write the cells of a row, as many as there are headings; return their number."""
        line = self.lines.get(row["K"][0]) if row["K"] else None
        marks = line.marks if line else []
        cells = pydyf.Array()
        for place in range(max(wide, len(marks))):
            mark = marks[place] if place < len(marks) else None
            kind = _CELL if line is None else line.cell if place else line.first
            held = b"" if mark is None else b"/K %d" % mark
            cell = RawPdfObject(b"<</S%b/Pg %b/P %b%b>>" % (kind, self.reference, row.reference, held))
            self.pdf.add_object(cell)
            cells.append(cell.reference)
            if mark is not None:
                self.nums[mark] = cell.reference
        row["K"] = cells
        return len(cells)

    def _into_its_row(self, element: Any, baseline: float) -> None:
        """Move a name in small type into the cell of the row beside it."""
        card = resolve_reference(self.pdf, element["P"])
        tables = [each for each in self._kids(card) if each["S"] == "/Table"]
        rows = self._kids(self._kids(tables[0])[1])
        of_row = {id(line.element): line.baseline for line in self.lines.values()}
        row = min(rows, key=lambda each: abs(of_row[id(each)] - baseline))
        cell = resolve_reference(self.pdf, row["K"][_NAMES])
        before, _held, mark = cell.ready[:-2].partition(b"/K ")
        cell.ready = b"%b/K [%b %b]>>" % (before, mark, element.reference)
        card["K"].remove(element.reference)
        element["P"] = cell.reference


def text_position(item: object) -> tuple[bytes, bytes] | None:
    """Return the position of the next text from the left and from the top; None for other items."""
    found = _BASELINE.fullmatch(item) if isinstance(item, bytes) else None
    return (found[1], found[2]) if found else None


def complete_glyphs(piece: bytes, *, begun: bool) -> bytes:
    """Complete a piece of a line's texts and shifts; empty if it draws nothing.

    `begun`: the opening bracket of its first text was removed with the previous tab.
    """
    text = b"<" + piece if begun else piece
    if text.rfind(b"<") > text.rfind(b">"):
        text += b">"
    text = text.replace(b">0<", b"").replace(b"<>", b"")
    return text if b"<" in text else b""
