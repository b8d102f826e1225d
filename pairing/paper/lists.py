"""Lists that are a plain table: of the club, and of an event what needs nothing more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from pairing.typesetting.making import Wishes, part_of
from pairing.typesetting.pdfs import Paper


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
    is_sideways: bool = False,
) -> Paper:
    """A table under a heading; to be called with the paper's language active. Cells are text as it is printed."""
    columns, rows = _without_empty(columns, list(rows))
    context = {
        **_head(heading, club, event, lead, remark),
        "second_heading": second_heading,
        "columns": columns,
        "rows": [tuple(zip(columns, row, strict=True)) for row in rows],
        "body_class": "list",
    }
    page = wishes.sideways if is_sideways else wishes.upright
    return Paper(parts=(part_of("table", context, wishes, "lists", page),))


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
    nobody: str = ""
    remark: str = ""
    """Stands below the table."""
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

    @property
    def filled(self) -> tuple[list[Column], list[tuple[tuple[Column, object], ...]]]:
        """The columns in which somebody has something, and for each row its cells with them."""
        columns, rows = _without_empty(self.columns, self.rows)
        return columns, [tuple(zip(columns, row, strict=True)) for row in rows]


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
        "sections": sections,
        "body_class": "list sections",
    }
    return Paper(parts=(part_of("sections", context, wishes, "lists", "forms", "sections", wishes.upright),))


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
