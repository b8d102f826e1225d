"""Inspection of a list before it is imported: its month and its faults."""

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
from clubs.rating.lists.player_lines import (
    ListedPlayerLine,
    NotARatingList,
    RatingListLineProblem,
    UnusableRatingListLine,
)
from common.tabular.column_mapping import MAX_HEADING_LINE
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
"""The limits of the inspection: all of a national list, the beginning of FIDE's."""
MAX_UNUSABLE_SHARE = 0.5
"""With a larger share of lines without a player, the file is parsed wrongly."""
MAX_EXAMPLES = 3
SAMPLE_BYTES = 64 * 1024

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED = re.compile(rf"(?<![a-z])({'|'.join(_MONTHS)})[-_ ]?(?:20)?(\d\d)(?!\d)", re.IGNORECASE)
_FIGURES = re.compile(r"(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d)")
_SPOILT = re.compile("\ufffd|[\x80-\x9f]|[ÃÅÄ][\x80-\xbf¡-¿„…‚™š]|[¦¬¶±]")
"""Letters decoded in the wrong encoding."""


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
"""Column kinds of player tables, by the list field they fill. If several columns fit one field, the first named here
counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingListFault:
    """A fault in a list, with examples."""

    message: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListInspection:
    """The result of an inspection: the list's month, faults that prevent the import, and faults to confirm."""

    month: date | None
    refusals: tuple[RatingListFault, ...] = ()
    doubts: tuple[RatingListFault, ...] = ()
    is_older: bool = False


def has_column_description(register: RatingRegister) -> bool:
    """Return True if at least the ID and name columns of the register's list are known. FIDE's always are."""
    return register.club_id is None or {"number", "name"} <= register.columns.keys()


def detect_list_columns(source: OpenableFile) -> dict[str, object]:
    """Detect columns by a file's headings. Empty unless there are headings for ID, name and a rating."""
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
    """Check a file by reading it as an import would.

    `month` is the month the user gave. The file's own comes first, and a difference is a doubt, unless `is_sure` says
    that the user confirmed theirs.
    """
    witnesses = [*months_named_in_file(filename, source), *([month] if month else [])]
    said = month if is_sure else next(iter(witnesses), None)
    if said is not None and is_future_month(said):
        return ListInspection(month=said, refusals=(_of_a_month_to_come(said),))
    listed = RatingListImport(register=register, kind=kind, month=said)
    players: list[ListedPlayerLine] = []
    bad: list[UnusableRatingListLine] = []
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
            month=said, refusals=(RatingListFault(message=_("Line %(line)s: we expected %(expected)s.") % place),)
        )
    return ListInspection(
        month=said,
        refusals=tuple(_refused(register, source, players, bad)),
        doubts=(*([] if is_sure else _different_months(witnesses)), *_doubts(players, bad)),
        is_older=is_older_than_current_list(listed),
    )


def is_future_month(month: date) -> bool:
    """Return True if no list for this month can exist yet. A list is published at the end of the month before."""
    return month > add_months(timezone.localdate().replace(day=1), 1)


def _of_a_month_to_come(month: date) -> RatingListFault:
    said = {"month": date_format(month, "F Y")}
    message = _("This would be the list for %(month)s, which is in the future. Check the year.")
    return RatingListFault(message=message % said)


def month_of_list_file(filename: str, source: OpenableFile | None = None) -> date | None:
    """Return the first day of the month in a file's heading, or else in its name."""
    return next(iter(months_named_in_file(filename, source)), None)


def months_named_in_file(filename: str, source: OpenableFile | None = None) -> list[date]:
    """Return the first days of the months in a file's heading and name (`standard_nov26frl.zip`, `list-2026-11.csv`).

    The heading comes first, because people rename files when they save them.
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


def _different_months(witnesses: list[date]) -> list[RatingListFault]:
    """Return a fault if the heading, the name and the user give different months."""
    said = list(dict.fromkeys(witnesses))
    if len(said) < 2:
        return []
    message = _("The file's heading, its name and your entry show different months. Choose the right one.")
    return [RatingListFault(message=message, examples=tuple(date_format(month, "F Y") for month in said))]


def _refused(
    register: RatingRegister, source: OpenableFile, players: list[ListedPlayerLine], bad: list[UnusableRatingListLine]
) -> list[RatingListFault]:
    """Return the fault for which a list is refused, the most helpful one only. Return None for a good list."""
    is_table = register.club_id is not None
    if is_table and (fault := _read_the_wrong_way(register, source)):
        return [fault]
    without_number = [line for line in bad if line.problem == RatingListLineProblem.NO_NUMBER]
    if len(without_number) > MAX_UNUSABLE_SHARE * (len(players) + len(bad)):
        message = _("The ID column is empty in most lines. Check which column it is.")
        return [RatingListFault(message=message, examples=_texts(without_number))]
    if not players:
        return [RatingListFault(message=_("We found no players in the file."), examples=_texts(bad))]
    if len(bad) > MAX_UNUSABLE_SHARE * (len(players) + len(bad)):
        return [RatingListFault(message=_("Too many lines have no player."), examples=_texts(bad))]
    if is_table and all(player.number == players[0].number for player in players[1:]) and len(players) > 1:
        return [
            RatingListFault(
                message=_("All players have the same ID. Check which column it is."), examples=(players[0].number,)
            )
        ]
    spoilt = [player.name for player in players if _SPOILT.search(player.name)]
    if spoilt:
        message = (
            _("Some characters are garbled. Choose another encoding in the settings of the list.")
            if is_table
            else _("Another program has re-saved FIDE's list and garbled some characters. Use the original download.")
        )
        return [RatingListFault(message=message, examples=tuple(spoilt[:MAX_EXAMPLES]))]
    return []


def _read_the_wrong_way(register: RatingRegister, source: OpenableFile) -> RatingListFault | None:
    """Return a fault if a table's separator or encoding differs from its description."""
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
        message = _("The file's encoding is %(found)s, but the list's settings say %(told)s.")
        said = {"found": encoding.removesuffix("-sig").upper(), "told": told_encoding.removesuffix("-sig").upper()}
        return RatingListFault(message=message % said, examples=tuple(texts[1 : 1 + MAX_EXAMPLES]))
    lines = sample.decode(told_encoding, errors="replace").splitlines()[:SAMPLE_LINES]
    told = str(columns["separator"])
    if lines and sum(told in line for line in lines) < len(lines) / 2:
        # The lines above the players may be a title without separators.
        headings = columns.get("headings", 1)
        found = detect_separator(lines[headings:] or lines)
        names = {";": _("semicolons"), ",": _("commas"), "\t": _("tabs"), "|": _("vertical bars")}
        message = _("The columns are separated by %(found)s, but the list's settings say %(told)s.")
        return RatingListFault(
            message=message % {"found": names[found], "told": names.get(told, told)},
            examples=tuple(lines[:MAX_EXAMPLES]),
        )
    return None


def _doubts(players: list[ListedPlayerLine], bad: list[UnusableRatingListLine]) -> list[RatingListFault]:
    """Return the faults with which a list can still be imported."""
    first: dict[str, ListedPlayerLine] = {}
    twice = []
    for player in players:
        if (earlier := first.setdefault(player.number, player)) is not player:
            twice.append(f"{player.number}: {_with_rating(earlier)} / {_with_rating(player)}")
    faults = []
    if twice:
        message = _("Duplicate IDs: %(count)s. For each of them, the last line is used.") % {"count": len(twice)}
        faults.append(RatingListFault(message=message, examples=tuple(twice[:MAX_EXAMPLES])))
    if bad:
        message = _("Lines skipped because they contain no valid player: %(count)s.") % {"count": len(bad)}
        faults.append(RatingListFault(message=message, examples=_texts(bad)))
    return faults


def _with_rating(player: ListedPlayerLine) -> str:
    """Return the name and ratings, to show which of two lines is right."""
    return " ".join([player.name, *(str(rating) for rating in player.ratings.values() if rating)])


def _texts(lines: list[UnusableRatingListLine]) -> tuple[str, ...]:
    why = {
        RatingListLineProblem.NO_NUMBER: _("ID missing or too long"),
        RatingListLineProblem.NO_NAME: _("name missing"),
        RatingListLineProblem.BAD_RATING: _("rating is not a number up to 3500"),
        RatingListLineProblem.BAD_LINE: _("wrong line length"),
    }
    return tuple(f"{line.line}: {line.text} ({why[line.problem]})" for line in lines[:MAX_EXAMPLES])
