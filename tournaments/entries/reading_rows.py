"""Reading lines of text as players: fields by their order, by their look, or by the names of a table's columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from clubs.files.column_names import SEX_LETTERS, columns_named
from clubs.files.spreadsheets import column_letters
from clubs.files.text_tables import TableRow
from clubs.models import Title
from clubs.writing.ratings_written import read_rating
from tournaments.entries.player_rows import PlayerRow, TextProblem

HIGHEST_RATING = 3500
FAULTS_TOLD_OF_A_LINE = 5
MOST_FIELDS = 20
"""Behind the name, where no headings say what they are: nothing more is known of a player."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a line; `column` is where its text begins, from 1, or the number of the `cell` that is named then."""

    text: str
    column: int
    cell: str = ""


def split_line(line: str, separator: str) -> list[Field]:
    """The fields of a line, trimmed. A field in double quotes may hold the separator; "" in it is one quote.

    Raises ValueError with the column of a quote that is never closed.
    """
    fields, start = [], 0
    while True:
        begin = _past_blanks(line, start)
        if line[begin : begin + 1] == '"':
            end = _closing_quote(line, begin)
            stop = line.find(separator, end)
            stop = len(line) if stop < 0 else stop
            text = line[begin + 1 : end].replace('""', '"') + line[end + 1 : stop]
        else:
            stop = line.find(separator, start)
            stop = len(line) if stop < 0 else stop
            text = line[start:stop]
        fields.append(Field(text.strip(), min(begin, stop) + 1))
        if stop == len(line):
            return fields
        start = stop + len(separator)


def _past_blanks(line: str, position: int) -> int:
    while line[position : position + 1] == " ":
        position += 1
    return position


def _closing_quote(line: str, opening: int) -> int:
    position = opening + 1
    while True:
        position = line.find('"', position)
        if position < 0:
            raise ValueError(opening + 1)
        if line[position + 1 : position + 2] != '"':
            return position
        position += 2


_NUMBERING = re.compile(r"\s*\d+[.)]\s+")


def read_pasted_line(number: int, line: str) -> PlayerRow:
    """A player from a line of a pasted list (see `entering.preview_pasted_list`)."""
    numbering = _NUMBERING.match(line)
    offset = numbering.end() if numbering else 0
    separator = next((mark for mark in "\t;" if mark in line), ",")
    try:
        fields = split_line(line[offset:], separator)
    except ValueError as error:
        problem = TextProblem(
            line=number,
            column=int(str(error)) + offset,
            message=_("A quotation mark is not closed."),
            expected=_("a second quotation mark"),
        )
        return PlayerRow(line=number, name="", column=problem.column, problems=(problem,))
    return read_free_fields(number, [Field(item.text, item.column + offset) for item in fields])


def read_free_fields(number: int, fields: Sequence[Field]) -> PlayerRow:
    """A player from fields of which the first is the name and the others are known by their look."""
    row = _RowUnderWay(line=number)
    row.set_name(fields[0])
    rest = list(fields[1:])
    if rest and "," not in fields[0].text and _is_given_name(rest[0].text):
        row.values["name"] = f"{fields[0].text}, {rest.pop(0).text}"
    for item in rest[:MOST_FIELDS]:
        row.set_by_look(item)
    if len(rest) > MOST_FIELDS:
        row.refuse(
            rest[MOST_FIELDS], _("This line has too many fields."), _("at most %(most)s") % {"most": MOST_FIELDS}
        )
    return row.finished()


_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of what stands behind them."""

_LOOKS_LIKE_NAME = re.compile(r"[^\W\d_][^\d;]*")


def _is_given_name(text: str) -> bool:
    return bool(_LOOKS_LIKE_NAME.fullmatch(text)) and _kind_by_look(text) is None


_RATING = re.compile(r"[0-9]{1,4}")
_FIDE_ID = re.compile(r"[0-9]{5,11}")
_BIRTH = re.compile(r"\*\s*(?:19|20)\d\d|(?:19|20)\d\d[./-]\d\d?[./-]\d\d?|\d\d?[./-]\d\d?[./-](?:19|20)\d\d", re.ASCII)
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
_FEDERATION = re.compile(r"[A-Z]{3}")


def _kind_by_look(text: str) -> str | None:
    if _RATING.fullmatch(text):
        return "rating"
    if _FIDE_ID.fullmatch(text):
        return "fide_id"
    if text.upper() in Title.values:
        return "title"
    if _FEDERATION.fullmatch(text):
        return "federation"
    if _BIRTH.fullmatch(text):
        return "birth"
    if text.casefold() in SEX_LETTERS:
        return "sex"
    return None


@dataclass(slots=True, kw_only=True)
class _RowUnderWay:
    """A row while its fields are read, one after the other."""

    line: int
    column: int = 1
    cell: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    problems: list[TextProblem] = field(default_factory=list)

    def finished(self) -> PlayerRow:
        values = {"name": "", **self.values}
        return PlayerRow(line=self.line, column=self.column, cell=self.cell, problems=tuple(self.problems), **values)

    def set_name(self, item: Field) -> None:
        self.column, self.cell = item.column, item.cell
        name = " ".join(item.text.split())
        if not any(character.isalpha() for character in name):
            self.refuse(item, _("A name is missing here."), _("family name, given name"))
        elif _HIDDEN.search(name):
            self.refuse(item, _("This name has a character that does not print."), _("letters"))
        elif len(name) > 160:
            self.refuse(item, _("This name is too long."), _("at most 160 characters"))
        else:
            self.values["name"] = name

    def set_by_look(self, item: Field) -> None:
        kind = _kind_by_look(item.text)
        if kind == "rating" and "rating" in self.values and _YEAR.fullmatch(item.text):
            kind = "birth"
        if kind is None or kind in self.values:
            if item.text:
                self.refuse(
                    item,
                    _("“%(text)s” is not understood.") % {"text": item.text[:40]},
                    _("rating, title, federation in three capital letters, birth year after the rating, or FIDE ID"),
                )
            return
        self.set(kind, item)

    def set(self, kind: str, item: Field) -> None:
        """Read a field as what its column says; an empty one is not given."""
        if item.text or kind == "name":
            _SETTERS[kind](self, item)

    def refuse(self, item: Field, message: str, expected: str) -> None:
        if len(self.problems) == FAULTS_TOLD_OF_A_LINE:
            return
        self.problems.append(
            TextProblem(line=self.line, column=item.column, message=message, expected=expected, cell=item.cell)
        )


def _set_rating(row: _RowUnderWay, item: Field) -> None:
    try:
        row.values["rating"] = read_rating(item.text)
    except ValueError:
        row.refuse(
            item,
            _("“%(text)s” is no rating.") % {"text": item.text[:40]},
            _("a whole number up to %(highest)s") % {"highest": HIGHEST_RATING},
        )


def _set_title(row: _RowUnderWay, item: Field) -> None:
    title = item.text.upper()
    if title in Title.values:
        row.values["title"] = title
    elif title not in ("-", "–"):
        row.refuse(item, _("“%(text)s” is no FIDE title.") % {"text": item.text[:40]}, ", ".join(Title.values))


def _set_federation(row: _RowUnderWay, item: Field) -> None:
    if not _FEDERATION.fullmatch(item.text.upper()):
        row.refuse(item, _("“%(text)s” is no federation.") % {"text": item.text[:40]}, _("three letters, such as POL"))
    else:
        row.values["federation"] = item.text.upper()


def _set_birth(row: _RowUnderWay, item: Field) -> None:
    birth = _as_in_reports(item.text) if _BIRTH.fullmatch(item.text) or _YEAR.fullmatch(item.text) else None
    if birth is None:
        row.refuse(item, _("“%(text)s” is no birth date.") % {"text": item.text[:40]}, _("a year, or YYYY-MM-DD"))
    else:
        row.values["birth"] = birth


def _as_in_reports(text: str) -> str | None:
    """A year, or year/month/day, as report files write it; None for a day that no calendar has."""
    parts = re.split(r"[./-]", text.lstrip("* "))
    if len(parts) == 1:
        return parts[0]
    year, month, day = parts if len(parts[0]) == 4 else reversed(parts)
    try:
        return f"{date(int(year), int(month), int(day)):%Y/%m/%d}"
    except ValueError:
        return None


def _set_fide_id(row: _RowUnderWay, item: Field) -> None:
    if not item.text.isascii() or not item.text.isdigit() or len(item.text) > 10:
        row.refuse(item, _("“%(text)s” is no FIDE ID.") % {"text": item.text[:40]}, _("digits only"))
    elif int(item.text):
        row.values["fide_id"] = item.text


def _set_sex(row: _RowUnderWay, item: Field) -> None:
    sex = SEX_LETTERS.get(item.text[:1].casefold())
    if sex is None:
        row.refuse(item, _("“%(text)s” is not understood.") % {"text": item.text[:40]}, "w, m")
    else:
        row.values["sex"] = sex


def _set_club(row: _RowUnderWay, item: Field) -> None:
    row.values["club_name"] = item.text[:120]


def _set_given_name(row: _RowUnderWay, item: Field) -> None:
    if "name" in row.values:
        row.values["name"] = f"{row.values['name']}, {item.text}"


_SETTERS: Mapping[str, Callable[[_RowUnderWay, Field], None]] = {
    "name": _RowUnderWay.set_name,
    "given_name": _set_given_name,
    "rating": _set_rating,
    "title": _set_title,
    "federation": _set_federation,
    "birth": _set_birth,
    "fide_id": _set_fide_id,
    "sex": _set_sex,
    "club_name": _set_club,
}

_KINDS = ("name", "given_name", "rating", "title", "federation", "sex", "birth", "fide_id", "club_name")


def columns_of(headings: Iterable[str]) -> dict[int, str] | None:
    """What each column of a table holds, by its place from 0, when its first line names the columns; else None.

    Names in English, Polish, Czech, Bulgarian and German, whatever their case and punctuation. A column of another name
    is passed over. A name column must be among them.
    """
    kinds = columns_named(headings, _KINDS)
    return kinds if "name" in kinds.values() else None


def read_table_row(line: TableRow, columns: Mapping[int, str], headings: Sequence[str]) -> PlayerRow:
    """A player from a line of a table whose first line named the columns."""
    row = _RowUnderWay(line=line.line)
    by_kind = {
        kind: Field(
            line.cells[place] if place < len(line.cells) else "",
            place + 1,
            f"{column_letters(place + 1)} ({headings[place]})",
        )
        for place, kind in columns.items()
    }
    row.set("name", by_kind.pop("name"))
    for kind, item in by_kind.items():
        row.set(kind, item)
    return row.finished()


def read_free_row(line: TableRow) -> PlayerRow:
    """A player from a line of a table without headings."""
    fields = [Field(text, place, column_letters(place)) for place, text in enumerate(line.cells, start=1)]
    return read_free_fields(line.line, fields)
