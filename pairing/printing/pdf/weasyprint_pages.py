"""Changes the pages that WeasyPrint has laid out before it writes them: rows as text, and correct tags.

Why (measured with `python -m lab.paper`; docs/project/decisions/0005):

- A cell of a table takes WeasyPrint half a millisecond. Long lists are therefore laid out with each row as one run of
  text with tabs. Laid out cell by cell, 300 rows take 1.9 times the processor time. (Pairings and seats in large type
  wrap, and gain nothing.) Before the layout `merge_row_cells` joins the cells of every row whose texts fit on one line.
  The widest cells of every column stay, so that columns keep their widths and show how the others are set. After the
  layout, rows with a text wider than its column become cells again (`restore_row_cells`). In the drawing, every text
  moves to its cell's position and gets its own tag (`_split_merged_rows`).
- A start card has a hundred cells; as a table it takes ten times as long as lines of text with tabs. A card is an
  `article`. Its `div`s are runs of lines: headings of boxes, rows; headings of the foot, the foot. Each pair becomes a
  table in the tags, each line a row, and the text between two tabs a cell. The text is drawn as before, but marked in
  pieces. A `span` of the article is a name too long for its box; it belongs to the row beside it.
- WeasyPrint's tags have three faults, which screen readers notice: boxes of figures are in pixels from the top, text in
  page margins is tagged outside the tree, and links of a page drawn twice all belong to the last drawing.

All of this relies on what WeasyPrint does not promise: `Page._page_box`, and the operators it draws text with. So its
minor version is pinned, and tests/pairing/printing/pdf (`test_row_merging.py`, `test_tagged_pdf.py`) show what a new
one breaks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Any
from xml.etree.ElementTree import Element

import pydyf

from pairing.printing.pdf.text_fitting import Typeface, text_width

CELL_SEPARATOR = "\u2060\t"
"""Separates two cells of a line; the zero-width character is drawn as a shift of 0, which marks the tab."""

_TAB = re.compile(rb">0\.0<>(-[\d.e-]+)(?:<|$)")
_BASELINE = re.compile(rb"1 0 0 -1 (\S+) (\S+) Tm")


def _resolve(pdf: Any, reference: bytes) -> Any:
    """Return the object of a reference such as `12 0 R`."""
    return pdf.objects[int(reference.split()[0])]


def _elements_by_page(pdf: Any, tag: str) -> dict[bytes, list[Any]]:
    """Return the elements of a type in the tag tree, in order, by the reference of their page."""
    found: dict[bytes, list[Any]] = defaultdict(list)
    for element in pdf.objects:
        if isinstance(element, dict) and element.get("S") == tag:
            found[element["Pg"]].append(element)
    return found


def _marks(pdf: Any, element: Any) -> Iterator[int]:
    """Yield the marks of an element's content, in order."""
    for kid in element["K"]:
        if isinstance(kid, int):
            yield kid
        else:
            yield from _marks(pdf, _resolve(pdf, kid))


class _RawObject(pydyf.Object):
    """An element of the tag tree that is written unchanged."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.ready = data

    @property
    def data(self) -> bytes:
        return self.ready


class _TaggedPage:
    """The drawing and tags of a page: `nums` has the element of each mark of its content."""

    def __init__(self, pdf: Any, reference: bytes) -> None:
        self.pdf = pdf
        self.reference = reference
        page = _resolve(pdf, reference)
        self.content = _resolve(pdf, page["Contents"])
        tree = _resolve(pdf, _resolve(pdf, pdf.catalog["StructTreeRoot"])["ParentTree"])
        self.nums = tree["Nums"][2 * page["StructParents"] + 1]

    def redraw(self, redraw_text: Callable[[int, Iterator[Any], list[Any]], None], marks: Container[int]) -> None:
        """Draw the texts with these marks anew. `redraw_text` gets a mark, the items of its text and what is drawn."""
        drawn: list[Any] = []
        items = iter(self.content.stream)
        for item in items:
            drawn.append(item)
            if item == b"BDC" and (mark := drawn[-2]["MCID"]) in marks:
                del drawn[-3:]
                redraw_text(mark, takewhile(lambda each: each != b"EMC", items), drawn)
        self.content.stream = drawn

    def _element(self, tag: str = "", parent: bytes = b"", kids: Sequence[Any] = ()) -> Any:
        """Add an element to the tag tree."""
        names = {"S": tag, "P": parent} if tag else {"P": parent} if parent else {}
        element = pydyf.Dictionary({"Type": "/StructElem", "Pg": self.reference, **names, "K": pydyf.Array(kids)})
        self.pdf.add_object(element)
        return element


def _text_position(item: object) -> bytes | None:
    """Return the baseline of the next text, from the top, or None for other items."""
    found = _BASELINE.fullmatch(item) if isinstance(item, bytes) else None
    return found[2] if found else None


def _complete_glyphs(piece: bytes, *, begun: bool) -> bytes:
    """Complete a piece of a line's texts and shifts. Empty if it draws nothing.

    `begun`: the opening bracket of its first text was removed with the previous tab.
    """
    text = b"<" + piece if begun else piece
    if text.rfind(b"<") > text.rfind(b">"):
        text += b">"
    text = text.replace(b">0<", b"").replace(b"<>", b"")
    return text if b"<" in text else b""


# -- Rows of long lists, before the layout ---------------------------------------------------------------------------


MERGED_ROW_CSS = "td.run { max-width: 0; white-space: pre; tab-size: 1px; text-align: left }"
"""A run adds nothing to the width of its columns."""

MIN_ROWS_TO_MERGE = 24
"""The fewest rows of a table to merge."""

_BOLD = "board"
"""The class of cells in bold type (`css/print/lists.css`), which form a separate run."""
_KEPT_CELLS = {"boxed", "chart", "wrapped"}
"""Classes of tables with lines between columns or wrapped rows, which are not merged."""
_SAY_NOTHING = {"class", "scope", "data-long"}
"""Attributes that cells of a run may have."""
_WIDEST = 2
"""The number of widest cells kept in each column, as measured widths are not exact."""
_GAPS = re.compile(r"[ \t\r\n\f]+")

CellElements = Sequence[Element]


def merge_row_cells(root: Element) -> dict[Element, CellElements]:
    """Merge the cells in the rows of long tables, and return these rows with their original cells."""
    kept: dict[Element, CellElements] = {}
    for table in root.iter("table"):
        if _KEPT_CELLS.isdisjoint((table.get("class") or "").split()):
            for body in table.iter("tbody"):
                kept |= _together(list(body))
    return kept


def _together(rows: Sequence[Element]) -> dict[Element, CellElements]:
    if len(rows) < MIN_ROWS_TO_MERGE:
        return {}
    shapes = {row: tuple((cell.tag, cell.get("class") or "") for cell in row) for row in rows if _is_plain(row)}
    if not shapes:
        return {}
    shape = Counter(shapes.values()).most_common(1)[0][0]
    alike = [row for row in rows if shapes.get(row) == shape]
    bold = [_BOLD in classes.split() for _tag, classes in shape]
    stay = set(_widest(alike, bold))
    kept: dict[Element, CellElements] = {}
    for row in alike:
        if row not in stay:
            kept[row] = list(row)
            row[:] = [_run(kept[row], bold)]
    return kept


def _is_plain(row: Element) -> bool:
    """Return True if a row only has text, and no attributes that matter."""
    return not row.attrib and all(not len(cell) and not set(cell.attrib) - _SAY_NOTHING for cell in row)


def _widest(rows: Sequence[Element], bold: Sequence[bool]) -> Iterator[Element]:
    """Yield the rows with the widest texts of every column, and with its widest word."""
    for column, is_bold in enumerate(bold):
        face = _face(is_bold)
        texts = {_cell_text(row[column]): row for row in rows}
        wide = {round(text_width(text, face), 3): row for text, row in texts.items()}
        yield from (wide[each] for each in sorted(wide)[-_WIDEST:])
        words = {
            max((text_width(word, face) for word in text.split()), default=0.0): row for text, row in texts.items()
        }
        yield words[max(words)]


def _run(cells: CellElements, bold: Sequence[bool]) -> Element:
    """Return the texts of a row in one cell, those in bold type last."""
    run = Element("td", {"class": "run", "colspan": str(len(cells))})
    for is_bold in (False, True):
        texts = [_cell_text(cell) for cell, each in zip(cells, bold, strict=True) if each == is_bold]
        if is_bold and texts:
            strong = Element("b")
            strong.text = CELL_SEPARATOR.join(texts) or CELL_SEPARATOR
            run.append(strong)
        elif texts:
            run.text = CELL_SEPARATOR.join(texts) or CELL_SEPARATOR
    return run


def _cell_text(cell: Element) -> str:
    """Return the text of a cell as it is set."""
    return _GAPS.sub(" ", cell.text or "").strip(" ")


def _face(is_bold: bool) -> Typeface:
    return Typeface.TEXT_BOLD if is_bold else Typeface.TEXT


def restore_row_cells(rows: Sequence[Element], kept: dict[Element, CellElements]) -> None:
    """Restore the cells of merged rows."""
    for row in rows:
        row[:] = kept.pop(row)


# -- Rows of long lists, laid out ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """How WeasyPrint has set the cells of a column. Lengths are in pixels."""

    is_head: bool
    is_bold: bool
    size: float
    align: str
    before: float
    behind: float


def _columns(row: Any) -> list[_Column]:
    return [
        _Column(
            is_head=cell.element_tag == "th",
            is_bold=_BOLD in (cell.element.get("class") or "").split(),
            size=cell.style["font_size"],
            align=cell.style["text_align_all"],
            before=cell.border_left_width + cell.padding_left,
            behind=cell.border_right_width + cell.padding_right,
        )
        for cell in row.children
    ]


def _is_merged(row: Any) -> bool:
    return len(row.children) == 1 and row.children[0].element.get("class") == "run"


def _is_header(row: Any) -> bool:
    return all(cell.element_tag == "th" for cell in row.children)


_TableRow = tuple[Any, Any]
"""A row on a page, and its table."""


def _rows(box: Any) -> Iterator[_TableRow]:
    """Yield all rows of tables below a box, in order."""
    box = getattr(box, "_box", box)
    if hasattr(box, "column_positions"):
        yield from ((row, box) for group in box.children for row in group.children)
        return
    for child in getattr(box, "children", ()):
        yield from _rows(child)


def _rows_of_pages(pages: Sequence[Any]) -> tuple[list[list[_TableRow]], dict[Element, list[_Column]]]:
    """Return the rows of every page, and the columns of every table with runs, from a row with all its cells."""
    rows = [list(_rows(page._page_box)) for page in pages]
    models: dict[Element, list[_Column]] = {}
    wide = {table.element: row.children[0].colspan for page in rows for row, table in page if _is_merged(row)}
    for row, table in (each for page in rows for each in page):
        of = table.element
        if of in wide and of not in models and not _is_header(row) and len(row.children) == wide[of]:
            models[of] = _columns(row)
    return rows, models


def overflowing_rows(pages: Sequence[Any], kept: Mapping[Element, CellElements]) -> list[Element]:
    """Return rows with text too wide for its column."""
    rows, models = _rows_of_pages(pages)
    found = []
    for row, table in (each for page in rows for each in page if _is_merged(each[0])):
        places = zip(kept[row.element], models[table.element], table.column_widths, strict=True)
        if any(
            text_width(_cell_text(cell), _face(column.is_bold)) * column.size > wide - column.before - column.behind
            for cell, column, wide in places
        ):
            found.append(row.element)
    return found


# -- Rows of long lists, drawn ---------------------------------------------------------------------------------------


def _split_merged_rows(document: Any, pdf: Any) -> None:
    """Split the runs into their cells."""
    rows, models = _rows_of_pages(document.pages)
    if not models:
        return
    widths = {font.hash.encode(): font.widths for font in document.fonts.values()}
    tags = _elements_by_page(pdf, "/TR")
    for reference, of_page in zip(pdf.page_references, rows, strict=True):
        page = _MergedRowPage(pdf, reference, widths)
        heads: dict[int, list[bytes]] = {}
        for (row, table), element in zip(of_page, tags[reference], strict=True):
            if _is_merged(row):
                page.add_merged_row(element, table, models[table.element], heads.get(id(table), []))
            elif _is_header(row):
                heads[id(table)] = [_resolve(pdf, cell).get("ID").data for cell in element["K"]]
        page.draw_cells()


@dataclass(slots=True, kw_only=True)
class _Text:
    """A text of a run for its column: pieces of PDF, each with its font."""

    column: _Column
    left: float
    wide: float
    cell: _RawObject
    pieces: list[tuple[bytes, bytes]]


class _MergedRowPage(_TaggedPage):
    """A page with runs."""

    def __init__(self, pdf: Any, reference: bytes, widths: Mapping[bytes, Mapping[int, float]]) -> None:
        super().__init__(pdf, reference)
        self.widths = widths
        self.texts: dict[int, list[_Text]] = {}

    def add_merged_row(self, element: Any, table: Any, columns: Sequence[_Column], heads: Sequence[bytes]) -> None:
        """Prepare a row's text run for splitting by adding a tag for every cell to the row's tag."""
        marks = list(self._marks_of_run(element["K"][0]))
        row_head = b"(row-%d)" % element.number
        of_row = [row_head] if any(column.is_head for column in columns) else []
        texts = []
        for place, column in enumerate(columns):
            kind = (
                b"/TH/ID %b/A<</O/Table/Scope/Row>>" % row_head
                if column.is_head
                else b"/TD/A<</O/Table/Headers[%b]>>" % b" ".join((*of_row, *heads[place : place + 1]))
            )
            cell = _RawObject(b"<</Type/StructElem/S%b/Pg %b/P %b>>" % (kind, self.reference, element.reference))
            self.pdf.add_object(cell)
            left, wide = table.column_positions[place], table.column_widths[place]
            texts.append(_Text(column=column, left=left, wide=wide, cell=cell, pieces=[]))
        element["K"][:] = [text.cell.reference for text in texts]
        apart = [[text for text in texts if text.column.is_bold == is_bold] for is_bold in (False, True)]
        # A run that draws nothing still has a mark.
        for mark, some in zip(marks, [each for each in apart if each], strict=True):
            self.texts[mark] = some

    def _marks_of_run(self, reference: Any) -> Iterator[int]:
        """Yield the marks of a run and remove its own tags."""
        if isinstance(reference, int):
            yield reference
            return
        run = _resolve(self.pdf, reference)
        for kid in run["K"]:
            yield from self._marks_of_run(kid)
        nothing = _RawObject(b"null")
        nothing.number = run.number
        self.pdf.objects[run.number] = nothing

    def draw_cells(self) -> None:
        """Draw each cell's text in its column."""
        self.redraw(self._draw_apart, self.texts)

    def _draw_apart(self, mark: int, items: Iterator[Any], drawn: list[Any]) -> None:
        texts = self.texts[mark]
        self.nums[mark] = "null"
        place, font, baseline = 0, b"", b""
        for item in items:
            if item == b"ET":
                for text in texts:
                    mark = self._draw(text, baseline, mark, drawn)
                drawn.append(item)
            elif not isinstance(item, bytes):
                drawn.append(item)
            elif item.endswith(b" Tf"):
                font = item
            elif found := _text_position(item):
                baseline = found
            elif item.endswith(b"] TJ"):
                pieces = _TAB.split(item[1:-4])
                for number in range(0, len(pieces), 2):
                    place += number > 0
                    if glyphs := _complete_glyphs(pieces[number], begun=number > 0):
                        texts[place].pieces.append((font, glyphs))
            elif item.endswith(b" Ts"):
                texts[place].pieces.append((item, b""))
            else:
                drawn.append(item)

    def _draw(self, text: _Text, baseline: bytes, mark: int, drawn: list[Any]) -> int:
        """Draw a text under a mark, `mark` if it is unused, and return the mark used last."""
        if not text.pieces:
            return mark
        if self.nums[mark] != "null":
            mark = len(self.nums)
            self.nums.append(b"")
        self.nums[mark] = text.cell.reference
        text.cell.ready = text.cell.ready[:-2] + b"/K %d>>" % mark
        column, set_wide, shown = text.column, 0.0, []
        for font, glyphs in text.pieces:
            if not glyphs:
                shown.append(font)
                continue
            name = font[1:].split()[0]
            shown += [b"/%b %f Tf" % (name, column.size), b"[" + glyphs + b"] TJ"]
            set_wide += self._wide(glyphs, self.widths[name]) * column.size
        room = text.wide - column.before - column.behind - set_wide
        share = {"right": 1.0, "end": 1.0, "center": 0.5}.get(column.align, 0.0)
        x = text.left + column.before + room * share
        drawn += [b"/Span", b"<</MCID %d>>" % mark, b"BDC", b"1 0 0 -1 %f %b Tm" % (x, baseline), *shown, b"EMC"]
        return mark

    def _wide(self, glyphs: bytes, widths: Mapping[int, float]) -> float:
        """Return the width of glyphs with the shifts between them, in em."""
        wide = 0.0
        for drawn, shift in _DRAWN.findall(glyphs):
            if shift:
                wide -= float(shift)
            else:
                wide += sum(widths[int(drawn[at : at + 4], 16)] for at in range(0, len(drawn), 4))
        return wide / 1000


_DRAWN = re.compile(rb"<([0-9a-f]*)>|(-?[\d.]+(?:e-?\d+)?)")

# -- Cards -----------------------------------------------------------------------------------------------------------


_COLUMN, _ROW, _CELL = b"/TH/A<</O/Table/Scope/Column>>", b"/TH/A<</O/Table/Scope/Row>>", b"/TD"
_NAMES = 3
"""The cell of a row for a name in small type: after round, colour and number."""


@dataclass(slots=True, kw_only=True)
class _Line:
    """A line that becomes a row: the tag of its cells and of the first, and its marks."""

    element: Any
    cell: bytes
    first: bytes
    marks: list[int | None] = field(default_factory=list)


def _tag_card_tables(pdf: Any) -> None:
    """Tag the lines of all cards as tables."""
    for page, cards in _elements_by_page(pdf, "/Art").items():
        _CardPage(pdf, page).add_pdf_tags_to_cards(cards)


class _CardPage(_TaggedPage):
    """A page with cards."""

    def __init__(self, pdf: Any, reference: bytes) -> None:
        super().__init__(pdf, reference)
        self.lines: dict[int, _Line] = {}

    def _kids(self, element: Any) -> list[Any]:
        return [_resolve(self.pdf, kid) for kid in element["K"]]

    def add_pdf_tags_to_cards(self, cards: Sequence[Any]) -> None:
        tables = [table for card in cards for table in self._tables_of(card)]
        beside = [(each, self._marks_of(each)) for card in cards for each in self._kids(card) if each["S"] == "/Span"]
        baselines = self._baselines() if beside else {}
        self.redraw(self._draw_in_cells, self.lines)
        for head, rows in tables:
            self._write_table(head, rows)
        for element, marks in beside:
            self._into_its_row(element, sum(baselines[mark] for mark in marks) / len(marks), baselines)

    def _baselines(self) -> dict[int, float]:
        """Return the baseline of every text by its mark: for a text of several lines, that of the last."""
        baselines: dict[int, float] = {}
        mark = 0
        for before, item in pairwise(self.content.stream):
            if item == b"BDC":
                mark = before["MCID"]
            elif found := _text_position(item):
                baselines[mark] = float(found)
        return baselines

    def _tables_of(self, card: Any) -> Iterator[tuple[Any, Any | None]]:
        """Yield the runs of lines of a card in pairs, headings first. The foot may still be empty."""
        runs = [each for each in self._kids(card) if each["S"] == "/Div" and self._is_run(each)]
        for place in range(0, len(runs), 2):
            head, rows = runs[place], runs[place + 1] if place + 1 < len(runs) else None
            for line in self._kids(head):
                self.lines[line["K"][0]] = _Line(element=line, cell=_COLUMN, first=_COLUMN)
            for line in self._kids(rows) if rows else ():
                self.lines[line["K"][0]] = _Line(element=line, cell=_CELL, first=_CELL if place else _ROW)
            yield head, rows

    def _is_run(self, element: Any) -> bool:
        return bool(element["K"]) and all(kid["S"] == "/Span" for kid in self._kids(element))

    def _marks_of(self, element: Any) -> list[int]:
        return [kid["K"][0] for kid in self._kids(element)]

    def _draw_in_cells(self, mark: int, items: Iterator[Any], drawn: list[Any]) -> None:
        """Draw a line as before, with a mark for every cell. The shift of a tab goes to the next cell."""
        line = self.lines[mark]
        line.marks.append(None)
        is_open, shift = False, b""
        for item in items:
            if not (isinstance(item, bytes) and item.endswith(b"] TJ")):
                if item == b"ET" and is_open:
                    drawn.append(b"EMC")
                    is_open = False
                drawn.append(item)
                continue
            pieces = _TAB.split(item[1:-4])
            for place in range(0, len(pieces), 2):
                if place:
                    shift += pieces[place - 1] + b" "
                    if is_open:
                        drawn.append(b"EMC")
                        is_open = False
                    line.marks.append(None)
                glyphs = _complete_glyphs(pieces[place], begun=place > 0)
                if not glyphs:
                    continue
                if not is_open:
                    line.marks[-1] = mark = mark if all(each is None for each in line.marks) else self._new_mark()
                    drawn.append(b"/%b <</MCID %d>> BDC" % (line.cell[1:3], mark))
                    is_open = True
                drawn.append(b"[" + shift + glyphs + b"] TJ")
                shift = b""

    def _new_mark(self) -> int:
        self.nums.append(b"")
        return len(self.nums) - 1

    def _write_table(self, head: Any, rows: Any | None) -> None:
        """Write a table in place of the two runs."""
        card = _resolve(self.pdf, head["P"])
        table = self._element("/Table", head["P"])
        begin = card["K"].index(head.reference)
        if rows is None:
            rows = self._element()
            rows["K"].append(self._element(parent=rows.reference).reference)
        else:
            card["K"].remove(rows.reference)
        card["K"][begin] = table.reference
        table["K"] = pydyf.Array([head.reference, rows.reference])
        wide = 0
        for part, name in ((head, "/THead"), (rows, "/TBody")):
            part["S"], part["P"] = name, table.reference
            for row in self._kids(part):
                row["S"] = "/TR"
                wide = self._write_cells(row, wide)

    def _write_cells(self, row: Any, wide: int) -> int:
        """Write the cells of a row, as many as there are headings, and return their number."""
        line = self.lines.get(row["K"][0]) if row["K"] else None
        marks = line.marks if line else []
        cells = pydyf.Array()
        for place in range(max(wide, len(marks))):
            mark = marks[place] if place < len(marks) else None
            kind = _CELL if line is None else line.cell if place else line.first
            held = b"" if mark is None else b"/K %d" % mark
            cell = _RawObject(b"<</S%b/Pg %b/P %b%b>>" % (kind, self.reference, row.reference, held))
            self.pdf.add_object(cell)
            cells.append(cell.reference)
            if mark is not None:
                self.nums[mark] = cell.reference
        row["K"] = cells
        return len(cells)

    def _into_its_row(self, element: Any, baseline: float, baselines: Mapping[int, float]) -> None:
        """Move a name in small type into the cell of the row beside it."""
        card = _resolve(self.pdf, element["P"])
        tables = [each for each in self._kids(card) if each["S"] == "/Table"]
        rows = self._kids(self._kids(tables[0])[1])
        of_row = {id(line.element): baselines[mark] for mark, line in self.lines.items()}
        row = min(rows, key=lambda each: abs(of_row[id(each)] - baseline))
        cell = _resolve(self.pdf, row["K"][_NAMES])
        before, _held, mark = cell.ready[:-2].partition(b"/K ")
        cell.ready = b"%b/K [%b %b]>>" % (before, mark, element.reference)
        card["K"].remove(element.reference)
        element["P"] = cell.reference


# -- Tags ------------------------------------------------------------------------------------------------------------


_POINTS = 0.75
"""Points in a pixel. WeasyPrint measures down from the top in pixels, PDF up from the bottom in points."""


def repair_pdf_tags(document: Any, pdf: Any) -> None:
    """Correct the tags of figures, margins and links, and tag cards and long lists as tables.

    A `finisher` for WeasyPrint.
    """
    if "StructTreeRoot" in pdf.catalog:
        _put_figures_on_their_pages(pdf)
        _leave_margins_out(pdf)
        _tag_card_tables(pdf)
        _split_merged_rows(document, pdf)
        _give_links_their_elements(pdf)


def _put_figures_on_their_pages(pdf: Any) -> None:
    """Convert the boxes of figures to PDF coordinates."""
    for reference, figures in _elements_by_page(pdf, "/Figure").items():
        high = _resolve(pdf, reference)["MediaBox"][3]
        for box in (figure["A"]["BBox"] for figure in figures):
            left, top, right, bottom = (length * _POINTS for length in box)
            box[:] = (left, high - bottom, right, high - top)


def _leave_margins_out(pdf: Any) -> None:
    """Mark the content of page margins as artifacts: WeasyPrint's elements for it are outside the tag tree."""
    document = _resolve(pdf, _resolve(pdf, pdf.catalog["StructTreeRoot"])["K"][0])
    in_the_tree = set(document["K"])
    marks_by_page: dict[bytes, list[int]] = defaultdict(list)
    for each in pdf.objects:
        if (
            isinstance(each, pydyf.Dictionary)
            and each.get("P") == document.reference
            and each.reference not in in_the_tree
        ):
            marks_by_page[each["Pg"]] += _marks(pdf, each)
    for reference, marks in marks_by_page.items():
        page = _TaggedPage(pdf, reference)
        page.redraw(lambda _mark, items, drawn: drawn.extend(["/Artifact", b"BMC", *items, b"EMC"]), marks)
        for mark in marks:
            page.nums[mark] = "null"


def _give_links_their_elements(pdf: Any) -> None:
    """Connect every link of a page to its element: for a page drawn twice WeasyPrint only knows the last one's."""
    nums = _resolve(pdf, _resolve(pdf, pdf.catalog["StructTreeRoot"])["ParentTree"])["Nums"]
    del nums[2 * len(pdf.page_references) :]
    elements = _elements_by_page(pdf, "/Link")
    for reference in pdf.page_references:
        links = _resolve(pdf, reference).get("Annots", ())
        for link, element in zip(links, elements[reference], strict=True):
            _resolve(pdf, element["K"][0])["Obj"] = link
            _resolve(pdf, link)["StructParent"] = len(nums) // 2
            nums.extend((len(nums) // 2, element.reference))
