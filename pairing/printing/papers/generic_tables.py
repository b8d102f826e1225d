"""Printouts that are plain tables or sections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from clubs.models import Club
from pairing.printing.papers.rounds import list_head_height, list_row_space
from pairing.printing.pdf.paper_templates import FILED, WALL, HasNames, PrintOptions, render_paper
from pairing.printing.pdf.text_fitting import (
    CELL_PADDING,
    MM_PER_POINT,
    ColumnCells,
    Typeface,
    choose_single_line_columns,
    fit_rows_to_sheets,
    mm_to_ems,
    wrap_text,
    wraps_too_many_rows,
)
from pairing.printing.pdf.weasyprint_rendering import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class ListColumn:
    """A column with its heading in the printout's language. `is_figure` aligns right.

    Cells of a column with `is_row_header` are the headings of their rows. A lazy heading is also shown in the second
    language.
    """

    heading: str | Promise
    is_figure: bool = False
    is_bold: bool = False
    is_small: bool = False
    is_unbroken: bool = False
    is_row_header: bool = False

    @property
    def css_class(self) -> str:
        marks = {"figure": self.is_figure, "board": self.is_bold, "soft": self.is_small, "unbroken": self.is_unbroken}
        return " ".join(mark for mark, holds in marks.items() if holds)


def table_paper(
    heading: str | Promise,
    columns: Sequence[ListColumn],
    rows: Iterable[Sequence[object]],
    of: HasNames | Club,
    wishes: PrintOptions,
    *,
    lead: str = "",
    remark: str = "",
    total: Sequence[object] = (),
    groups: Sequence[int] = (),
    is_landscape: bool = False,
    can_be_landscape: bool = False,
    is_wall_list: bool = False,
) -> Paper:
    """Return a table under a heading, as a printout.

    Cells are text as printed. A table that is too wide gets smaller type; with `can_be_landscape` it may also be
    landscape. A wall list gets the largest type that fits. `groups` are the rows (from 0) that start a group; there are
    no rules within a group.
    """
    columns, rows = without_empty_columns(columns, [*rows, *([total] if total else [])])
    if is_wall_list:
        setting = _Setting(columns=columns)
        below = legend_height([remark], wishes) + _GROUP_GAP * len(groups)
        head = list_head_height(heading, of, wishes, lead)
        wall: tuple[str, ...] = ("wall", fit_wall_table(columns, rows, wishes, head=head, below=below))
    else:
        ways = (True,) if is_landscape else (False, True) if can_be_landscape else (False,)
        setting, wall = _set(columns, rows, wishes, ways=ways), ()
    lines = [tuple(zip(setting.columns, row, strict=True)) for row in rows]
    context = {
        "lead": lead,
        "remark": remark,
        "columns": setting.columns,
        "rows": lines[:-1] if total else lines,
        "total": lines[-1] if total else (),
        "groups": groups,
        "table_class": f"{setting.css_class} grouped".strip() if groups else setting.css_class,
    }
    return render_paper("table", heading, of, wishes, "lists", *wall, is_sideways=setting.is_sideways, context=context)


_GROUP_GAP = 0.8
"""The extra height of a row that starts a group, in millimetres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """The setting of a table: columns (those of one line marked), type in points, orientation."""

    columns: Sequence[ListColumn]
    points: int = 10
    is_sideways: bool = False

    @property
    def css_class(self) -> str:
        return "" if self.points == _FULL else f"c{self.points}"


_FULL, _SIZES = 10, (10, 9, 8)


def _set(
    columns: Sequence[ListColumn], rows: Sequence[Sequence[object]], wishes: PrintOptions, *, ways: Sequence[bool]
) -> _Setting:
    """Return the largest type that fits, portrait if possible, without wrapping too many rows."""
    texts = [replace(column, relative_size=1.0, padding=CELL_PADDING) for column in _measured(columns, rows, wishes)]
    found: list[_Setting] = []
    for is_sideways in ways:
        room = FILED.width(wishes, is_sideways=is_sideways)
        for points in _SIZES:
            if (whole := choose_single_line_columns(texts, room, points)) is not None:
                marked = [replace(column, is_unbroken=each) for column, each in zip(columns, whole, strict=True)]
                found.append(_Setting(columns=marked, points=points, is_sideways=is_sideways))
                if not wraps_too_many_rows(texts, whole, points, len(rows)):
                    return found[-1]
    return found[0] if found else _Setting(columns=columns, points=_SIZES[-1], is_sideways=ways[-1])


def _measured(
    columns: Sequence[ListColumn], rows: Sequence[Sequence[object]], wishes: PrintOptions
) -> list[ColumnCells]:
    return [
        ColumnCells(
            heads=(str(column.heading), wishes.in_second_language(partial(str, column.heading))),
            texts=[str(row[place]) for row in rows],
            typeface=Typeface.TEXT_BOLD if column.is_bold else Typeface.TEXT,
            relative_size=0.8 if column.is_small else 1.0,
            can_wrap=not (column.is_figure or column.is_unbroken),
        )
        for place, column in enumerate(columns)
    ]


MAX_UNSPLIT_ROWS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSection:
    """A section of a printout with its own heading: text, a table, lines to write on, or a picture.

    `empty_text` replaces a table without rows. `blanks` are the labels of lines to write on. `picture` is an image
    address, `picture_alt` its text alternative.
    """

    heading: str
    lead: str = ""
    columns: Sequence[ListColumn] = ()
    rows: Sequence[Sequence[object]] = ()
    total: Sequence[object] = ()
    """The last row of the table, set apart."""
    css_class: str = ""
    """`grid`: number columns of one width, aligned with those of other tables; `facts`: subject and text."""
    empty_text: str = ""
    remark: str = ""
    """Text below the table."""
    meanings: Sequence[tuple[str, str]] = ()
    """The meanings of its columns, by heading."""
    blanks: Sequence[str] = ()
    picture: str = ""
    picture_alt: str = ""
    begins_page: bool = False
    is_kept_with_previous: bool = False
    """Starts on the page where the previous section ends."""

    @property
    def is_never_split(self) -> bool:
        """Return True if the table is short enough never to be split across pages."""
        return len(self.rows) <= MAX_UNSPLIT_ROWS

    def fit_to_page(self, wishes: PrintOptions) -> PaperSection:
        """Return the section without empty columns, and with single-line columns marked."""
        columns, rows = without_empty_columns(self.columns, [*self.rows, *([self.total] if self.total else [])])
        setting = _set(columns, rows, wishes, ways=(False,)) if rows else _Setting(columns=columns)
        return replace(
            self,
            columns=setting.columns,
            rows=rows[:-1] if self.total else rows,
            total=rows[-1] if self.total else (),
            css_class=f"{self.css_class} {setting.css_class}".strip(),
        )

    @property
    def cells_by_row(self) -> list[tuple[tuple[ListColumn, object], ...]]:
        """The cells in each row with their columns."""
        return [tuple(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def total_cells(self) -> tuple[tuple[ListColumn, object], ...]:
        """The cells in the total row with their columns."""
        return tuple(zip(self.columns, self.total, strict=True)) if self.total else ()


def multi_section_paper(
    heading: str,
    sections: Sequence[PaperSection],
    of: HasNames | Club,
    wishes: PrintOptions,
    *,
    lead: str = "",
    remark: str = "",
) -> Paper:
    """Return a printout with several sections."""
    context = {"lead": lead, "remark": remark, "sections": [each.fit_to_page(wishes) for each in sections]}
    css = ("lists", "blank_forms", "sections")
    return render_paper("sections", heading, of, wishes, *css, body_class="list sections", context=context)


def facts_section(heading: str, rows: Sequence[tuple[str, str]]) -> PaperSection:
    """Return a section with a subject and a text in each row."""
    columns = (ListColumn(heading=_("What"), is_row_header=True), ListColumn(heading=_("Details"), is_bold=True))
    return PaperSection(heading=heading, columns=columns, rows=rows, css_class="facts")


_NOTHING = ("", "–", None)


def without_empty_columns(
    columns: Sequence[ListColumn], rows: Sequence[Sequence[object]]
) -> tuple[list[ListColumn], list[tuple[object, ...]]]:
    """Remove columns that are empty in all rows. Keep all if there are no rows."""
    kept = [place for place in range(len(columns)) if not rows or any(row[place] not in _NOTHING for row in rows)]
    return [columns[place] for place in kept], [tuple(row[place] for place in kept) for row in rows]


def fit_wall_table(
    columns: Sequence[ListColumn],
    rows: Sequence[Sequence[object]],
    wishes: PrintOptions,
    *,
    head: float,
    below: float = 0.0,
) -> str:
    """Return the CSS of a wall list's table: the largest type that needs no more sheets than usual.

    `head` and `below` are the heights in millimetres of what is above and below the table.
    """
    cells = _measured(columns, rows, wishes)
    css = fit_rows_to_sheets(cells, list_row_space(wishes, head, below=below), points=wishes.points).css_rules
    # Tie-break headings such as "BH/C1" must not be broken before names are.
    is_short = not any(" " in each for column in cells for each in column.heads)
    return f"{css} thead .figure {{ white-space: nowrap }}" if is_short else css


def legend_height(texts: Iterable[str], wishes: PrintOptions) -> float:
    """Return the height of a legend below a wall list, in millimetres."""
    room = mm_to_ems(WALL.width(wishes), 8)
    lines = sum(len(wrap_text(text, room, Typeface.TEXT_BOLD)) for text in texts if text)
    return 3 + lines * 8 * 1.3 * MM_PER_POINT
