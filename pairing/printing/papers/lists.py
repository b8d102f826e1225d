"""Lists that are a plain table: of the club, and of an event what needs nothing more."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from pairing.printing.papers.rounds import head_high, room_of_list, twice
from pairing.printing.pdf.columns import Texts, breaks_often, in_one_line, longest
from pairing.printing.pdf.fitting import MM_OF_POINT, Cells, ems, in_lines, set_rows
from pairing.printing.pdf.making import Wishes, part_of
from pairing.printing.pdf.pdfs import Paper
from pairing.printing.pdf.widths import Face
from pairing.view_models.sheets.tables import StandingsSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column by its heading, in the paper's language; figures stand to the right, what is bold decides.

    A cell that `is_head` says what its row is of. A lazy heading stands in the second language as well.
    """

    heading: str | Promise
    is_figure: bool = False
    is_bold: bool = False
    is_small: bool = False
    is_unbroken: bool = False
    is_head: bool = False

    @property
    def css(self) -> str:
        marks = {"figure": self.is_figure, "board": self.is_bold, "soft": self.is_small, "unbroken": self.is_unbroken}
        return " ".join(mark for mark, holds in marks.items() if holds)


def list_paper(
    heading: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[object]],
    wishes: Wishes,
    *,
    club: str,
    event: str = "",
    lead: str = "",
    remark: str = "",
    second_heading: str = "",
    total: Sequence[object] = (),
    groups: Container[int] = (),
    is_sideways: bool = False,
    may_turn: bool = False,
) -> Paper:
    """A table under a heading; to be called with the paper's language active. Cells are text as it is printed.

    A table that is too wide has smaller type, and one that `may_turn` lies sideways where that is not enough. `groups`
    are the rows, from 0, with which groups begin: those of one stand together, without rules between them.
    """
    columns, rows = _without_empty(columns, [*rows, *([total] if total else [])])
    setting = _set(columns, rows, wishes, ways=(True,) if is_sideways else (False, True) if may_turn else (False,))
    lines = [tuple(zip(setting.columns, row, strict=True)) for row in rows]
    context = {
        **_head(heading, club, event, lead, remark),
        "second_heading": second_heading,
        "columns": setting.columns,
        "rows": lines[:-1] if total else lines,
        "total": lines[-1] if total else (),
        "groups": groups,
        "table_class": f"{setting.css} grouped".strip() if groups else setting.css,
        "body_class": "list",
    }
    page = wishes.sideways if setting.is_sideways else wishes.upright
    return Paper(parts=(part_of("pairing/printing/papers/table.html", context, wishes, "lists", page),))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """How a table stands: its columns, those of one line marked so, in how many points on which paper."""

    columns: Sequence[Column]
    points: int = 10
    is_sideways: bool = False

    @property
    def css(self) -> str:
        return "" if self.points == _FULL else f"c{self.points}"


_FULL, _SIZES = 10, (10, 9, 8)
_MARGINS = 30.0
"""Millimetres beside a table."""


def _set(
    columns: Sequence[Column], rows: Sequence[Sequence[object]], wishes: Wishes, *, ways: Sequence[bool]
) -> _Setting:
    """The largest type in which a table fits, better upright, and better none of its many rows in two lines."""
    texts = [
        Texts(
            heads=(str(column.heading), wishes.in_second(partial(str, column.heading))),
            cells=longest([str(row[place]) for row in rows]),
            is_bold=column.is_bold,
            is_whole=column.is_figure or column.is_unbroken,
        )
        for place, column in enumerate(columns)
    ]
    found: list[_Setting] = []
    for is_sideways in ways:
        room = wishes.size.millimetres[0 if not is_sideways else 1] - _MARGINS
        for points in _SIZES:
            if (whole := in_one_line(texts, room, points)) is not None:
                marked = [replace(column, is_unbroken=each) for column, each in zip(columns, whole, strict=True)]
                found.append(_Setting(columns=marked, points=points, is_sideways=is_sideways))
                if not breaks_often(texts, whole, points, len(rows)):
                    return found[-1]
    return found[0] if found else _Setting(columns=columns, points=_SIZES[-1], is_sideways=ways[-1])


MOST_TOGETHER = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a paper under a heading of its own: a few words, a table, lines to write on, a picture.

    `nobody` stands in place of a table without rows; `blanks` are what is to be written, each with room for it.
    `picture` is the address of one, `picture_says` the same in words.
    """

    heading: str
    lead: str = ""
    columns: Sequence[Column] = ()
    rows: Sequence[Sequence[object]] = ()
    total: Sequence[object] = ()
    """The last row of the table, set apart."""
    css: str = ""
    """`grid`: figures stand in columns of one width, under those of the other tables; `facts`: what, and how."""
    nobody: str = ""
    remark: str = ""
    """Stands below the table."""
    meanings: Sequence[tuple[str, str]] = ()
    """What its columns are, by their headings."""
    blanks: Sequence[str] = ()
    picture: str = ""
    picture_says: str = ""
    begins_page: bool = False
    stays_with_last: bool = False
    """It stands on the same page as the end of the part before."""

    @property
    def is_short(self) -> bool:
        """A table that is not torn: so few lines find room on the next page."""
        return len(self.rows) <= MOST_TOGETHER

    def settled(self, wishes: Wishes) -> Section:
        """The same with the columns alone in which somebody has something, and those of one line marked so."""
        columns, rows = _without_empty(self.columns, [*self.rows, *([self.total] if self.total else [])])
        setting = _set(columns, rows, wishes, ways=(False,)) if rows else _Setting(columns=columns)
        return replace(
            self,
            columns=setting.columns,
            rows=rows[:-1] if self.total else rows,
            total=rows[-1] if self.total else (),
            css=f"{self.css} {setting.css}".strip(),
        )

    @property
    def lines(self) -> list[tuple[tuple[Column, object], ...]]:
        """The cells of each row with their columns."""
        return [tuple(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def last_line(self) -> tuple[tuple[Column, object], ...]:
        """The cells of the total with their columns."""
        return tuple(zip(self.columns, self.total, strict=True)) if self.total else ()


def sections_paper(
    heading: str,
    sections: Sequence[Section],
    wishes: Wishes,
    *,
    club: str,
    event: str = "",
    lead: str = "",
    remark: str = "",
) -> Paper:
    """A paper of several parts; to be called with the paper's language active."""
    context = {
        **_head(heading, club, event, lead, remark),
        "sections": [each.settled(wishes) for each in sections],
        "body_class": "list sections",
    }
    return Paper(
        parts=(
            part_of(
                "pairing/printing/papers/sections.html", context, wishes, "lists", "forms", "sections", wishes.upright
            ),
        )
    )


def _head(heading: str, club: str, event: str, lead: str, remark: str) -> dict[str, object]:
    """What stands round the table or the parts."""
    return {
        "heading": heading,
        "title": f"{heading}, {event or club}",
        "club": club,
        "event": event,
        "lead": lead,
        "remark": remark,
    }


_NOTHING = ("", "–", None)


def _without_empty(
    columns: Sequence[Column], rows: Sequence[Sequence[object]]
) -> tuple[list[Column], list[tuple[object, ...]]]:
    """The columns in which somebody has something, and the rows with those alone; all of them for a list of nobody."""
    kept = [place for place in range(len(columns)) if not rows or any(row[place] not in _NOTHING for row in rows)]
    return [columns[place] for place in kept], [tuple(row[place] for place in kept) for row in rows]


def standing_rows(sheet: StandingsSheet, context: Mapping[str, Any], wishes: Wishes) -> str:
    """The style of the rows of a table."""
    lines = sheet.lines
    names = [f"{each.player.title} {each.player.name}" for each in lines]
    columns = [
        Cells(heads=twice("Place", wishes), texts=[str(each.place) for each in lines], face=Face.TEXT_BOLD),
        Cells(heads=twice("No.", wishes), texts=[str(each.player.tpn or "") for each in lines], share=0.8),
        Cells(
            heads=twice("Name", wishes),
            texts=[
                f"{name} ({_('withdrawn')})" if each.has_withdrawn else name
                for name, each in zip(names, lines, strict=True)
            ],
            breaks=True,
        ),
    ]
    if context["with_rating"]:
        columns.append(Cells(heads=twice("Rating", wishes), texts=["8888"] * len(lines)))
    if context["with_federation"]:
        columns.append(Cells(heads=twice("Fed.", wishes), texts=[each.federation for each in lines]))
    values = zip(*(values for _line, values in context["lines"]), strict=True)
    second = wishes.in_second(lambda: "\n".join(str(each.heading) for each in sheet.columns)).split("\n")
    for place, (column, texts) in enumerate(zip(sheet.columns, values, strict=False)):
        heads = (str(column.heading), *second[place : place + 1])
        columns.append(Cells(heads=heads, texts=texts, face=Face.TEXT if place else Face.TEXT_BOLD))
    if context["with_place_among_all"]:
        columns.append(Cells(heads=twice("Among all", wishes), texts=["888"] * len(lines), share=0.8))

    def column_meanings() -> str:
        return " ".join(f"{each.heading}: {each.meaning}." for each in sheet.columns)

    wide = ems(wishes.size.millimetres[0] - 30, 8)
    told = sum(
        len(in_lines(text, wide, Face.TEXT_BOLD))
        for text in (column_meanings(), wishes.in_second(column_meanings))
        if text
    )
    below = 3 + told * 8 * 1.3 * MM_OF_POINT
    css = set_rows(columns, room_of_list(wishes, head_high(context, wishes, ""), below=below)).css
    # "BH/C1" breaks no sooner than a name.
    is_short = not any(" " in head for column in columns for head in column.heads)
    return f"{css} thead .figure {{ white-space: nowrap }}" if is_short else css
