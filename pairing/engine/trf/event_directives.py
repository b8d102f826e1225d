"""Directives of a file about the event: the extensions XX? and BB?, and the TRF26 codes.

| directive | extension | TRF26 |
| --- | --- | --- |
| number of rounds | XXR | 142 |
| colour of player 1 in round 1 | XXC white1, black1 | 152 |
| fictitious points | XXA | 250 |
| pairs that must not meet | XXP | 260 |
| players absent from the round to be paired | XXZ | 240 Z |
| requested byes | blocks of the player's line | 240 H, F |
| points of the results | XXS, BBW and the like | 162, 299 |

In a team event, lines that may be about teams are not read, nor are the points of the teams' bye (162 P).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NoReturn

from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber, Result
from pairing.engine.trf.model import MAX_ROUNDS, TrfError, TrfFile, TrfRecord, TrfRound
from pairing.engine.trf.team_events import CODES_WITH_TEAM_NUMBERS, find_team_event

_FIELD = re.compile(r"\S+")
_WORTH = re.compile(r"([A-Z]+)=([0-9]{0,5}\.?[0-9]{1,5})")
_POINTS = re.compile(r"[0-9]{0,5}\.?[0-9]{1,5}")
_RESULT_AND_POINTS = re.compile(r"(?=\S)([^\s0-9.]*)\s*([0-9.]*)")

DEFAULT_RESULT_POINTS: Mapping[str, Decimal] = {
    code: Decimal(points)
    for code, points in {
        **dict.fromkeys(("WW", "BW", "FW", "FPB", "PAB"), "1"),
        **dict.fromkeys(("WD", "BD", "HPB", "X"), "0.5"),
        **dict.fromkeys(("WL", "BL", "FL", "ZPB"), "0"),
    }.items()
}
"""Points of each result, by XXS's codes: W or B and the result, F forfeits, ?PB byes, X unfinished."""

_WORTH_CODES = {
    Result.FORFEIT_WIN: "FW",
    Result.FORFEIT_LOSS: "FL",
    Result.PAIRING_ALLOCATED_BYE: "PAB",
    Result.FULL_POINT_BYE: "FPB",
    Result.HALF_POINT_BYE: "HPB",
    Result.ZERO_POINT_BYE: "ZPB",
    Result.ABSENT: "ZPB",
    Result.ADJOURNED: "X",
    Result.WIN: "W",
    Result.UNRATED_WIN: "W",
    Result.DRAW: "D",
    Result.UNRATED_DRAW: "D",
    Result.LOSS: "L",
    Result.UNRATED_LOSS: "L",
}

_SHORT_IN_XXS = {"W": ("WW", "BW", "FW", "FPB"), "D": ("WD", "BD", "HPB")}
_SHORT_IN_162 = {
    "W": ("WW", "BW", "FW", "FPB", "PAB"),
    "D": ("WD", "BD", "HPB", "X"),
    "L": ("WL", "BL"),
    "A": ("FL", "ZPB"),
    "P": ("PAB",),
    "X": ("X",),
}
_LINES_OF_ONE_RESULT = {
    "BBW": ("WW", "BW", "FW", "FPB"),
    "BBD": ("WD", "BD", "HPB"),
    "BBL": ("WL", "BL"),
    "BBZ": ("ZPB",),
    "BBF": ("FL",),
    "BBU": ("PAB",),
}
_BYES = {"H": Result.HALF_POINT_BYE, "F": Result.FULL_POINT_BYE, "Z": Result.ZERO_POINT_BYE}


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePosition:
    """A position in a file. Line and column count from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedBye:
    """A bye requested on a separate line (240, XXZ). `round_number` is None for the round to be paired."""

    tpn: PairingNumber
    round_number: int | None
    result: Result
    position: FilePosition


@dataclass(frozen=True, slots=True, kw_only=True)
class ForbiddenPairGroup:
    """Players who must not meet in a range of rounds. If `last_round` is None, the range has no end."""

    players: tuple[PairingNumber, ...]
    first_round: int = 1
    last_round: int | None = None

    def applies_in_round(self, round_number: int) -> bool:
        return self.first_round <= round_number and (self.last_round is None or round_number <= self.last_round)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDirectives:
    """All directives of a file.

    - `rank_by_position`: the position where the file asks for the order of its lines (XXC rank)
    - `abnormal_points`: the position where it gives points that no result has (299)
    - `fictitious`: half points by player and round (from 1)
    - `result_points`: the points of every result by XXS's codes
    - `result_point_positions`: the positions where the file gives them
    """

    rounds: int | None
    first_colour: Colour | None
    rank_by_position: FilePosition | None
    fictitious: Mapping[PairingNumber, Mapping[int, HalfPoints]]
    forbidden: tuple[ForbiddenPairGroup, ...]
    byes: tuple[RequestedBye, ...]
    result_points: Mapping[str, Decimal]
    result_point_positions: Mapping[str, FilePosition]
    abnormal_points: FilePosition | None


def read_directives(trf: TrfFile) -> EventDirectives:
    """Return the directives of a file. Raises TrfError at the first field that cannot be parsed."""
    return _Reader(trf).read_all_directives()


def points_of_block(block: TrfRound, result_points: Mapping[str, Decimal]) -> Decimal:
    """Return the points of a round on a player's line, as `EventDirectives.result_points` gives them."""
    if block.result is None:
        return Decimal(0)
    code = _WORTH_CODES[block.result]
    if len(code) == 1 and code != "X":
        code = ("W" if block.colour is Colour.WHITE else "B") + code
    return result_points[code]


class _Reader:
    def __init__(self, trf: TrfFile) -> None:
        self.trf = trf
        self.players = {player.tpn for player in trf.players}
        self.is_team_event = find_team_event(trf.records_with_line_numbers()) is not None
        self.line = 0
        self.rounds: int | None = None
        self.first_colour: Colour | None = None
        self.rank_by_position: FilePosition | None = None
        self.fictitious: dict[PairingNumber, dict[int, HalfPoints]] = {}
        self.forbidden: list[ForbiddenPairGroup] = []
        self.byes: list[RequestedBye] = []
        self.worth = dict(DEFAULT_RESULT_POINTS)
        self.worth_stated: dict[str, FilePosition] = {}
        self.abnormal_points: FilePosition | None = None

    def read_all_directives(self) -> EventDirectives:
        readers: Mapping[str, Callable[[TrfRecord], None]] = {
            "XXR": self._read_rounds,
            "142": self._read_rounds,
            "XXC": self._read_configuration,
            "152": self._read_first_colour,
            "XXA": self._read_fictitious,
            "250": self._read_fictitious_range,
            "XXP": self._read_forbidden,
            "260": self._read_forbidden_in_rounds,
            "XXZ": self._read_absent,
            "240": self._read_byes,
            "XXS": self._read_worth,
            "162": self._read_worth_2026,
            "299": self._read_abnormal_points,
            **dict.fromkeys(_LINES_OF_ONE_RESULT, self._read_worth_of_one),
        }
        for line, record in self.trf.records_with_line_numbers():
            self.line = line
            if self.is_team_event and record.line_code in CODES_WITH_TEAM_NUMBERS:
                continue
            if record.line_code in readers:
                readers[record.line_code](record)
        return EventDirectives(
            rounds=self.rounds,
            first_colour=self.first_colour,
            rank_by_position=self.rank_by_position,
            fictitious=self.fictitious,
            forbidden=tuple(self._forbidden()),
            byes=tuple(self.byes),
            result_points=self._worth(),
            result_point_positions=self.worth_stated,
            abnormal_points=self.abnormal_points,
        )

    def _read_rounds(self, record: TrfRecord) -> None:
        column, text = self._single(record, "the number of rounds")
        rounds = self._whole(text, column, "the number of rounds, from 1", least=1)
        if rounds > MAX_ROUNDS:
            self._refuse(f"at most {MAX_ROUNDS} rounds", column, text)
        if self.rounds not in (None, rounds):
            self._refuse(f"{self.rounds} rounds, as said before", column, text)
        self.rounds = rounds

    def _read_configuration(self, record: TrfRecord) -> None:
        for column, word in _fields(record):
            if word.lower() in ("white1", "black1"):
                self._set_first_colour(Colour.WHITE if word.lower() == "white1" else Colour.BLACK, column, word)
            elif word.lower() == "rank":
                self.rank_by_position = self._place(column)
            else:
                self._refuse("white1, black1 or rank", column, word)

    def _read_first_colour(self, record: TrfRecord) -> None:
        column, word = self._single(record, "the colour w or b")
        if word.lower() not in ("w", "b"):
            self._refuse("the colour w or b", column, word)
        self._set_first_colour(Colour(word.lower()), column, word)

    def _set_first_colour(self, colour: Colour, column: int, found: str) -> None:
        if self.first_colour not in (None, colour):
            self._refuse("the same first colour as said before", column, found)
        self.first_colour = colour

    def _read_fictitious(self, record: TrfRecord) -> None:
        """Read XXA: the player in columns 4 to 8, round r's points from column 10 + 5 (r - 1)."""
        tpn = self._player(record.text[3:8].strip(), 5)
        if record.text[8:9].strip():
            self._refuse("a blank after the player", 9, record.text[8])
        points = self.fictitious.setdefault(tpn, {})
        for round_number, start in enumerate(range(9, len(record.text.rstrip()), 5), start=1):
            if record.text[start + 4 : start + 5].strip():
                self._refuse("a blank between two rounds", start + 5, record.text[start + 4])
            text = record.text[start : start + 4].strip()
            if text:
                points[round_number] = self._half_points(text, start + 1)

    def _read_fictitious_range(self, record: TrfRecord) -> None:
        """Read 250: points, first and last round, first and last player, each in its columns."""
        points = self._half_points(record.text[9:13].strip(), 10)
        first, last = self._round(record, slice(14, 17)), self._round(record, slice(18, 21))
        from_tpn = self._whole(record.text[21:26].strip(), 23, "the first player", least=1)
        to_tpn = self._whole(record.text[26:31].strip(), 28, "the last player", least=from_tpn)
        if last < first:
            self._refuse(f"a last round from {first}", 19, str(last))
        for tpn in self.players:
            if from_tpn <= tpn <= to_tpn:
                rounds = self.fictitious.setdefault(tpn, {})
                rounds.update(dict.fromkeys(range(first, last + 1), points))

    def _read_forbidden(self, record: TrfRecord) -> None:
        players = tuple(self._player(text, column) for column, text in _fields(record))
        self.forbidden.append(ForbiddenPairGroup(players=players))

    def _read_forbidden_in_rounds(self, record: TrfRecord) -> None:
        first, last = self._round(record, slice(4, 7)), self._round(record, slice(8, 11))
        players = tuple(self._player(text, column) for column, text in _fields(record, start=11))
        self.forbidden.append(ForbiddenPairGroup(players=players, first_round=first, last_round=last))

    def _forbidden(self) -> Iterator[ForbiddenPairGroup]:
        """Yield the groups. One up to the last round has no end, so that it holds if the event gets another round."""
        for group in self.forbidden:
            is_open = self.rounds is not None and group.last_round is not None and group.last_round >= self.rounds
            yield replace(group, last_round=None) if is_open else group

    def _read_absent(self, record: TrfRecord) -> None:
        for column, text in _fields(record):
            self._add_bye(text, column, None, Result.ZERO_POINT_BYE)

    def _read_byes(self, record: TrfRecord) -> None:
        kind = record.text[4:5].upper()
        if kind not in _BYES:
            self._refuse("the kind of bye F, H or Z", 5, kind)
        round_number = self._round(record, slice(6, 9))
        for column, text in _fields(record, start=9):
            self._add_bye(text, column, round_number, _BYES[kind])

    def _add_bye(self, text: str, column: int, round_number: int | None, result: Result) -> None:
        tpn = self._player(text, column)
        self.byes.append(RequestedBye(tpn=tpn, round_number=round_number, result=result, position=self._place(column)))

    def _read_worth(self, record: TrfRecord) -> None:
        for column, text in _fields(record):
            match = _WORTH.fullmatch(text)
            if not match or match[1] not in _SHORT_IN_XXS.keys() | DEFAULT_RESULT_POINTS.keys():
                self._refuse("a result and its points, such as WW=1.0", column, text)
            self._set_worth(_SHORT_IN_XXS.get(match[1], (match[1],)), match[2], column)

    def _read_worth_2026(self, record: TrfRecord) -> None:
        """Read 162: each result's letter and its points, which fill their columns from 10.0."""
        for match in _RESULT_AND_POINTS.finditer(record.text, 3):
            column, code, points = match.start() + 1, match[1], match[2]
            if code not in _SHORT_IN_162:
                self._refuse("a result W, D, L, A, P or X", column, code or points)
            if not _POINTS.fullmatch(points):
                self._refuse("points such as 1.0 after the result", match.start(2) + 1, points)
            if not (self.is_team_event and code == "P"):
                self._set_worth(_SHORT_IN_162[code], points, column)

    def _read_worth_of_one(self, record: TrfRecord) -> None:
        column, text = self._single(record, "points such as 1.0")
        if not _POINTS.fullmatch(text):
            self._refuse("points such as 1.0", column, text)
        self._set_worth(_LINES_OF_ONE_RESULT[record.line_code], text, column)

    def _set_worth(self, codes: tuple[str, ...], points: str, column: int) -> None:
        for code in codes:
            self.worth[code] = Decimal(points)
            self.worth_stated[code] = self._place(column)

    def _worth(self) -> dict[str, Decimal]:
        """Return the points of every result. By default a pairing-allocated bye is a win, an unfinished game a draw."""
        unsaid = {"PAB": "WW", "X": "WD"}
        worth = self.worth | {code: self.worth[like] for code, like in unsaid.items() if code not in self.worth_stated}
        return worth | {"PAB": Decimal(0)} if self.is_team_event and self._leaves_out_byes(worth) else worth

    def _leaves_out_byes(self, worth: Mapping[str, Decimal]) -> bool:
        """Return True if a team's bye counts for no player in the file's own points, though it does for some teams'."""
        without = {**worth, "PAB": Decimal(0)}
        sums = {
            (
                player.points,
                *(sum(points_of_block(block, each) for block in player.rounds) for each in (without, worth)),
            )
            for player in self.trf.players
            if any(block.result is Result.PAIRING_ALLOCATED_BYE for block in player.rounds)
        }
        return any(stated == less for stated, less, _more in sums) and not any(
            stated == more for stated, _less, more in sums
        )

    def _read_abnormal_points(self, record: TrfRecord) -> None:
        self.abnormal_points = self.abnormal_points or self._place(1)

    def _single(self, record: TrfRecord, expected: str) -> tuple[int, str]:
        """Return the single field of a line, with its column."""
        fields = list(_fields(record))
        if len(fields) != 1:
            self._refuse(expected, fields[1][0] if fields else 5, record.line_value)
        return fields[0]

    def _round(self, record: TrfRecord, place: slice) -> int:
        text = record.text[place].strip()
        number = self._whole(text, place.start + 1, "a round in three digits", least=1)
        if number > MAX_ROUNDS:
            self._refuse(f"a round up to {MAX_ROUNDS}", place.start + 1, text)
        return number

    def _player(self, text: str, column: int) -> PairingNumber:
        tpn = self._whole(text, column, "a player's starting rank", least=1)
        if tpn not in self.players:
            self._refuse("the starting rank of a player of this file", column, text)
        return tpn

    def _whole(self, text: str, column: int, expected: str, *, least: int) -> int:
        if not (text.isascii() and text.isdigit()) or len(text) > 5 or int(text) < least:
            self._refuse(expected, column, text)
        return int(text)

    def _half_points(self, text: str, column: int) -> HalfPoints:
        if not _POINTS.fullmatch(text) or Decimal(text) * 2 % 1:
            self._refuse("fictitious points in halves, such as 1.5", column, text)
        return int(Decimal(text) * 2)

    def _place(self, column: int) -> FilePosition:
        return FilePosition(line=self.line, column=column)

    def _refuse(self, expected: str, column: int, found: str) -> NoReturn:
        raise TrfError(expected, name=self.trf.name, line=self.line, column=column, found=found)


def _fields(record: TrfRecord, *, start: int = 3) -> Iterator[tuple[int, str]]:
    """Yield the fields after the code, separated by blanks, each with its column."""
    return ((match.start() + 1, match.group()) for match in _FIELD.finditer(record.text, start))
