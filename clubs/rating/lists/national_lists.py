"""National lists: any text table whose columns have been described."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

from clubs.models import RatingRegister
from clubs.rating.calculation.elo_conversion import elo_from_bcf, elo_from_ingo
from clubs.rating.lists.player_lines import (
    NotARatingList,
    RatingListLine,
    RatingListLineProblem,
    RatingListLines,
    UnusableRatingListLine,
    parse_player_line,
)
from common.tabular.column_names import normalise_heading
from common.tabular.text_tables import (
    TableRow,
    UnreadableTable,
    detect_encoding,
    detect_separator,
    parse_table_rows,
    split_text_lines,
)
from common.text.rating_text import is_unrated_text, remove_thousands_gap

PLAYER_FIELDS = ("number", "name", "given_name", "federation", "sex", "title", "birth_year")
RATING_KINDS = ("standard", "rapid", "blitz")
"""The keys of `RatingRegister.columns`; values are a column's number from 0, or its heading.

Other keys are `separator` and `encoding` (empty: as detected in the file) and `headings`. That is the number of lines
before the players; the last of them names the columns.
"""
KNOWN_LIST_FORMATS: Mapping[str, Mapping[str, str]] = {
    "DSB (spieler.csv)": {
        "number": "ID",
        "name": "Spielername",
        "federation": "FIDE-Land",
        "sex": "Geschlecht",
        "title": "FIDE-Titel",
        "birth_year": "Geburtsjahr",
        "standard": "DWZ",
    },
    "DSB (id|nachname|vorname|...)": {
        "number": "id",
        "name": "nachname",
        "given_name": "vorname",
        "title": "fidetitel",
        "standard": "dwz",
    },
    "Swiss-Manager (ID_No; Name; Rtg_Nat; ...)": {
        "number": "ID_No",
        "name": "Name",
        "federation": "Fed",
        "sex": "Sex",
        "title": "Title",
        "birth_year": "Birthday",
        "standard": "Rtg_Nat",
    },
}
"""Headings of common lists, to start a description with."""

_SCALES = {RatingRegister.Scale.INGO: elo_from_ingo, RatingRegister.Scale.BCF: elo_from_bcf}


def read_national_list(
    chunks: Iterable[bytes], columns: Mapping[str, object], scale: str, *, after: int = 0
) -> RatingListLines:
    """Yield the players in a national list, skipping the first `after` lines. INGO and BCF become Elo.

    Raises NotARatingList if the columns aren't described or don't match.
    """
    said = {name: place for name, place in columns.items() if name in (*PLAYER_FIELDS, *RATING_KINDS)}
    if not {"number", "name"} <= said.keys():
        raise NotARatingList(1, _("columns for the player number and the name in the list's settings"))
    separator, encoding = str(columns.get("separator", ";")), str(columns.get("encoding", "utf-8-sig"))
    headings = columns.get("headings", 1)
    above = headings if isinstance(headings, int) else 1
    places = None if any(isinstance(place, str) for place in said.values()) else _places(said, (), above)
    lines = split_text_lines(codecs.iterdecode(chunks, encoding, errors="replace"))
    try:
        for row in parse_table_rows(lines, separator):
            if places is None and row.line >= above:
                places = _places(said, row.cells, row.line)
            if places is not None and row.line > max(after, above) and any(row.cells):
                yield _line(row, places, scale)
    except UnreadableTable as endless:
        raise NotARatingList(endless.line, _("a list with less text in each cell")) from endless


def detect_list_format(columns: Mapping[str, object], sample: bytes) -> dict[str, object]:
    """Return the column description, with encoding and separator detected from the sample if they are empty."""
    encoding = str(columns.get("encoding", "utf-8-sig")) or detect_encoding(sample, is_sample=True)
    headings = columns.get("headings", 1)
    lines = sample.decode(encoding, errors="replace").splitlines()
    # The lines above the headings may be a title without separators.
    looked_at = lines[max(0, headings - 1) :] if isinstance(headings, int) else lines
    separator = str(columns.get("separator", ";")) or detect_separator(looked_at)
    return {**columns, "encoding": encoding, "separator": separator}


def _places(said: Mapping[str, object], cells: Sequence[str], line: int) -> dict[str, int]:
    """Return each field's column from 0. Raises NotARatingList if a heading is missing."""
    named = [normalise_heading(cell) for cell in cells]
    found = {}
    for name, place in said.items():
        if isinstance(place, int):
            found[name] = place
        elif normalise_heading(str(place)) in named:
            found[name] = named.index(normalise_heading(str(place)))
        else:
            raise NotARatingList(line, _("a column named “%(heading)s”") % {"heading": place})
    return found


def _line(row: TableRow, places: Mapping[str, int], scale: str) -> RatingListLine:
    text = "; ".join(row.cells)[:80]
    if row.problem or len(row.cells) <= max(places.get("number", 0), places.get("name", 0)):
        return UnusableRatingListLine(line=row.line, problem=RatingListLineProblem.BAD_LINE, text=text)
    found = {name: row.cell(place) for name, place in places.items()}
    found["name"] = ", ".join(part.strip() for part in found["name"].split(",") if part.strip())
    if given := found.pop("given_name", "").strip():
        found["name"] += f", {given}"
    try:
        ratings = {kind: _elo(found.pop(kind), scale) for kind in RATING_KINDS if kind in found}
    except ValueError:
        return UnusableRatingListLine(line=row.line, problem=RatingListLineProblem.BAD_RATING, text=text)
    return parse_player_line(row.line, found, ratings, text=text)


def _elo(text: str, scale: str) -> str:
    """Return a rating as Elo, or empty if the cell says that there is none."""
    if is_unrated_text(text):
        return ""
    cell = remove_thousands_gap(text).replace(",", ".")
    try:
        number = Decimal(cell)
    except InvalidOperation as wrong:
        raise ValueError(text) from wrong
    if not number.is_finite() or not 0 <= number <= 10_000:
        raise ValueError(text)
    convert = _SCALES.get(RatingRegister.Scale(scale))
    return str(convert(number) if convert else int(number))
