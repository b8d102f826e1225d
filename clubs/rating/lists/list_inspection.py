"""A list looked through before anything of it is written: whose month it is, and what is wrong with it."""

from __future__ import annotations

import re
import time
import zipfile
from dataclasses import dataclass
from datetime import date
from itertools import islice

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import RatingListImport, RatingRegister
from clubs.rating.lists.list_files import OpenableFile, open_list_file, read_list_players
from clubs.rating.lists.list_import import is_older_than_current_list
from clubs.rating.lists.national_lists import detect_list_format
from clubs.rating.lists.player_lines import ListedPlayerLine, ListLineProblem, NotARatingList, UnusableListLine
from common.tabular.column_names import columns_by_heading
from common.tabular.text_conversion import is_converted_text
from common.tabular.text_tables import (
    SAMPLE_LINES,
    detect_encoding,
    detect_separator,
    parse_table_rows,
    split_text_lines,
)
from common.text.months import add_months

MAX_LINES_INSPECTED, MAX_INSPECTION_SECONDS = 120_000, 6.0
"""How far is looked: all of a national list, the beginning of FIDE's."""
MAX_UNUSABLE_SHARE = 0.5
"""With a larger share of lines without a player, the file is read the wrong way."""
MAX_EXAMPLES = 3
SAMPLE_BYTES = 64 * 1024

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED = re.compile(rf"(?<![a-z])({'|'.join(_MONTHS)})[-_ ]?(?:20)?(\d\d)(?!\d)", re.IGNORECASE)
_FIGURES = re.compile(r"(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d)")
_SPOILT = re.compile("\ufffd|[\x80-\x9f]|[ÃÅÄ][\x80-\xbf¡-¿„…‚™š]|[¦¬¶±]")
"""Letters that were read in another encoding than they were written in."""


MAX_HEADING_LINE = 20
"""So far down headings may stand."""

_KINDS = {
    "national_id": "number",
    "number": "number",
    "fide_id": "number",
    "name": "name",
    "given_name": "given_name",
    "federation": "federation",
    "sex": "sex",
    "title": "title",
    "birth": "birth_year",
    "rating_national": "standard",
    "rating": "standard",
}
"""What tables of people call what a list has; of several columns for one thing the first named here is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFault:
    """Something wrong with a list, with examples from it."""

    message: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListInspection:
    """What was found: the month that the file says, faults for which it is refused, and those to be asked about."""

    month: date | None
    refusals: tuple[ListFault, ...] = ()
    doubts: tuple[ListFault, ...] = ()
    is_older: bool = False


def has_column_description(register: RatingRegister) -> bool:
    """Whether it is known in which columns of its list at least ID and name stand; FIDE's is always."""
    return register.club_id is None or {"number", "name"} <= register.columns.keys()


def detect_list_columns(source: OpenableFile) -> dict[str, object]:
    """Columns by the headings of a file; empty where ID, name and a rating are not all named."""
    with open_list_file(source) as (file, _size):
        sample = file.read(SAMPLE_BYTES)
    if is_converted_text(sample):
        return {}
    sample = sample[: sample.rfind(b"\n") + 1] or sample
    for above in range(1, MAX_HEADING_LINE + 1):
        read = detect_list_format({"separator": "", "encoding": "", "headings": above}, sample)
        text = sample.decode(str(read["encoding"]), errors="replace")
        lines = text.splitlines(keepends=True)[above - 1 : above]
        cells = next((row.cells for row in parse_table_rows(split_text_lines(lines), str(read["separator"]))), ())
        found = {kind: place for place, kind in columns_by_heading(cells, _KINDS).items()}
        columns: dict[str, object] = {}
        for kind, name in _KINDS.items():
            if kind in found:
                columns.setdefault(name, cells[found[kind]])
        if {"number", "name", "standard"} <= columns.keys():
            return {**columns, "separator": "", "encoding": "", "headings": above}
    return {}


def inspect_list(
    register: RatingRegister,
    source: OpenableFile,
    filename: str,
    *,
    kind: str,
    month: date | None,
    is_sure: bool = False,
) -> ListInspection:
    """Look through a file as it would be imported.

    `month` is the one that somebody said; the file's own goes first, and where they differ it is asked about, unless
    somebody `is_sure` of his.
    """
    witnesses = [*months_named_in_file(filename, source), *([month] if month else [])]
    said = month if is_sure else next(iter(witnesses), None)
    if said is not None and is_future_month(said):
        return ListInspection(month=said, refusals=(_of_a_month_to_come(said),))
    listed = RatingListImport(register=register, kind=kind, month=said)
    players: list[ListedPlayerLine] = []
    bad: list[UnusableListLine] = []
    begun = time.monotonic()
    try:
        with open_list_file(source) as (file, _size):
            for line in islice(read_list_players(listed, file), MAX_LINES_INSPECTED):
                (players if isinstance(line, ListedPlayerLine) else bad).append(line)  # type: ignore[arg-type]
                if time.monotonic() - begun > MAX_INSPECTION_SECONDS:
                    break
    except NotARatingList as other:
        place = {"line": other.line, "expected": other.expected}
        return ListInspection(
            month=said, refusals=(ListFault(message=_("Line %(line)s: here should stand %(expected)s.") % place),)
        )
    return ListInspection(
        month=said,
        refusals=tuple(_refused(register, source, players, bad)),
        doubts=(*([] if is_sure else _different_months(witnesses)), *_doubts(players, bad)),
        is_older=is_older_than_current_list(listed),
    )


def is_future_month(month: date) -> bool:
    """Nobody has a list of it yet: the next month's comes out in the last days of this one."""
    return month > add_months(timezone.localdate().replace(day=1), 1)


def _of_a_month_to_come(month: date) -> ListFault:
    said = {"month": date_format(month, "F Y")}
    message = _("This would be the list of %(month)s, which is still to come: was the year mistyped?")
    return ListFault(message=message % said)


def month_of_list_file(filename: str, source: OpenableFile | None = None) -> date | None:
    """The first day of the month that the heading of a file says, or its name."""
    return next(iter(months_named_in_file(filename, source)), None)


def months_named_in_file(filename: str, source: OpenableFile | None = None) -> list[date]:
    """The first days of the months in a file's heading and in its name (`standard_nov26frl.zip`, `list-2026-11.csv`).

    The heading first: who saves a file anew gives it a name.
    """
    texts = [filename]
    if source is not None:
        try:
            with open_list_file(source) as (file, _size):
                texts.insert(0, file.readline(400).decode("latin-1"))
        except (NotARatingList, zipfile.BadZipFile):
            return []
    return [month for text in texts if (month := _month_in(text)) is not None]


def _month_in(text: str) -> date | None:
    if match := _NAMED.search(text):
        return date(2000 + int(match[2]), 1 + _MONTHS.index(match[1].lower()), 1)
    if match := _FIGURES.search(text):
        return date(int(match[1]), int(match[2]), 1)
    return None


def _different_months(witnesses: list[date]) -> list[ListFault]:
    """The heading, the name and whoever brings it in do not say the same."""
    said = list(dict.fromkeys(witnesses))
    if len(said) < 2:
        return []
    message = _("Its heading, its name and you do not say the same month: which is it?")
    return [ListFault(message=message, examples=tuple(date_format(month, "F Y") for month in said))]


def _refused(
    register: RatingRegister, source: OpenableFile, players: list[ListedPlayerLine], bad: list[UnusableListLine]
) -> list[ListFault]:
    """The most telling fault for which a list is not taken; none for a good one."""
    is_table = register.club_id is not None
    if is_table and (fault := _read_the_wrong_way(register, source)):
        return [fault]
    without_number = [line for line in bad if line.problem == ListLineProblem.NO_NUMBER]
    if len(without_number) > MAX_UNUSABLE_SHARE * (len(players) + len(bad)):
        message = _("The column of the ID is empty in most lines: say which column it is.")
        return [ListFault(message=message, examples=_texts(without_number))]
    if not players:
        return [ListFault(message=_("There is no player in it."), examples=_texts(bad))]
    if len(bad) > MAX_UNUSABLE_SHARE * (len(players) + len(bad)):
        return [ListFault(message=_("Too many lines are without a player."), examples=_texts(bad))]
    if is_table and all(player.number == players[0].number for player in players[1:]) and len(players) > 1:
        return [
            ListFault(message=_("All players have the same ID: say which column it is."), examples=(players[0].number,))
        ]
    spoilt = [player.name for player in players if _SPOILT.search(player.name)]
    if spoilt:
        message = (
            _("Letters are spoilt: choose other letters in the description of the list.")
            if is_table
            else _("Letters are spoilt: FIDE's list was saved anew by a program. Take the file as it was downloaded.")
        )
        return [ListFault(message=message, examples=tuple(spoilt[:MAX_EXAMPLES]))]
    return []


def _read_the_wrong_way(register: RatingRegister, source: OpenableFile) -> ListFault | None:
    """A table that is parted or spelt otherwise than its description says."""
    with open_list_file(source) as (file, _size):
        sample = file.read(SAMPLE_BYTES)
    if is_converted_text(sample):
        return None
    sample = sample[: sample.rfind(b"\n") + 1] or sample
    columns = detect_list_format(register.columns, sample)
    told_encoding = str(columns["encoding"])
    encoding = detect_encoding(sample)
    if encoding in ("utf-8-sig", "utf-16") and encoding != told_encoding and not sample.isascii():
        texts = sample.decode(encoding, errors="replace").splitlines()
        message = _("Its letters are %(found)s, and its description says %(told)s.")
        said = {"found": encoding.removesuffix("-sig").upper(), "told": told_encoding.removesuffix("-sig").upper()}
        return ListFault(message=message % said, examples=tuple(texts[1 : 1 + MAX_EXAMPLES]))
    lines = sample.decode(told_encoding, errors="replace").splitlines()[:SAMPLE_LINES]
    told = str(columns["separator"])
    if lines and sum(told in line for line in lines) < len(lines) / 2:
        # What stands above the players may be a title, which nothing parts.
        headings = columns.get("headings", 1)
        found = detect_separator(lines[headings:] or lines)
        names = {";": _("semicolons"), ",": _("commas"), "\t": _("tabs"), "|": _("upright strokes")}
        message = _("Its columns are parted by %(found)s, and its description says %(told)s.")
        return ListFault(
            message=message % {"found": names[found], "told": names.get(told, told)},
            examples=tuple(lines[:MAX_EXAMPLES]),
        )
    return None


def _doubts(players: list[ListedPlayerLine], bad: list[UnusableListLine]) -> list[ListFault]:
    """What a list may have and still be taken."""
    first: dict[str, ListedPlayerLine] = {}
    twice = []
    for player in players:
        if (earlier := first.setdefault(player.number, player)) is not player:
            twice.append(f"{player.number}: {_with_rating(earlier)} / {_with_rating(player)}")
    faults = []
    if twice:
        message = _("IDs that stand in it twice: %(count)s. The later line counts.") % {"count": len(twice)}
        faults.append(ListFault(message=message, examples=tuple(twice[:MAX_EXAMPLES])))
    if bad:
        message = _("Lines without a player that can be used: %(count)s. They are left out.") % {"count": len(bad)}
        faults.append(ListFault(message=message, examples=_texts(bad)))
    return faults


def _with_rating(player: ListedPlayerLine) -> str:
    """By which somebody sees which of two lines is right."""
    return " ".join([player.name, *(str(rating) for rating in player.ratings.values() if rating)])


def _texts(lines: list[UnusableListLine]) -> tuple[str, ...]:
    why = {
        ListLineProblem.NO_NUMBER: _("no ID, or one too long"),
        ListLineProblem.NO_NAME: _("no name"),
        ListLineProblem.BAD_RATING: _("a rating that is no number up to 3500"),
        ListLineProblem.BAD_LINE: _("not as long as a player's line"),
    }
    return tuple(f"{line.line}: {line.text} ({why[line.problem]})" for line in lines[:MAX_EXAMPLES])
