"""FIDE's lists as text, with columns of fixed width given by the header line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from django.utils.translation import gettext as _

from clubs.rating.lists.player_lines import (
    NotARatingList,
    RatingListLineProblem,
    RatingListLines,
    UnusableRatingListLine,
    parse_player_line,
)

_COLUMNS = {
    "ID Number": "number",
    "Name": "name",
    "Fed": "federation",
    "Sex": "sex",
    "Tit": "title",
    "B-day": "birth_year",
    "Flag": "flag",
}
_ALL_IN_ONE = {"SRtng": "standard", "RRtng": "rapid", "BRtng": "blitz"}
_FACTORS = {"SK": "standard", "RK": "rapid", "BK": "blitz"}
_MONTH = re.compile(r"(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d\d\Z", re.IGNORECASE)
"""A list of one kind has its month as the heading of the rating column."""

MAX_LINE_LENGTH = 400


def read_fide_text_list(lines: Iterable[bytes], kind: str, *, after: int = 0) -> RatingListLines:
    """Yield the players in a list, skipping the first `after` lines.

    `kind` is the kind of a list with one rating, since its text doesn't say it. Raises NotARatingList if the file
    doesn't have FIDE's header line.
    """
    numbered = enumerate(lines, start=1)
    _number, header = next(numbered, (1, b""))
    fields, ratings, factors = _columns(header.decode("latin-1"), kind)
    for number, raw in islice(numbered, max(0, after - 1), None):
        text = raw.decode("latin-1").rstrip("\r\n")
        if not text.strip():
            continue
        if len(text) > MAX_LINE_LENGTH or len(text) <= fields["name"].start:
            yield UnusableRatingListLine(line=number, problem=RatingListLineProblem.BAD_LINE, text=text[:80])
            continue
        yield parse_player_line(
            number,
            {name: text[place] for name, place in fields.items()},
            {name: text[place] for name, place in ratings.items()},
            factors={name: text[place] for name, place in factors.items()},
            text=text[:80].rstrip(),
        )


def _columns(header: str, kind: str) -> tuple[dict[str, slice], dict[str, slice], dict[str, slice]]:
    """Return the position of each field, rating and K: from its heading to the next."""
    headings = [(match.start(), match.group()) for match in re.finditer(r"ID Number|\S+", header)]
    ends = [start for start, _text in headings[1:]] + [MAX_LINE_LENGTH]
    fields, ratings, factors = {}, {}, {}
    for (start, text), end in zip(headings, ends, strict=False):
        if text in _COLUMNS:
            fields[_COLUMNS[text]] = slice(start, end)
        elif text in _ALL_IN_ONE:
            ratings[_ALL_IN_ONE[text]] = slice(start, end)
        elif _MONTH.match(text) and kind:
            ratings[kind] = slice(start, end)
        elif text.upper() in _FACTORS:
            factors[_FACTORS[text.upper()]] = slice(start, end)
        elif text == "K" and kind:
            factors[kind] = slice(start, end)
    for needed in ("number", "name"):
        if needed not in fields:
            raise NotARatingList(1, _("FIDE's header line “ID Number  Name  Fed …”"))
    if not ratings:
        raise NotARatingList(1, _("a rating column (SRtng, RRtng, BRtng, or a month such as NOV26)"))
    return fields, ratings, factors
