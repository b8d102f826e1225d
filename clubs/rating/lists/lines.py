"""What every reader of a rating list yields: a player of a line, or what was wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from common.tabular.column_names import SEX_LETTERS
from common.text.ratings_written import read_rating


class Wrong(StrEnum):
    """What can be wrong with a line; the words for it stand in the template."""

    NO_NUMBER = "no number"
    NO_NAME = "no name"
    BAD_RATING = "bad rating"
    BAD_LINE = "bad line"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player as a list gives him. Ratings and K are by kind ("standard", ...), 0 for none; other kinds are absent.

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
class BadLine:
    """A line without a player that can be used."""

    line: int
    wrong: Wrong
    text: str


Line: TypeAlias = PlayerLine | BadLine
Lines: TypeAlias = Iterator[Line]


class NotARatingList(ValueError):
    """The file as a whole is none: `line` where that was seen, `expected` what should have stood there."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(f"line {line}: {expected} expected")
        self.line, self.expected = line, expected


LONGEST_NUMBER, LONGEST_NAME = 20, 120
TITLES = frozenset({"GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM"})


def player_line(
    line: int, fields: dict[str, str], ratings: dict[str, str], *, text: str, factors: dict[str, str] | None = None
) -> Line:
    """A player from the texts of his fields (number, name, federation, sex, ..., flag) and of his ratings."""
    number, name = fields.get("number", "").strip(), " ".join(fields.get("name", "").split())
    if not number or len(number) > LONGEST_NUMBER:
        return BadLine(line=line, wrong=Wrong.NO_NUMBER, text=text)
    if not name:
        return BadLine(line=line, wrong=Wrong.NO_NAME, text=text)
    try:
        points = {kind: read_rating(rating) for kind, rating in ratings.items()}
    except ValueError:
        return BadLine(line=line, wrong=Wrong.BAD_RATING, text=text)
    title = fields.get("title", "").strip().upper()
    return PlayerLine(
        line=line,
        number=number,
        name=name[:LONGEST_NAME],
        federation=fields.get("federation", "").strip().upper()[:3],
        sex=SEX_LETTERS.get(fields.get("sex", "").strip().casefold()[:1], ""),
        title=title if title in TITLES else "",
        birth_year=_year(fields.get("birth_year", "")),
        ratings=points,
        factors={kind: _factor(factor) for kind, factor in (factors or {}).items()},
        is_inactive="i" in fields.get("flag", "").lower(),
    )


def _factor(text: str) -> int:
    """FIDE's K: 10, 20, 40; 0 for whatever else stands there."""
    return int(text) if text.strip() in ("10", "15", "20", "30", "40") else 0


def _year(text: str) -> int | None:
    """The four figures of a year wherever they stand in a birth date; None for none, as FIDE's 0."""
    figures = text.strip()
    for piece in (figures[:4], figures[-4:]):
        if len(piece) == 4 and piece.isascii() and piece.isdigit() and 1850 <= int(piece) <= 2100:
            return int(piece)
    return None
