"""National lists: any table of text, once somebody has said which column is what."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from itertools import islice

from django.utils.translation import gettext as _

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
    stream = io.BufferedReader(_Stream(chunks))  # type: ignore[type-var]
    texts = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="")
    try:
        for number, cells in islice(enumerate(csv.reader(_lines(texts), delimiter=separator), start=1), first, None):
            if any(cell.strip() for cell in cells):
                yield _line(number, cells, places, scale)
    except csv.Error as endless:  # a field of more than 131,072 characters
        raise NotARatingList(first + 1, _("a table whose texts are not endlessly long")) from endless


def _lines(texts: Iterable[str]) -> Iterator[str]:
    """Without the zero bytes of damaged files, which the reader of tables does not take."""
    return (text.replace("\0", "") for text in texts)


def _line(number: int, cells: list[str], places: Mapping[str, int], scale: str) -> Line:
    text = "; ".join(cells)[:80]
    if len(cells) <= max(places.get("number", 0), places.get("name", 0)):
        return BadLine(line=number, wrong=Wrong.BAD_LINE, text=text)
    found = {name: cells[place] if place < len(cells) else "" for name, place in places.items()}
    if given := found.pop("given_name", "").strip():
        found["name"] = f"{found['name'].strip()}, {given}"
    try:
        ratings = {kind: _elo(found.pop(kind), scale) for kind in KINDS if kind in found}
    except ValueError:
        return BadLine(line=number, wrong=Wrong.BAD_RATING, text=text)
    return player_line(number, found, ratings, text=text)


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


class _Stream(io.RawIOBase):
    """Chunks of bytes, read as a file."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks, self.rest = iter(chunks), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        while not self.rest:
            chunk = next(self.chunks, None)
            if chunk is None:
                return 0
            self.rest = chunk
        part, self.rest = self.rest[: len(buffer)], self.rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)
