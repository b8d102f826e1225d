"""Reading fields into a player: the values each kind of field may have, and the messages for others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from clubs.models import FideTitle
from common.tabular.column_mapping import IGNORED_COLUMN
from common.tabular.column_names import SEX_LETTERS
from common.text.rating_text import MAX_RATING, parse_rating
from tournaments.entries.line_splitter import BIRTH_PATTERN, BORN_WORD, YEAR_PATTERN, LineField
from tournaments.entries.player_rows import PlayerRow, TextProblem

MAX_PROBLEMS_PER_LINE = 5
MAX_REMARK_LENGTH = 160
MAX_FIELDS = 20
"""After the name, without headings: there is no more to know of a player."""


def read_player_row(number: int, fields: Iterable[tuple[str, LineField]]) -> PlayerRow:
    """Build a player from the fields of a line, each with its kind. One must be the name.

    A field without a kind is a problem, and so is a second field of the same kind.
    """
    row = _RowUnderWay(line=number)
    fields = list(fields)
    for kind, item in sorted(fields, key=lambda each: each[0] != "name"):
        row.set_field(kind, item)
    if len(fields) > MAX_FIELDS + 2:
        row.add_problem(
            fields[MAX_FIELDS][1], _("This line has too many fields."), _("at most %(most)s") % {"most": MAX_FIELDS}
        )
    return row.build_player_row()


_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that change the text direction."""


def is_printable_name(text: str) -> bool:
    """Return True if the text has a letter and only printable characters."""
    return any(character.isalpha() for character in text) and not _HIDDEN.search(text)


_NO_NAME_HAS = "?/="


def _unsure_about(name: str) -> list[str]:
    """Return the reasons to check a name before it is entered."""
    said = [_("This name contains digits.")] if any(letter.isdigit() for letter in name) else []
    signs = [sign for sign in _NO_NAME_HAS if sign in name]
    return [*said, *(_("This name contains “%(sign)s”.") % {"sign": sign} for sign in signs)]


@dataclass(slots=True, kw_only=True)
class _RowUnderWay:
    """A row while its fields are read."""

    line: int
    column: int = 1
    cell: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    problems: list[TextProblem] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    warnings: list[TextProblem] = field(default_factory=list)

    def build_player_row(self) -> PlayerRow:
        values = {"name": "", **self.values}
        national, year = values.pop("rating_national", 0), values.pop("birth_year", "")
        values["rating"] = values.get("rating") or national
        values["birth"] = values.get("birth") or year
        unsure = _unsure_about(values["name"])
        for message in unsure:
            self.warnings.append(TextProblem(line=self.line, column=self.column, message=message, cell=self.cell))
        return PlayerRow(
            line=self.line,
            column=self.column,
            cell=self.cell,
            problems=tuple(self.problems),
            unread=tuple(self.unread),
            warnings=tuple(self.warnings),
            has_doubtful_name=bool(unsure),
            **values,
        )

    def set_field(self, kind: str, item: LineField) -> None:
        """Read a field according to its column's kind. An empty field counts as not given."""
        if kind == "name":
            self.set_name(item)
        elif not item.text or kind == IGNORED_COLUMN:
            return
        elif kind not in _SETTERS or (kind in self.values and kind not in _MORE_THAN_ONCE):
            self.add_problem(
                item,
                _("We couldn't read “%(text)s”.") % {"text": item.text[:40]},
                _("rating, title, federation in 3 capital letters, birth year after the rating, or FIDE ID"),
            )
        else:
            _SETTERS[kind](self, item)

    def set_name(self, item: LineField) -> None:
        self.column, self.cell = item.column, item.cell
        name = " ".join(item.text.split())
        if not any(character.isalpha() for character in name):
            self.add_problem(item, _("The name is missing."), _("family name, given name"))
        elif _HIDDEN.search(name):
            self.add_problem(item, _("This name contains a character that can't be printed."), _("letters"))
        elif len(name) > 160:
            self.add_problem(item, _("This name is too long."), _("at most 160 characters"))
        else:
            self.values["name"] = name

    def add_problem(self, item: LineField, message: str, expected: str) -> None:
        if len(self.problems) == MAX_PROBLEMS_PER_LINE:
            return
        self.unread.append(item.text)
        self.problems.append(
            TextProblem(line=self.line, column=item.column, message=message, expected=expected, cell=item.cell)
        )


def _set_rating(kind: str) -> Callable[[_RowUnderWay, LineField], None]:
    def set_rating_value(row: _RowUnderWay, item: LineField) -> None:
        try:
            row.values[kind] = parse_rating(item.text)
        except ValueError:
            row.add_problem(
                item,
                _("“%(text)s” isn't a rating.") % {"text": item.text[:40]},
                _("a whole number up to %(highest)s") % {"highest": MAX_RATING},
            )

    return set_rating_value


_OTHER_TITLES = frozenset({"AGM", "AIM", "AFM", "ACM", "NM", "NC", "WNM", "WNC", "MK", "KM"})
"""FIDE's online titles and national titles, which a starting list doesn't use."""
KNOWN_TITLES = frozenset({*FideTitle.values, *_OTHER_TITLES})


def _set_title(row: _RowUnderWay, item: LineField) -> None:
    title = item.text.upper()
    if title in FideTitle.values:
        row.values["title"] = title
    elif title in _OTHER_TITLES:
        message = _("“%(text)s” isn't used on starting lists, so we left it out.") % {"text": title}
        row.warnings.append(TextProblem(line=row.line, column=item.column, message=message, cell=item.cell))
    elif title not in ("-", "–"):
        row.add_problem(
            item, _("“%(text)s” isn't a FIDE title.") % {"text": item.text[:40]}, ", ".join(FideTitle.values)
        )


_THREE_LETTERS = re.compile(r"[A-Z]{3}")


def _set_federation(row: _RowUnderWay, item: LineField) -> None:
    if not _THREE_LETTERS.fullmatch(item.text.upper()):
        row.add_problem(
            item, _("“%(text)s” isn't a federation.") % {"text": item.text[:40]}, _("3 letters, such as POL")
        )
    else:
        row.values["federation"] = item.text.upper()


_NO_BIRTH = re.compile(r"[0./-]+")
_SHORT_YEAR = re.compile(r"(\d\d?[./-]\d\d?[./-])(\d\d)", re.ASCII)


def _set_birth(kind: str) -> Callable[[_RowUnderWay, LineField], None]:
    def set_birth_value(row: _RowUnderWay, item: LineField) -> None:
        text = item.text
        if _NO_BIRTH.fullmatch(text):
            return
        if match := _SHORT_YEAR.fullmatch(text):
            text = f"{match[1]}{'20' if int(match[2]) <= date.today().year % 100 else '19'}{match[2]}"
        birth = _as_in_reports(text) if BIRTH_PATTERN.fullmatch(text) or YEAR_PATTERN.fullmatch(text) else None
        if birth is None:
            row.add_problem(
                item, _("“%(text)s” isn't a birth date.") % {"text": item.text[:40]}, _("a year, or YYYY-MM-DD")
            )
        else:
            row.values[kind] = birth

    return set_birth_value


def _as_in_reports(text: str) -> str | None:
    """Return a year, or year/month/day as report files write it, or None if there is no such day.

    Some programs write a lone year with day and month 0.
    """
    parts = re.split(r"[./-]", BORN_WORD.sub("", text))
    if len(parts) == 1:
        return parts[0]
    year, month, day = parts if len(parts[0]) == 4 else reversed(parts)
    if int(month) == int(day) == 0:
        return year
    try:
        return f"{date(int(year), int(month), int(day)):%Y/%m/%d}"
    except ValueError:
        return None


def _set_fide_id(row: _RowUnderWay, item: LineField) -> None:
    if not item.text.isascii() or not item.text.isdigit() or len(item.text) > 10:
        row.add_problem(item, _("“%(text)s” isn't a FIDE ID.") % {"text": item.text[:40]}, _("digits only"))
    elif int(item.text):
        row.values["fide_id"] = item.text


def _set_national_id(row: _RowUnderWay, item: LineField) -> None:
    if item.text.strip("0-"):
        row.values["national_id"] = item.text[:20]


def _set_sex(row: _RowUnderWay, item: LineField) -> None:
    sex = SEX_LETTERS.get(item.text[:1].casefold())
    if sex is None:
        row.add_problem(item, _("We couldn't read “%(text)s”.") % {"text": item.text[:40]}, "w, m")
    else:
        row.values["sex"] = sex


def _set_club(row: _RowUnderWay, item: LineField) -> None:
    row.values["club_name"] = item.text[:120]


def _set_remark(row: _RowUnderWay, item: LineField) -> None:
    remark = "; ".join(filter(None, (row.values.get("remark"), item.text)))
    if len(remark) > MAX_REMARK_LENGTH:
        expected = _("at most %(most)s characters") % {"most": MAX_REMARK_LENGTH}
        row.add_problem(item, _("This remark is too long."), expected)
    else:
        row.values["remark"] = remark


def _set_given_name(row: _RowUnderWay, item: LineField) -> None:
    if "name" in row.values:
        row.values["name"] = f"{row.values['name']}, {item.text}"


_SETTERS: Mapping[str, Callable[[_RowUnderWay, LineField], None]] = {
    "given_name": _set_given_name,
    "rating": _set_rating("rating"),
    "rating_national": _set_rating("rating_national"),
    "title": _set_title,
    "federation": _set_federation,
    "birth": _set_birth("birth"),
    "birth_year": _set_birth("birth_year"),
    "fide_id": _set_fide_id,
    "national_id": _set_national_id,
    "sex": _set_sex,
    "club_name": _set_club,
    "remark": _set_remark,
}
_MORE_THAN_ONCE = ("given_name", "remark")
