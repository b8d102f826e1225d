"""National lists: any table of text, once somebody has said which column is what."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

from clubs.files.text_tables import TableRow, Unreadable, lines_of, rows_of
from clubs.models import RatingRegister
from clubs.rating_lists.lines import BadLine, Line, Lines, NotARatingList, Wrong, player_line
from clubs.ratings.conversion import elo_from_bcf, elo_from_ingo

FIELDS = ("number", "name", "given_name", "federation", "sex", "title", "birth_year")
KINDS = ("standard", "rapid", "blitz")
"""What a column may be: a key of `RatingRegister.columns`, whose value is the column's number from 0.

Beside them stand `separator`, `encoding` and `headings` (how many lines stand before the players).
"""

_SCALES = {RatingRegister.Scale.INGO: elo_from_ingo, RatingRegister.Scale.BCF: elo_from_bcf}


def read_table(chunks: Iterable[bytes], columns: Mapping[str, object], scale: str, *, after: int = 0) -> Lines:
    """The players of a national list, those of the first `after` lines passed over; INGO and BCF become Elo."""
    places = {name: place for name, place in columns.items() if isinstance(place, int) and name != "headings"}
    separator, encoding = str(columns.get("separator", ";")), str(columns.get("encoding", "utf-8-sig"))
    headings = columns.get("headings", 1)
    first = max(after, headings if isinstance(headings, int) else 1)
    lines = lines_of(codecs.iterdecode(chunks, encoding, errors="replace"))
    try:
        for row in rows_of(lines, separator):
            if row.line > first and any(row.cells):
                yield _line(row, places, scale)
    except Unreadable as endless:
        raise NotARatingList(endless.line, _("a table whose texts are not endlessly long")) from endless


def _line(row: TableRow, places: Mapping[str, int], scale: str) -> Line:
    text = "; ".join(row.cells)[:80]
    if row.problem or len(row.cells) <= max(places.get("number", 0), places.get("name", 0)):
        return BadLine(line=row.line, wrong=Wrong.BAD_LINE, text=text)
    found = {name: row.cells[place] if place < len(row.cells) else "" for name, place in places.items()}
    if given := found.pop("given_name", "").strip():
        found["name"] = f"{found['name'].strip()}, {given}"
    try:
        ratings = {kind: _elo(found.pop(kind), scale) for kind in KINDS if kind in found}
    except ValueError:
        return BadLine(line=row.line, wrong=Wrong.BAD_RATING, text=text)
    return player_line(row.line, found, ratings, text=text)


def _elo(text: str, scale: str) -> str:
    """A rating as Elo; a rating list's empty cell, dash or 0 is no rating."""
    cell = text.strip().replace(",", ".")
    if cell in ("", "-", "–", "0"):
        return ""
    try:
        number = Decimal(cell)
    except InvalidOperation as wrong:
        raise ValueError(text) from wrong
    if not number.is_finite() or not 0 <= number <= 10_000:
        raise ValueError(text)
    convert = _SCALES.get(RatingRegister.Scale(scale))
    return str(convert(number) if convert else int(number))
