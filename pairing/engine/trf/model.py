"""A report file as data: every line in its order, players' lines parsed, all others unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from pairing.engine.snapshot import Colour, PairingNumber, Result, RoundRecord
from pairing.engine.trf.errors import TrfWarning

FIDE_TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
_OLD_TITLES = {
    "G": "GM",
    "M": "IM",
    "WG": "WGM",
    "F": "FM",
    "WM": "WIM",
    "C": "CM",
    "WF": "WFM",
    "WC": "WCM",
}
"""The short forms of 2006, still written by some programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfRound:
    """One round on a player's line.

    Without opponent and result it is a blank block, without information. `Result.ABSENT` is a recorded absence (`0000 -
    -`). An opponent without a result is a game whose result is still missing.
    """

    opponent: PairingNumber | None = None
    colour: Colour | None = None
    result: Result | None = None

    @property
    def is_blank(self) -> bool:
        return self.opponent is None and self.result is None

    @property
    def is_from_pairing(self) -> bool:
        """True if the system paired the player: a game, a forfeit with its opponent, the pairing-allocated bye."""
        return self.opponent is not None or self.result is Result.PAIRING_ALLOCATED_BYE

    @property
    def round_record(self) -> RoundRecord:
        """The record for the engine; a blank block is an absence. Raises ValueError if the result is missing."""
        if self.result is None and self.opponent is not None:
            raise ValueError("a game without a result")
        return RoundRecord(result=self.result or Result.ABSENT, opponent=self.opponent, colour=self.colour)

    @classmethod
    def from_round_record(cls, record: RoundRecord) -> TrfRound:
        """Return the block of a player's line for an engine record."""
        return cls(opponent=record.opponent, colour=record.colour, result=record.result)


BLANK_ROUND = TrfRound()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfPlayer:
    """A player's line (001). Texts are without padding; `rounds` ends with the last block that is not blank.

    `points` are as written, in the file's own point system; `rating` is 0 for an unrated player.
    """

    tpn: PairingNumber
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int = 0
    federation: str = ""
    fide_number: str = ""
    birth_date: str = ""
    points: Decimal | None = None
    rank: int | None = None
    rounds: tuple[TrfRound, ...] = ()

    @property
    def fide_title(self) -> str:
        """The title in FIDE's present form (GM, WFM, ...), empty without one."""
        title = self.title.upper()
        return title if title in FIDE_TITLES else _OLD_TITLES.get(title, "")

    def get_round(self, number: int) -> TrfRound:
        """Return the block of a round (from 1); blank if the line is too short."""
        return self.rounds[number - 1] if number <= len(self.rounds) else BLANK_ROUND


def format_trf_points(points: Decimal) -> str:
    """Return points for the points column: with one decimal, or unchanged if that does not fit."""
    text = f"{points:.1f}"
    return text if len(text) <= 4 and Decimal(text) == points else str(points)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfRecord:
    """Any other line, unchanged: tournament data, extensions, teams, comments, blank lines."""

    text: str

    @property
    def line_code(self) -> str:
        """The three-character code of the line; empty for blank lines and comments."""
        return "" if self.text.startswith("#") else self.text[:3].strip()

    @property
    def line_value(self) -> str:
        return self.text[4:].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfFile:
    """A report file: its line n is `lines[n - 1]`. `name` is the file's, for messages."""

    lines: tuple[TrfPlayer | TrfRecord, ...]
    name: str = "report.trf"
    newline: str = "\r\n"
    warnings: tuple[TrfWarning, ...] = ()

    @property
    def players(self) -> tuple[TrfPlayer, ...]:
        """The players in the order of the file."""
        return tuple(line for line in self.lines if isinstance(line, TrfPlayer))

    def players_with_line_numbers(self) -> Iterator[tuple[int, TrfPlayer]]:
        """Yield every player with the number of their line."""
        return ((number, line) for number, line in enumerate(self.lines, start=1) if isinstance(line, TrfPlayer))

    def records_with_line_numbers(self) -> Iterator[tuple[int, TrfRecord]]:
        """Yield every other line with its number."""
        return ((number, line) for number, line in enumerate(self.lines, start=1) if isinstance(line, TrfRecord))

    def values_for_code(self, code: str) -> tuple[str, ...]:
        """Return the values of all lines with that code, in the order of the file."""
        return tuple(line.line_value for _, line in self.records_with_line_numbers() if line.line_code == code)

    def first_value_for_code(self, code: str) -> str:
        """Return the value of the first line with that code; empty without one."""
        return next(iter(self.values_for_code(code)), "")

    @property
    def rounds_paired(self) -> int:
        """The last round in which any pairing was made; requested byes alone make no round."""
        latest = 0
        for player in self.players:
            # Check only rounds after the latest so far: the last block is enough for nearly all players.
            for number in range(len(player.rounds), latest, -1):
                if player.rounds[number - 1].is_from_pairing:
                    latest = number
                    break
        return latest
