"""The result of reading a line of a rating list: a player or a problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from common.tabular.column_names import SEX_LETTERS
from common.text.rating_text import parse_rating


class RatingListLineProblem(StrEnum):
    """A problem in a line. Its text is in the template."""

    NO_NUMBER = "no number"
    NO_NAME = "no name"
    BAD_RATING = "bad rating"
    BAD_LINE = "bad line"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPlayerLine:
    """A player on a list. Ratings and K are by kind ("standard", ...), 0 for none. Kinds not on the list are absent.

    `line` counts lines of text from 1, or players of an XML file.
    """

    line: int
    number: str
    name: str
    federation: str
    sex: str
    title: str
    birth_year: int | None
    ratings: dict[str, int]
    factors: dict[str, int]
    is_inactive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusableRatingListLine:
    """A line without a usable player."""

    line: int
    problem: RatingListLineProblem
    text: str


RatingListLine: TypeAlias = ListedPlayerLine | UnusableRatingListLine
RatingListLines: TypeAlias = Iterator[RatingListLine]


class NotARatingList(ValueError):
    """Raised if the file is not a rating list. `line` is where reading failed, and `expected` what should be there."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(f"line {line}: {expected} expected")
        self.line, self.expected = line, expected


MAX_LIST_ID_LENGTH, MAX_NAME_LENGTH = 20, 120
FIDE_TITLES = frozenset({"GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM"})


def parse_player_line(
    line: int, fields: dict[str, str], ratings: dict[str, str], *, text: str, factors: dict[str, str] | None = None
) -> RatingListLine:
    """Parse a player from the text of the fields (number, name, federation, sex, ..., flag) and the ratings."""
    number, name = fields.get("number", "").strip(), " ".join(fields.get("name", "").split())
    if not number or len(number) > MAX_LIST_ID_LENGTH:
        return UnusableRatingListLine(line=line, problem=RatingListLineProblem.NO_NUMBER, text=text)
    if not name:
        return UnusableRatingListLine(line=line, problem=RatingListLineProblem.NO_NAME, text=text)
    try:
        points = {kind: parse_rating(rating) for kind, rating in ratings.items()}
    except ValueError:
        return UnusableRatingListLine(line=line, problem=RatingListLineProblem.BAD_RATING, text=text)
    title = fields.get("title", "").strip().upper()
    return ListedPlayerLine(
        line=line,
        number=number,
        name=name[:MAX_NAME_LENGTH],
        federation=fields.get("federation", "").strip().upper()[:3],
        sex=SEX_LETTERS.get(fields.get("sex", "").strip().casefold()[:1], ""),
        title=title if title in FIDE_TITLES else "",
        birth_year=_year(fields.get("birth_year", "")),
        ratings=points,
        factors={kind: _factor(factor) for kind, factor in (factors or {}).items()},
        is_inactive="i" in fields.get("flag", "").lower(),
    )


def _factor(text: str) -> int:
    """Return FIDE's K, or 0 for any other text."""
    return int(text) if text.strip() in ("10", "15", "20", "30", "40") else 0


def _year(text: str) -> int | None:
    """Return the four digits of the year in a birth date, or None if there is none, as in FIDE's 0."""
    figures = text.strip()
    for piece in (figures[:4], figures[-4:]):
        if len(piece) == 4 and piece.isascii() and piece.isdigit() and 1850 <= int(piece) <= 2100:
            return int(piece)
    return None
