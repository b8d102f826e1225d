"""A report file as data: every line in its order, players' lines parsed, all others unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from pairing.engine.snapshot import Colour, PairingNumber, Result, RoundRecord


class TrfEdition(StrEnum):
    """The editions of the report format, which use different codes for data about the event."""

    TRF26 = "trf26"
    """FIDE's 2026 codes (142, 152, 162, 250, 260, ...)."""
    TRF16 = "trf16"
    """The edition of 2016 with the extensions of pairing programs (XXR, XXC, XXS, XXA, XXP)."""


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
        """True if the system paired the player: a game, a forfeit against an opponent, or the pairing-allocated bye."""
        return self.opponent is not None or self.result is Result.PAIRING_ALLOCATED_BYE

    @property
    def round_record(self) -> RoundRecord:
        """The record for the engine. A blank block is an absence. Raises ValueError if the result is missing."""
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
    """A player's line (001). Strings have no padding. `rounds` ends with the last block that is not blank.

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
        """The title in FIDE's current form (GM, WFM, ...), or an empty string."""
        title = self.title.upper()
        return title if title in FIDE_TITLES else _OLD_TITLES.get(title, "")

    def get_round(self, number: int) -> TrfRound:
        """Return the block of a round (from 1). It is blank if the line is too short."""
        return self.rounds[number - 1] if number <= len(self.rounds) else BLANK_ROUND


def format_trf_points(points: Decimal) -> str:
    """Return points for the points column: with one decimal, or unchanged if they do not fit."""
    text = f"{points:.1f}"
    return text if len(text) <= 4 and Decimal(text) == points else str(points)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfRecord:
    """Any other line, unchanged: tournament data, extensions, teams, comments, blank lines."""

    text: str

    @property
    def line_code(self) -> str:
        """The three-character code of the line. Empty for blank lines and comments."""
        return "" if self.text.startswith("#") else self.text[:3].strip()

    @property
    def line_value(self) -> str:
        return self.text[4:].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfFile:
    """A report file: its line n is `lines[n - 1]`. `name` is the file name, for messages."""

    lines: tuple[TrfPlayer | TrfRecord, ...]
    name: str = "report.trf"
    newline: str = "\r\n"
    warnings: tuple[TrfWarning, ...] = ()

    @property
    def players(self) -> tuple[TrfPlayer, ...]:
        """The players in the order of the file."""
        return tuple(line for line in self.lines if isinstance(line, TrfPlayer))

    def players_with_line_numbers(self) -> Iterator[tuple[int, TrfPlayer]]:
        """Yield every player with their line number."""
        return ((number, line) for number, line in enumerate(self.lines, start=1) if isinstance(line, TrfPlayer))

    def records_with_line_numbers(self) -> Iterator[tuple[int, TrfRecord]]:
        """Yield every other line with its number."""
        return ((number, line) for number, line in enumerate(self.lines, start=1) if isinstance(line, TrfRecord))

    def values_for_code(self, code: str) -> tuple[str, ...]:
        """Return the values of all lines with that code, in the order of the file."""
        return tuple(line.line_value for _, line in self.records_with_line_numbers() if line.line_code == code)

    def first_value_for_code(self, code: str) -> str:
        """Return the value of the first line with that code. Empty if there is none."""
        return next(iter(self.values_for_code(code)), "")

    def before_open_games(self) -> TrfFile:
        """Return the file without its rounds from the first game without a result on."""
        open_rounds = (
            number
            for player in self.players
            for number, block in enumerate(player.rounds, start=1)
            if block.opponent is not None and block.result is None
        )
        first = min(open_rounds, default=None)
        if first is None:
            return self
        lines = tuple(
            replace(line, rounds=line.rounds[: first - 1]) if isinstance(line, TrfPlayer) else line
            for line in self.lines
        )
        return replace(self, lines=lines)

    @property
    def rounds_paired(self) -> int:
        """The last round with any pairing. A round with only requested byes does not count."""
        latest = 0
        for player in self.players:
            # Check only rounds after the latest so far: the last block is enough for nearly all players.
            for number in range(len(player.rounds), latest, -1):
                if player.rounds[number - 1].is_from_pairing:
                    latest = number
                    break
        return latest


TPN = slice(3, 8)
MAX_TPN = 99_999
MAX_ROUNDS, MAX_PLAYERS, MAX_LINES = 99, 10_000, 200_000
"""Limits of an event and its file, wherever they come from."""
SEX = slice(9, 10)
TITLE = slice(10, 13)
NAME = slice(14, 47)
RATING = slice(48, 52)
FEDERATION = slice(53, 56)
FIDE_NUMBER = slice(57, 68)
BIRTH_DATE = slice(69, 79)
POINTS = slice(80, 84)
RANK = slice(84, 89)
GAPS = (8, 13, 47, 52, 56, 68, 79, 89)
"""Columns between the fields, always blank."""

FIRST_BLOCK = 90
BLOCK_WIDTH = 10
"""Round n begins at FIRST_BLOCK + (n - 1) * BLOCK_WIDTH: opponent (5), blank, colour, blank, result, blank."""

RESULTS_BY_LETTER = {result.value: result for result in Result if result is not Result.ABSENT}
"""The letters of a result column. An absence has the letter of a forfeit loss, without an opponent."""


def opponent_column_of_round(round_number: int) -> int:
    """Return the column (from 1) of the opponent in that round."""
    return FIRST_BLOCK + (round_number - 1) * BLOCK_WIDTH + 2


def colour_column_of_round(round_number: int) -> int:
    """Return the column (from 1) of the player's colour in that round."""
    return opponent_column_of_round(round_number) + 5


def result_column_of_round(round_number: int) -> int:
    """Return the column (from 1) of the player's result in that round."""
    return opponent_column_of_round(round_number) + 7


def round_of_column(column: int) -> int:
    """Return the round whose block has that column (from 1), or 0 if it is before the rounds."""
    return max(0, (column - FIRST_BLOCK - 1) // BLOCK_WIDTH + 1)


class TrfError(ValueError):
    """Raised if a file cannot be used. Says where (line and column, from 1), what was expected and what was found."""

    def __init__(self, expected: str, *, name: str, line: int, column: int, found: str = "") -> None:
        self.name = name
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
        super().__init__(str(self))

    def __str__(self) -> str:
        found = f", found {self.found!r}" if self.found.strip() else ""
        return f"{self.name}: line {self.line}, column {self.column}: expected {self.expected}{found}"


class TeamEventError(TrfError):
    """Raised if the next round of a team event is asked for. `line` is the line that shows the team event."""

    def __init__(self, *, name: str, line: int, column: int, found: str) -> None:
        super().__init__(
            "an individual event: this is a team event, and teams are not paired here",
            name=name,
            line=line,
            column=column,
            found=found.strip(),
        )


class TrfWarningKind(StrEnum):
    """The kinds of warning. None affects the pairing, which depends only on the results."""

    POINTS_DIFFER = "points_differ"
    """The points column is not the sum of the results."""
    PLAYER_COUNT_DIFFERS = "player_count_differs"
    """Line 062 gives a number of players other than the actual one."""
    RANKS_DIFFER = "ranks_differ"
    """A better rank has fewer points than the next; `stated` are both ranks, `computed` both players' points."""
    SEVERAL_BYES = "several_byes"
    """A round has more than one pairing-allocated bye; `stated` is the round, `computed` their number."""
    GAMES_ANNULLED = "games_annulled"
    """A player left a round robin before half of their games, but the file's points count them; `stated` is their
    number, `computed` how many games they played."""
    TEAM_EVENT = "team_event"
    """A team event, of which only players, games and individual points are read; `stated` is what shows it."""
    TEAM_LINES_IGNORED = "teams_passed_over"
    """A file that calls itself individual has lines 013; `computed` is their number."""
    TYPE_UNKNOWN = "type_unknown"
    """Line 192 names an unsupported pairing system; `stated` is its name."""
    TIE_BREAKS_UNKNOWN = "tie_breaks_unknown"
    """Line 202 or 212 names unsupported tie-breaks; `stated` are their names."""
    TIME_CONTROL_UNKNOWN = "time_control_unknown"
    """Line 222 isn't an encoded time control; `stated` is its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfWarning:
    """A contradiction in a usable file: the value `stated` in the line, and the value `computed`."""

    kind: TrfWarningKind
    line: int
    column: int
    stated: str
    computed: str

    def __str__(self) -> str:
        said = _SENTENCES[self.kind].format(stated=self.stated, computed=self.computed)
        return f"line {self.line}, column {self.column}: {said}"


_SENTENCES = {
    TrfWarningKind.POINTS_DIFFER: "points {stated} stated, {computed} found",
    TrfWarningKind.PLAYER_COUNT_DIFFERS: "number of players {stated} stated, {computed} found",
    TrfWarningKind.RANKS_DIFFER: "ranks {stated} have {computed} points",
    TrfWarningKind.SEVERAL_BYES: "round {stated} has {computed} pairing-allocated byes",
    TrfWarningKind.GAMES_ANNULLED: "player {stated} left before playing half of their games ({computed} played): in a "
    "round robin these do not count, but the points of the file count them",
    TrfWarningKind.TEAM_EVENT: "a team event ({stated}): players, games and individual points are read, "
    "but not the teams, their results, byes and tie-breaks",
    TrfWarningKind.TEAM_LINES_IGNORED: "{computed} lines of teams are passed over: the file calls its event individual",
    TrfWarningKind.TYPE_UNKNOWN: "{stated} names no pairing system that is known here",
    TrfWarningKind.TIE_BREAKS_UNKNOWN: "tie-breaks that are not counted here: {stated}",
    TrfWarningKind.TIME_CONTROL_UNKNOWN: "no encoded time control: {stated}",
}
