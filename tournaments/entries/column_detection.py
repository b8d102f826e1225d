"""Column detection for player lists: by headings, by the look of the fields, or as the user chose."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.tabular.column_mapping import (
    IGNORED_COLUMN,
    ImportColumn,
    choose_columns,
    duplicate_kind_problem,
    example_cells,
    find_heading_line,
    unknown_columns_warning,
)
from common.tabular.column_names import column_kind_of_heading, columns_by_heading, is_heading_line
from common.tabular.parsed_table import ParsedTable, spreadsheet_column_letters
from common.tabular.spreadsheets import MAX_COLUMNS
from common.tabular.text_tables import TableRow
from common.text.rating_text import remove_rating_mark
from tournaments.entries.field_values import KNOWN_TITLES, MAX_FIELDS, read_player_row
from tournaments.entries.line_splitter import (
    DASHES,
    YEAR_PATTERN,
    LineField,
    ListLine,
    guess_field_kind,
    move_name_first,
    split_off_remarks,
    strip_remark_brackets,
)
from tournaments.entries.player_rows import PlayerRow, TextProblem

COLUMN_KINDS: Mapping[str, str | Promise] = {
    "name": gettext_lazy("name or family name"),
    "given_name": gettext_lazy("given name"),
    "rating": gettext_lazy("rating"),
    "rating_national": gettext_lazy("national rating (used if there's no other rating)"),
    "title": gettext_lazy("title"),
    "federation": gettext_lazy("federation"),
    "fide_id": gettext_lazy("FIDE ID"),
    "national_id": gettext_lazy("national ID"),
    "birth": gettext_lazy("birth date or year"),
    "birth_year": gettext_lazy("birth year (used if there's no date)"),
    "sex": gettext_lazy("sex"),
    "club_name": gettext_lazy("club"),
    "remark": gettext_lazy("remark"),
}
"""The kinds of column a player list can have."""

NAME_KINDS = ("name", "given_name")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedList:
    """A parsed player list: its columns, its players and its problems.

    `passed_over` are the numbers of the lines that hold no player, above the headings or below the players. The list
    can't be entered while a column is undecided or `problems` isn't empty. `format` and `encoding` are those detected
    in the file.
    """

    columns: tuple[ImportColumn, ...] = ()
    rows: tuple[PlayerRow, ...] = ()
    problems: tuple[TextProblem, ...] = ()
    passed_over: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()
    format: str = ""
    encoding: str = ""


def parse_player_list(lines: Sequence[ListLine], column_kinds: Mapping[str, str]) -> ParsedList:
    """Read a player list. `column_kinds` has the kinds the user chose, by column key."""
    column_kinds = {key: kind for key, kind in column_kinds.items() if kind in COLUMN_KINDS or kind == IGNORED_COLUMN}
    lines = [line if len(line.fields) <= MAX_COLUMNS else _too_wide(line) for line in lines]
    cells = [TableRow(line=n, cells=tuple(field.text for field in line.fields)) for n, line in enumerate(lines)]
    place = find_heading_line(cells, _has_headings)
    found = _by_look(lines, column_kinds) if place is None else _by_headings(lines, cells, place, column_kinds)
    problems = list(found.problems)
    # Without headings, two columns may look the same. A line that fills both is refused on its own.
    if place is not None and (message := duplicate_kind_problem(found.columns, COLUMN_KINDS)):
        problems.append(TextProblem(line=0, column=0, message=message))
    problems += [
        TextProblem(
            line=0, column=0, message=_("Choose what the column “%(name)s” contains.") % {"name": column.heading}
        )
        for column in found.columns
        if column.is_undecided and column.heading
    ]
    return replace(found, problems=tuple(problems))


def _too_wide(line: ListLine) -> ListLine:
    """Return the line refused, because the page shows a choice for every column."""
    problem = TextProblem(
        line=line.number,
        column=line.fields[MAX_COLUMNS].column,
        message=_("This line has too many fields."),
        expected=_("at most %(most)s") % {"most": MAX_COLUMNS},
    )
    return ListLine(number=line.number, fields=(), problem=problem)


def list_lines_from_table(table: ParsedTable) -> list[ListLine]:
    """Return the lines in a file, each field with the letter of its column."""
    return [
        ListLine(
            number=row.line,
            fields=tuple(
                LineField(text, place, spreadsheet_column_letters(place))
                for place, text in enumerate(row.cells, start=1)
            ),
        )
        for row in table.lines
    ]


# -- With headings -------------------------------------------------------------------------------------------------


def _has_headings(row: TableRow) -> bool:
    """Return True if a name column is named, and another one unless it is the first line."""
    kinds = columns_by_heading(row.cells, COLUMN_KINDS).values()
    return "name" in kinds and (len(kinds) > 1 or row.line == 0)


def _by_headings(lines: Sequence[ListLine], cells: Sequence[TableRow], at: int, said: Mapping[str, str]) -> ParsedList:
    below = lines[at + 1 :]
    width = max(len(line.fields) for line in lines[at:])
    headings = [cells[at].cell(place) for place in range(width)]
    columns = choose_columns(headings, cells[at + 1 :], said, COLUMN_KINDS, _guess)
    kinds = {n: column.kind for n, column in enumerate(columns)}
    passed_over = [line.number for line in lines[:at]]
    rows, problems = [], []
    for line in below:
        if line.problem is not None:
            rows.append(PlayerRow(line=line.number, name="", column=line.problem.column, problems=(line.problem,)))
        elif _is_footer(line, kinds):
            passed_over.append(line.number)
        else:
            rows.append(read_player_row(line.number, _fields_of(line, kinds, headings)))
    shown = [column for column in columns if column.heading or column.examples]
    if not any(column.kind == "name" for column in columns):
        problems.append(TextProblem(line=0, column=0, message=_("Choose the column with the names.")))
    return ParsedList(
        columns=tuple(shown),
        rows=tuple(rows),
        problems=tuple(problems),
        passed_over=tuple(passed_over),
        doubts=_doubts(shown),
    )


def _guess(heading: str, texts: Sequence[str], taken: Collection[str]) -> str:
    """Guess a column's kind by its look. The user is asked about a column that may hold the only ratings."""
    if not heading and (kind := _kind_of_look(texts, taken)):
        return kind
    is_unknown = column_kind_of_heading(heading) not in ("number", "place")
    return (
        "" if is_unknown and {"rating", "rating_national"}.isdisjoint(taken) and _are_ratings(texts) else IGNORED_COLUMN
    )


def _kind_of_look(texts: Sequence[str], taken: Collection[str]) -> str:
    """Guess the kind of a column without a heading, such as the title column in lists from chess-results."""
    filled = [text for text in texts if text]
    looks = {"title" if text.upper() in KNOWN_TITLES else guess_field_kind(text) for text in filled}
    kind = (
        {"title": "title", "federation": "federation", "id": "fide_id"}.get(looks.pop() or "", "")
        if len(looks) == 1
        else ""
    )
    return "" if kind in taken else kind


_LIKE_A_RATING = re.compile(r"(?:[5-9]\d\d|[12]\d\d\d)", re.ASCII)


def _are_ratings(texts: Sequence[str]) -> bool:
    """Return True if most texts look like ratings and not all like years: too many to leave out silently."""
    filled = [text for text in texts if text]
    like = [text for text in filled if _LIKE_A_RATING.fullmatch(remove_rating_mark(text))]
    return len(like) * 2 > len(filled) and not all(YEAR_PATTERN.fullmatch(text) for text in like)


def _is_footer(line: ListLine, kinds: Mapping[int, str]) -> bool:
    """Return True if only one cell is filled, not the name, in a table of three or more columns."""
    filled = [n for n, field in enumerate(line.fields) if field.text]
    return len(kinds) > 2 and len(filled) == 1 and kinds[filled[0]] != "name"


def _fields_of(line: ListLine, kinds: Mapping[int, str], headings: Sequence[str]) -> list[tuple[str, LineField]]:
    fields = []
    for n, kind in kinds.items():
        field = line.fields[n] if n < len(line.fields) else LineField("", n + 1, spreadsheet_column_letters(n + 1))
        if field.cell and headings[n]:
            field = replace(field, cell=f"{field.cell} ({headings[n]})")
        if kind in NAME_KINDS:
            field, remarks = split_off_remarks(field)
            fields += [("remark", strip_remark_brackets(remark)) for remark in remarks]
        if kind not in ("", IGNORED_COLUMN):
            fields.append((kind, field))
    return fields


# -- Without headings ----------------------------------------------------------------------------------------------

_GUESSED = {
    "name": "name",
    "given_name": "given_name",
    "number-1": "rating",
    "number-2": "birth",
    "id-1": "fide_id",
    "title-1": "title",
    "federation-1": "federation",
    "birth-1": "birth",
    "sex-1": "sex",
    **{f"remark-{n}": "remark" for n in range(1, MAX_FIELDS)},
    **{f"{look}-{n}": IGNORED_COLUMN for look in ("email", "label") for n in range(1, MAX_FIELDS)},
}
"""The kind of the first, second, ... field of each look. Nothing else is guessed."""
_GIVEN_NAME = re.compile(r"[^\W\d_][^\d;]*")


def _by_look(lines: Sequence[ListLine], said: Mapping[str, str]) -> ParsedList:
    """Read a list without headings: the name first, the other fields by their look."""
    above = [line.number for line in lines[:1] if _is_said_above(line, lines[1:])]
    lines = lines[len(above) :]
    named = [line.number for line in lines[:1] if is_heading_line(" ".join(field.text for field in line.fields))]
    lines = lines[len(named) :]
    parted = [(line, [] if line.problem else _slots(move_name_first(line.fields))) for line in lines]
    texts: dict[str, list[str]] = defaultdict(list)
    for _line, slots in parted:
        for key, field in slots:
            texts[key].append(field.text)
    kinds = {key: said.get(key, guess) for key, guess in _guesses(texts).items()}
    rows = []
    for line, slots in parted:
        if line.problem is not None:
            rows.append(PlayerRow(line=line.number, name="", column=line.problem.column, problems=(line.problem,)))
        else:
            rows.append(read_player_row(line.number, [(kinds[key], field) for key, field in slots]))
    columns = tuple(ImportColumn(key=key, kind=kinds[key], examples=example_cells(texts[key])) for key in texts)
    return ParsedList(columns=columns, rows=tuple(rows), passed_over=(*above, *named), doubts=_doubts(columns))


def _is_said_above(line: ListLine, below: Sequence[ListLine]) -> bool:
    """Return True if the line is a caption such as `Tonight's list:`.

    It ends with a colon and has no rating, and not every line below ends with a colon.
    """
    words = [word.strip("():") for field in line.fields for word in field.text.split()]
    ratings = [word for word in words if _LIKE_A_RATING.fullmatch(word) and not YEAR_PATTERN.fullmatch(word)]
    return _ends_with_colon(line) and not ratings and not all(_ends_with_colon(each) for each in below)


def _ends_with_colon(line: ListLine) -> bool:
    return bool(line.fields) and line.fields[-1].text.endswith(":")


def _slots(fields: Sequence[LineField]) -> list[tuple[str, LineField]]:
    """Return the fields, each with a key of its look and its count in the line, such as `number-2`."""
    slots = [("name", fields[0])]
    rest = list(fields[1:])
    if rest and "," not in fields[0].text and _is_given_name(rest[0].text):
        slots.append(("given_name", rest.pop(0)))
    counts: dict[str, int] = defaultdict(int)
    shown = [field for field in rest[: MAX_FIELDS + 2] if field.text]
    has_rating = any(
        _LIKE_A_RATING.fullmatch(remove_rating_mark(each.text)) and not YEAR_PATTERN.fullmatch(each.text)
        for each in shown
    )
    for field in shown:
        if field.text in DASHES and has_rating:
            continue  # The dash is for something else, since the rating is given.
        is_remark = field.text.startswith("(")
        look = "remark" if is_remark else guess_field_kind(field.text) or "text"
        counts[look] += 1
        slots.append((f"{look}-{counts[look]}", strip_remark_brackets(field) if is_remark else field))
    return slots


def _is_given_name(text: str) -> bool:
    return bool(_GIVEN_NAME.fullmatch(text)) and guess_field_kind(text) is None


def _guesses(texts: Mapping[str, Sequence[str]]) -> dict[str, str]:
    guesses = {key: _GUESSED.get(key, "") for key in texts}
    first, second = texts.get("number-1", ()), texts.get("number-2", ())
    if (
        second
        and all(YEAR_PATTERN.fullmatch(text) for text in first)
        and not all(YEAR_PATTERN.fullmatch(text) for text in second)
    ):
        guesses |= {"number-1": "birth", "number-2": "rating"}
    return guesses


def _doubts(columns: Sequence[ImportColumn]) -> tuple[str, ...]:
    """Return warnings to read before the list is entered."""
    said = [warning] if (warning := unknown_columns_warning(columns)) else []
    if not any(column.kind in ("rating", "rating_national") for column in columns):
        said.append(_("No column has ratings. New players will be entered without one."))
    if any(column.key.startswith("email") and column.kind == IGNORED_COLUMN for column in columns):
        said.append(_("We left out the email addresses, because events don't store them."))
    return tuple(said)
