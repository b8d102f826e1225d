"""The options of a Keizer season: what each result is worth, and how often two players may meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import lcm
from typing import Any

from pairing.engine.snapshot import InvalidSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class KeizerOptions:
    """How a Keizer season is scored and paired. Credits are shares of a value (see `ranking`).

    - `bottom`: the value of the last in the ranking; None: half the number of ranked players, rounded down, at least 1
    - `step`: the difference in value between neighbours in the ranking
    - `counts_self`: a player's own value is part of their total
    - `loss`, `forfeit_win`: shares of the opponent's value
    - `bye`, `excused`, `absent`, `duty`: shares of the player's own value for the pairing-allocated bye, an absence
      with notice, one without, and one on duty for the club
    - `max_excused`: how many absences with notice count in a season, the first ones; later ones count as `absent`
    - `late`: share of the own value for each round before a late entry
    - `withdrawn`: share of the own value, times the result, for a game against a player who has left
    - `gap`: players may meet again after this many rounds
    - `max_meetings`: how often two players may meet at most; None: no limit
    - `is_frozen`: credits keep the values of the day on which they were earned
    """

    bottom: int | None = None
    step: int = 1
    counts_self: bool = True
    loss: Fraction = Fraction(0)
    forfeit_win: Fraction = Fraction(1)
    bye: Fraction = Fraction(2, 3)
    excused: Fraction = Fraction(1, 3)
    max_excused: int = 5
    absent: Fraction = Fraction(0)
    duty: Fraction = Fraction(2, 3)
    late: Fraction = Fraction(1, 3)
    withdrawn: Fraction = Fraction(3, 4)
    gap: int = 4
    max_meetings: int | None = None
    is_frozen: bool = False

    def value_of_rank(self, rank: int, ranked: int) -> int:
        """Return the value of a rank. Ranks count from 1. `ranked` is the number of ranked players."""
        bottom = max(1, ranked // 2) if self.bottom is None else self.bottom
        return bottom + (ranked - rank) * self.step

    @property
    def unit(self) -> int:
        """The common denominator of all shares, used to count credits in whole numbers."""
        shares = (
            self.loss,
            self.forfeit_win,
            self.bye,
            self.excused,
            self.absent,
            self.duty,
            self.late,
            *(self.withdrawn * result for result in (Fraction(1, 2), self.loss, self.forfeit_win)),
        )
        return lcm(2, *(share.denominator for share in shares))


DEFAULT_OPTIONS = KeizerOptions()

OPTION_NAMES: Mapping[str, str] = {
    "bottom": "bottom",
    "step": "step",
    "self": "counts_self",
    "loss": "loss",
    "forfeit_win": "forfeit_win",
    "bye": "bye",
    "excused": "excused",
    "excused_most": "max_excused",
    "absent": "absent",
    "duty": "duty",
    "late": "late",
    "withdrawn": "withdrawn",
    "gap": "gap",
    "meetings": "max_meetings",
    "frozen": "is_frozen",
}
"""The options as they are written in commands and report files, with the fields they set."""

_SWITCHES = {"on": True, "off": False}


class InvalidKeizerOption(InvalidSnapshot):
    """Raised for an option that is unknown, or whose value can't be used."""


def parse_keizer_options(texts: Iterable[str]) -> KeizerOptions:
    """Return the options set by strings such as `gap=6`, `bye=1/2` or `frozen=on`.

    Raises InvalidKeizerOption for an unknown name or a value out of range.
    """
    chosen: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        field = OPTION_NAMES.get(name.strip())
        if field is None:
            raise InvalidKeizerOption(f"there is no option {name!r}; there are {', '.join(OPTION_NAMES)}")
        chosen[field] = _parse_value(name.strip(), field, value.strip())
    return KeizerOptions(**chosen)


def _parse_value(name: str, field: str, text: str) -> bool | int | Fraction:
    kind = {each.name: str(each.type) for each in fields(KeizerOptions)}[field]
    if kind == "bool":
        if text not in _SWITCHES:
            raise InvalidKeizerOption(f"{name} must be on or off, not {text!r}")
        return _SWITCHES[text]
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise InvalidKeizerOption(f"{name} must be a number such as 4, 0.5 or 2/3, not {text!r}") from error
    least = 1 if name in ("gap", "meetings") else 0
    if not least <= value <= 1000:
        raise InvalidKeizerOption(f"{name} must be from {least} to 1000, not {text}")
    if kind == "Fraction":
        return value
    if value.denominator != 1:
        raise InvalidKeizerOption(f"{name} must be a whole number, not {text}")
    return int(value)
