"""The codes of tie-breaks: a name and its modifiers, as in FIDE's report files (`BH/C1`, `KS/L+1`, `DE/P`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_CODE = re.compile(r"(?P<name>[A-Z0-9]+)(?P<modifiers>(?:[/-](?:[CMUV][0-9]{1,4}|L[+-][0-9]{1,2}|[PFR]))*)")
_MODIFIER = re.compile(r"[/-](?P<letter>[A-Z])(?P<number>[+-]?[0-9]*)")
_OTHER_NAMES = {"POINTS": "PTS", "JG": "G", "JT": "T", "JE": "E", "GE": "REP", "SNO": "TPN", "RTG": "RTNG"}
_CUTS = {"C", "M"}


class TieBreakEdition(Enum):
    """Editions of FIDE's tie-break regulations (Handbook C.07), by the day from which they apply.

    Only one difference changes values: since 2026 the dummy's score is capped (article 16.4).
    """

    AUGUST_2024 = "2024-08-01"
    MARCH_2026 = "2026-03-01"

    @classmethod
    def edition_for_date(cls, day: str) -> TieBreakEdition:
        """Return the edition for an event's start date, written year first, or the latest edition if it is empty."""
        return cls.AUGUST_2024 if day and day.replace("/", "-") < cls.MARCH_2026.value else cls.MARCH_2026


_EDITIONS = {
    "1": TieBreakEdition.AUGUST_2024,
    "2024": TieBreakEdition.AUGUST_2024,
    "2": TieBreakEdition.MARCH_2026,
    "2026": TieBreakEdition.MARCH_2026,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakCode:
    """A tie-break with its modifiers.

    - `cut_low` and `cut_high`: the number of least and most significant values dropped (`/C1`, `/M1`)
    - `limit`: moves Koya's limit, in half points (`/L+1`)
    - `forfeits_as_played`: a forfeit counts as a game against the scheduled opponent (`/P`)
    - `fore`: use Fore Buchholz in place of Buchholz (`/F`)
    - `reverse`: reverse the order (`/R`)
    - `unrated`: the rating of players without one (`/U1400`)
    - `edition`: the edition for this tie-break alone (`/V1` of 2024, `/V2` of 2026)
    """

    name: str
    cut_low: int = 0
    cut_high: int = 0
    limit: int = 0
    forfeits_as_played: bool = False
    fore: bool = False
    reverse: bool = False
    unrated: int | None = None
    edition: TieBreakEdition | None = None

    def __str__(self) -> str:
        """Return the standard form of the code, however it was entered."""
        parts = [self.name]
        if self.cut_high:
            parts.append(f"M{self.cut_high}")
        elif self.cut_low:
            parts.append(f"C{self.cut_low}")
        if self.limit:
            parts.append(f"L{self.limit:+}")
        parts += [
            letter
            for letter, is_set in (("P", self.forfeits_as_played), ("F", self.fore), ("R", self.reverse))
            if is_set
        ]
        if self.unrated is not None:
            parts.append(f"U{self.unrated}")
        if self.edition:
            parts.append("V1" if self.edition is TieBreakEdition.AUGUST_2024 else "V2")
        return "/".join(parts)


def parse_tie_break_code(text: str) -> tuple[TieBreakCode, frozenset[str]] | None:
    """Parse a code and the letters of its modifiers. Return None if it is not a code or contradicts itself.

    This does not check that the tie-break exists or takes these modifiers. The handbook's hyphen (`BH-C1`) is accepted
    as well as the slash of the report files.
    """
    matched = _CODE.fullmatch(text.strip().upper())
    if matched is None:
        return None
    modifiers = [(each["letter"], each["number"]) for each in _MODIFIER.finditer(matched["modifiers"])]
    letters = [letter for letter, _ in modifiers]
    if len(set(letters)) < len(letters) or set(letters) >= _CUTS:
        return None
    numbers = dict(modifiers)
    if "V" in numbers and numbers["V"] not in _EDITIONS:
        return None
    name = matched["name"]
    medians = int(numbers.get("M", "0"))
    code = TieBreakCode(
        name=_OTHER_NAMES.get(name, name),
        cut_low=medians or int(numbers.get("C", "0")),
        cut_high=medians,
        limit=int(numbers.get("L", "0")),
        forfeits_as_played="P" in numbers,
        fore="F" in numbers,
        reverse="R" in numbers,
        unrated=int(numbers["U"]) if "U" in numbers else None,
        edition=_EDITIONS[numbers["V"]] if "V" in numbers else None,
    )
    return code, frozenset(letters)
