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
from clubs.rating.lists.csv_lists import as_the_file_has_them
from clubs.rating.lists.files import Openable, open_list, players_of
from clubs.rating.lists.importing import is_older
from clubs.rating.lists.lines import BadLine, NotARatingList, PlayerLine, Wrong
from common.tabular.column_names import columns_named
from common.tabular.text_tables import LINES_LOOKED_AT, encoding_of, lines_of, rows_of, separator_of
from common.tabular.written_down import is_written_down
from common.text.months import months_later

MOST_LINES, MOST_SECONDS = 120_000, 6.0
"""How far is looked: all of a national list, the beginning of FIDE's."""
MOST_BAD = 0.5
"""With a larger share of lines without a player, the file is read the wrong way."""
EXAMPLES = 3
SAMPLE = 64 * 1024

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED = re.compile(rf"(?<![a-z])({'|'.join(_MONTHS)})[-_ ]?(?:20)?(\d\d)(?!\d)", re.IGNORECASE)
_FIGURES = re.compile(r"(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d)")
_SPOILT = re.compile("\ufffd|[\x80-\x9f]|[ÃÅÄ][\x80-\xbf¡-¿„…‚™š]|[¦¬¶±]")
"""Letters that were read in another encoding than they were written in."""


LINES_ABOVE = 20
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
class Fault:
    """Something wrong with a list, with examples from it."""

    message: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What was found: the month that the file says, faults for which it is refused, and those to be asked about."""

    month: date | None
    refused: tuple[Fault, ...] = ()
    doubts: tuple[Fault, ...] = ()
    is_older: bool = False


def is_described(register: RatingRegister) -> bool:
    """Whether it is known in which columns of its list at least ID and name stand; FIDE's is always."""
    return register.club_id is None or {"number", "name"} <= register.columns.keys()


def description_of(source: Openable) -> dict[str, object]:
    """Columns by the headings of a file; empty where ID, name and a rating are not all named."""
    with open_list(source) as (file, _size):
        sample = file.read(SAMPLE)
    if is_written_down(sample):
        return {}
    sample = sample[: sample.rfind(b"\n") + 1] or sample
    for above in range(1, LINES_ABOVE + 1):
        read = as_the_file_has_them({"separator": "", "encoding": "", "headings": above}, sample)
        text = sample.decode(str(read["encoding"]), errors="replace")
        lines = text.splitlines(keepends=True)[above - 1 : above]
        cells = next((row.cells for row in rows_of(lines_of(lines), str(read["separator"]))), ())
        found = {kind: place for place, kind in columns_named(cells, _KINDS).items()}
        columns: dict[str, object] = {}
        for kind, name in _KINDS.items():
            if kind in found:
                columns.setdefault(name, cells[found[kind]])
        if {"number", "name", "standard"} <= columns.keys():
            return {**columns, "separator": "", "encoding": "", "headings": above}
    return {}


def look_through(
    register: RatingRegister,
    source: Openable,
    filename: str,
    *,
    kind: str,
    month: date | None,
    is_sure: bool = False,
) -> Look:
    """Look through a file as it would be imported.

    `month` is the one that somebody said; the file's own goes first, and where they differ it is asked about, unless
    somebody `is_sure` of his.
    """
    witnesses = [*months_said_by(filename, source), *([month] if month else [])]
    said = month if is_sure else next(iter(witnesses), None)
    if said is not None and is_to_come(said):
        return Look(month=said, refused=(_of_a_month_to_come(said),))
    listed = RatingListImport(register=register, kind=kind, month=said)
    players: list[PlayerLine] = []
    bad: list[BadLine] = []
    begun = time.monotonic()
    try:
        with open_list(source) as (file, _size):
            for line in islice(players_of(listed, file), MOST_LINES):
                (players if isinstance(line, PlayerLine) else bad).append(line)  # type: ignore[arg-type]
                if time.monotonic() - begun > MOST_SECONDS:
                    break
    except NotARatingList as other:
        place = {"line": other.line, "expected": other.expected}
        return Look(month=said, refused=(Fault(message=_("Line %(line)s: here should stand %(expected)s.") % place),))
    return Look(
        month=said,
        refused=tuple(_refused(register, source, players, bad)),
        doubts=(*([] if is_sure else _different_months(witnesses)), *_doubts(players, bad)),
        is_older=is_older(listed),
    )


def is_to_come(month: date) -> bool:
    """Nobody has a list of it yet: the next month's comes out in the last days of this one."""
    return month > months_later(timezone.localdate().replace(day=1), 1)


def _of_a_month_to_come(month: date) -> Fault:
    said = {"month": date_format(month, "F Y")}
    message = _("This would be the list of %(month)s, which is still to come: was the year mistyped?")
    return Fault(message=message % said)


def month_said_by(filename: str, source: Openable | None = None) -> date | None:
    """The first day of the month that the heading of a file says, or its name."""
    return next(iter(months_said_by(filename, source)), None)


def months_said_by(filename: str, source: Openable | None = None) -> list[date]:
    """The first days of the months in a file's heading and in its name (`standard_nov26frl.zip`, `list-2026-11.csv`).

    The heading first: who saves a file anew gives it a name.
    """
    texts = [filename]
    if source is not None:
        try:
            with open_list(source) as (file, _size):
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


def _different_months(witnesses: list[date]) -> list[Fault]:
    """The heading, the name and whoever brings it in do not say the same."""
    said = list(dict.fromkeys(witnesses))
    if len(said) < 2:
        return []
    message = _("Its heading, its name and you do not say the same month: which is it?")
    return [Fault(message=message, examples=tuple(date_format(month, "F Y") for month in said))]


def _refused(register: RatingRegister, source: Openable, players: list[PlayerLine], bad: list[BadLine]) -> list[Fault]:
    """The most telling fault for which a list is not taken; none for a good one."""
    is_table = register.club_id is not None
    if is_table and (fault := _read_the_wrong_way(register, source)):
        return [fault]
    without_number = [line for line in bad if line.wrong == Wrong.NO_NUMBER]
    if len(without_number) > MOST_BAD * (len(players) + len(bad)):
        message = _("The column of the ID is empty in most lines: say which column it is.")
        return [Fault(message=message, examples=_texts(without_number))]
    if not players:
        return [Fault(message=_("There is no player in it."), examples=_texts(bad))]
    if len(bad) > MOST_BAD * (len(players) + len(bad)):
        return [Fault(message=_("Too many lines are without a player."), examples=_texts(bad))]
    if is_table and all(player.number == players[0].number for player in players[1:]) and len(players) > 1:
        return [
            Fault(message=_("All players have the same ID: say which column it is."), examples=(players[0].number,))
        ]
    spoilt = [player.name for player in players if _SPOILT.search(player.name)]
    if spoilt:
        message = (
            _("Letters are spoilt: choose other letters in the description of the list.")
            if is_table
            else _("Letters are spoilt: FIDE's list was saved anew by a program. Take the file as it was downloaded.")
        )
        return [Fault(message=message, examples=tuple(spoilt[:EXAMPLES]))]
    return []


def _read_the_wrong_way(register: RatingRegister, source: Openable) -> Fault | None:
    """A table that is parted or spelt otherwise than its description says."""
    with open_list(source) as (file, _size):
        sample = file.read(SAMPLE)
    if is_written_down(sample):
        return None
    sample = sample[: sample.rfind(b"\n") + 1] or sample
    columns = as_the_file_has_them(register.columns, sample)
    told_encoding = str(columns["encoding"])
    encoding = encoding_of(sample)
    if encoding in ("utf-8-sig", "utf-16") and encoding != told_encoding and not sample.isascii():
        texts = sample.decode(encoding, errors="replace").splitlines()
        message = _("Its letters are %(found)s, and its description says %(told)s.")
        said = {"found": encoding.removesuffix("-sig").upper(), "told": told_encoding.removesuffix("-sig").upper()}
        return Fault(message=message % said, examples=tuple(texts[1 : 1 + EXAMPLES]))
    lines = sample.decode(told_encoding, errors="replace").splitlines()[:LINES_LOOKED_AT]
    told = str(columns["separator"])
    if lines and sum(told in line for line in lines) < len(lines) / 2:
        # What stands above the players may be a title, which nothing parts.
        headings = columns.get("headings", 1)
        found = separator_of(lines[headings:] or lines)
        names = {";": _("semicolons"), ",": _("commas"), "\t": _("tabs"), "|": _("upright strokes")}
        message = _("Its columns are parted by %(found)s, and its description says %(told)s.")
        return Fault(
            message=message % {"found": names[found], "told": names.get(told, told)}, examples=tuple(lines[:EXAMPLES])
        )
    return None


def _doubts(players: list[PlayerLine], bad: list[BadLine]) -> list[Fault]:
    """What a list may have and still be taken."""
    first: dict[str, PlayerLine] = {}
    twice = []
    for player in players:
        if (earlier := first.setdefault(player.number, player)) is not player:
            twice.append(f"{player.number}: {_with_rating(earlier)} / {_with_rating(player)}")
    faults = []
    if twice:
        message = _("IDs that stand in it twice: %(count)s. The later line counts.") % {"count": len(twice)}
        faults.append(Fault(message=message, examples=tuple(twice[:EXAMPLES])))
    if bad:
        message = _("Lines without a player that can be used: %(count)s. They are left out.") % {"count": len(bad)}
        faults.append(Fault(message=message, examples=_texts(bad)))
    return faults


def _with_rating(player: PlayerLine) -> str:
    """By which somebody sees which of two lines is right."""
    return " ".join([player.name, *(str(rating) for rating in player.ratings.values() if rating)])


def _texts(lines: list[BadLine]) -> tuple[str, ...]:
    why = {
        Wrong.NO_NUMBER: _("no ID, or one too long"),
        Wrong.NO_NAME: _("no name"),
        Wrong.BAD_RATING: _("a rating that is no number up to 3500"),
        Wrong.BAD_LINE: _("not as long as a player's line"),
    }
    return tuple(f"{line.line}: {line.text} ({why[line.wrong]})" for line in lines[:EXAMPLES])
