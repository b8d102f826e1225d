"""Fast typesetting of long tables: each row is one run of text, and separate cells in the PDF.

WeasyPrint takes half a millisecond for each cell. In long tables `merge_row_cells` therefore turns rows whose texts fit
on one line each into a single cell, with tabs between the texts. The widest cells of every column stay, so that columns
keep their widths and show how the others are set. After the layout, rows with a text wider than its column become cells
again (`restore_row_cells`). In the drawing, every text is moved to its cell's position and gets its own tag
(`split_merged_rows`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from pairing.printing.pdf.card_tables import CELL_SEPARATOR, TAB_PATTERN, RawPdfObject, complete_glyphs, text_position
from pairing.printing.pdf.pdf_objects import resolve_reference
from pairing.printing.pdf.text_widths import Typeface, text_width

MERGED_ROW_CSS = "td.run { max-width: 0; white-space: pre; tab-size: 1px; text-align: left }"
"""A run adds nothing to the width of its columns."""

MIN_ROWS_TO_MERGE = 24
"""The fewest rows of a table to merge."""

_BOLD = "board"
"""The class of cells in bold type (`css/print/lists.css`), which form a separate run."""
_KEPT_CELLS = {"boxed", "chart"}
"""Classes of tables with lines between columns, which are not merged."""
_SAY_NOTHING = {"class", "scope", "data-long"}
"""Attributes that cells of a run may have."""
_WIDEST = 2
"""The number of widest cells kept in each column, as measured widths are not exact."""
_GAPS = re.compile(r"[ \t\r\n\f]+")

CellElements = Sequence[Element]


def merge_row_cells(root: Element) -> dict[Element, CellElements]:
    """Merge the cells of long tables' rows; return those rows with their original cells."""
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
        texts = {cell_text(row[column]): row for row in rows}
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
        texts = [cell_text(cell) for cell, each in zip(cells, bold, strict=True) if each == is_bold]
        if is_bold and texts:
            strong = Element("b")
            strong.text = CELL_SEPARATOR.join(texts) or CELL_SEPARATOR
            run.append(strong)
        elif texts:
            run.text = CELL_SEPARATOR.join(texts) or CELL_SEPARATOR
    return run


def cell_text(cell: Element) -> str:
    """Return the text of a cell as it is set."""
    return _GAPS.sub(" ", cell.text or "").strip(" ")


def _face(is_bold: bool) -> Typeface:
    return Typeface.TEXT_BOLD if is_bold else Typeface.TEXT


def restore_row_cells(rows: Sequence[Element], kept: dict[Element, CellElements]) -> None:
    """Restore the cells of merged rows."""
    for row in rows:
        row[:] = kept.pop(row)


# -- What was laid out ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """How WeasyPrint has set the cells of a column; lengths are in pixels."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A row of a table on a page, with its table."""

    row: Any
    table: Any

    @property
    def is_merged_row(self) -> bool:
        cells = self.row.children
        return len(cells) == 1 and cells[0].element.get("class") == "run"

    @property
    def is_header_row(self) -> bool:
        return all(cell.element_tag == "th" for cell in self.row.children)


def _rows(box: Any) -> Iterator[_Row]:
    """Yield all rows of tables below a box, in order."""
    box = getattr(box, "_box", box)
    if hasattr(box, "column_positions"):
        for group in box.children:
            for row in group.children:
                yield _Row(row=row, table=box)
        return
    for child in getattr(box, "children", ()):
        yield from _rows(child)


def _rows_of_pages(pages: Sequence[Any]) -> tuple[list[list[_Row]], dict[Element, list[_Column]]]:
    """Return the rows of every page, and the columns of every table with runs, from a row with all its cells."""
    rows = [list(_rows(page._page_box)) for page in pages]
    models: dict[Element, list[_Column]] = {}
    wide = {each.table.element: each.row.children[0].colspan for page in rows for each in page if each.is_merged_row}
    for page in rows:
        for each in page:
            of = each.table.element
            if of in wide and of not in models and not each.is_header_row and len(each.row.children) == wide[of]:
                models[of] = _columns(each.row)
    return rows, models


def overflowing_rows(pages: Sequence[Any], kept: Mapping[Element, CellElements]) -> list[Element]:
    """Return the rows with a text too wide for its column; if there are any, also those that nearly are.

    If there are many, return all: columns may change when all their widest texts are cells.
    """
    wrong = _wider(pages, kept, share=1.0)
    if len(wrong) > _MANY * len(kept):
        return list(kept)
    return _wider(pages, kept, share=_NEARLY) if wrong else []


_NEARLY, _MANY = 0.97, 0.4


def _wider(pages: Sequence[Any], kept: Mapping[Element, CellElements], *, share: float) -> list[Element]:
    """Return the rows with a text wider than this share of its column."""
    rows, models = _rows_of_pages(pages)
    found = []
    for each in (each for page in rows for each in page if each.is_merged_row):
        columns = models[each.table.element]
        places = zip(kept[each.row.element], columns, each.table.column_widths, strict=True)
        if any(
            text_width(cell_text(cell), _face(column.is_bold)) * column.size
            > share * (wide - column.before - column.behind)
            for cell, column, wide in places
        ):
            found.append(each.row.element)
    return found


# -- What is drawn --------------------------------------------------------------------------------------------------


def split_merged_rows(document: Any, pdf: Any) -> None:
    """Split the runs of a WeasyPrint PDF into their cells; call it before the PDF is written."""
    rows, models = _rows_of_pages(document.pages)
    if not models:
        return
    widths = {font.hash.encode(): font.widths for font in document.fonts.values()}
    tags: dict[bytes, list[Any]] = defaultdict(list)
    for element in pdf.objects:
        if isinstance(element, dict) and element.get("S") == "/TR":
            tags[element["Pg"]].append(element)
    for reference, of_page in zip(pdf.page_references, rows, strict=True):
        page = _Page(pdf, reference, widths)
        heads: dict[int, list[bytes]] = {}
        for each, element in zip(of_page, tags[reference], strict=True):
            if each.is_merged_row:
                page.add_merged_row(element, each.table, models[each.table.element], heads.get(id(each.table), []))
            elif each.is_header_row:
                heads[id(each.table)] = [resolve_reference(pdf, cell).get("ID").data for cell in element["K"]]
        page.draw_cells()


@dataclass(slots=True, kw_only=True)
class _Text:
    """A text of a run for its column: pieces of PDF, each with its font."""

    column: _Column
    left: float
    wide: float
    cell: RawPdfObject
    pieces: list[tuple[bytes, bytes]]


class _Page:
    """A page with runs."""

    def __init__(self, pdf: Any, reference: bytes, widths: Mapping[bytes, Mapping[int, float]]) -> None:
        self.pdf = pdf
        self.reference = reference
        self.widths = widths
        page = resolve_reference(pdf, reference)
        self.content = resolve_reference(pdf, page["Contents"])
        tree = resolve_reference(pdf, resolve_reference(pdf, pdf.catalog["StructTreeRoot"])["ParentTree"])
        self.nums = tree["Nums"][2 * page["StructParents"] + 1]
        self.texts: dict[int, list[_Text]] = {}

    def add_merged_row(self, element: Any, table: Any, columns: Sequence[_Column], heads: Sequence[bytes]) -> None:
        """Prepare a run for splitting: the tag of its row gets a tag for every cell."""
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
            cell = RawPdfObject(b"<</Type/StructElem/S%b/Pg %b/P %b>>" % (kind, self.reference, element.reference))
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
        run = resolve_reference(self.pdf, reference)
        for kid in run["K"]:
            yield from self._marks_of_run(kid)
        nothing = RawPdfObject(b"null")
        nothing.number = run.number
        self.pdf.objects[run.number] = nothing

    def draw_cells(self) -> None:
        """Draw the texts in their columns."""
        drawn: list[Any] = []
        items = iter(self.content.stream)
        for item in items:
            drawn.append(item)
            if item == b"BDC" and drawn[-2]["MCID"] in self.texts:
                mark = drawn[-2]["MCID"]
                del drawn[-3:]
                self._draw_apart(mark, items, drawn)
        self.content.stream = drawn

    def _draw_apart(self, mark: int, items: Iterator[Any], drawn: list[Any]) -> None:
        texts = self.texts[mark]
        self.nums[mark] = "null"
        place, font, baseline = 0, b"", b""
        for item in items:
            if item == b"EMC":
                break
            if item == b"ET":
                for text in texts:
                    mark = self._draw(text, baseline, mark, drawn)
                drawn.append(item)
            elif not isinstance(item, bytes):
                drawn.append(item)
            elif item.endswith(b" Tf"):
                font = item
            elif found := text_position(item):
                baseline = found[1]
            elif item.endswith(b"] TJ"):
                pieces = TAB_PATTERN.split(item[1:-4])
                for number in range(0, len(pieces), 2):
                    place += number > 0
                    if glyphs := complete_glyphs(pieces[number], begun=number > 0):
                        texts[place].pieces.append((font, glyphs))
            elif item.endswith(b" Ts"):
                texts[place].pieces.append((item, b""))
            else:
                drawn.append(item)

    def _draw(self, text: _Text, baseline: bytes, mark: int, drawn: list[Any]) -> int:
        """Draw a text under a mark, `mark` if it is unused; return the mark used last."""
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
