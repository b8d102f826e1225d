"""Crosstables of chess-results, Swiss-Manager, Vega and similar programs, read as an event's report.

A cell holds the opponent's number from the first column, a letter for the colour in some language, and the result:
`12w1`, `3s½`, `7b+`, `-0`; or, in Vega, `+W12`, `=B3`. The rows become a report, so that the two players' lines of each
game are compared as in any other report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.utils.translation import gettext as _

from common.tabular.column_mapping import find_heading_line
from common.tabular.parsed_table import ParsedTable, spreadsheet_column_letters
from common.tabular.spreadsheets import read_table
from common.tabular.text_tables import TableRow
from pairing.engine.snapshot import Colour, Result
from pairing.engine.trf import TrfError, TrfFile, TrfPlayer, TrfRecord, TrfRound, model
from pairing.engine.trf.consistency_checks import check_player_lines_agree, find_file_warnings
from pairing.engine.trf.event_directives import read_directives
from tournaments.entries.column_detection import ParsedList, list_lines_from_table, parse_player_list
from tournaments.entries.player_rows import MAX_PLAYERS, PlayerRow, TextProblem
from tournaments.import_export.report_files import ImportedEvent, ReportFile

_ROUND = re.compile(
    r"([1-9][0-9]?) ?[.ªº°]? ?(?:rd|rnd|round|runde|r|rde|kolo|k|runda|кръг|кр|тур|т|ronda|ronde|turno|t)?\.?"
    r"|(?:rd|round|runde|r|kolo|runda|кръг|тур|ronda|ronde|turno) ?\.? ?([1-9][0-9]?)",
    re.IGNORECASE,
)
_POINTS_CELL = re.compile(r"\d{1,4}|\d{0,4}\.\d{1,2}", re.ASCII)
_POINTS = re.compile(
    r"(?:pts|pkt|points|punkte|pt|body|b|т|точки|бали|очки|puntos|ptos|punti|punkty)\.?", re.IGNORECASE
)
_PLACE = re.compile(
    r"(?:rk|rank|rg|rang|place|pl|platz|poz|pozycja|m|miejsce|poř|pořadí|místo|място|місце|pos|puesto|lugar|cl|posto)\.?",
    re.IGNORECASE,
)
_STARTING_NUMBER = re.compile(
    r"(?:s|st|start|starting)?[ .]?(?:no|nr|rank|nº|№|č|n)\.?|stnr\.?|tlnr\.?|ст\.? ?№|ст\.? ?ном\.?|nr st\.?"
    r"|num\.?|núm\.?",
    re.IGNORECASE,
)
_RESULT = r"(1/2|0[.,]5|[10½=+\-*]?)"
_NUMBER_FIRST = re.compile(rf"([0-9]{{1,5}}) ?([^\W\d_]) ?{_RESULT}([KF*]?)")
"""A letter after the result means that nobody played, a star that the game isn't rated."""
_RESULT_FIRST = re.compile(r"([10½=+\-]) ?([^\W\d_]) ?([0-9]{1,5})")
_WITHOUT_GAME = re.compile(
    r"-? ?(1/2|0[.,]5|[10½+])|(bye|bye1|spielfrei|pauza|volno|libre|exempt|riposo|вільний|почивка)", re.I
)
_CHESS_RESULTS = re.compile(r"\bhttps?://(?:www\.)?chess-results\.com/?\Z", re.IGNORECASE)
_EMPTY = frozenset({"", "-", "--", "–", "**", "***", "-0", "- 0"})

_WHITE_OF = {
    frozenset("wb"): "w",
    frozenset("ws"): "w",
    frozenset("bc"): "b",
    frozenset("bč"): "b",
    frozenset("bn"): "b",
    frozenset("bp"): "b",
    frozenset("wz"): "w",
    frozenset("vs"): "v",
    frozenset("бч"): "б",
}
"""The letter for White, by the letters in the table: "b" is Black in some languages, White in others."""
_RESULTS = {
    **dict.fromkeys(("1",), Result.WIN),
    **dict.fromkeys(("½", "=", "1/2", "0.5", "0,5"), Result.DRAW),
    "0": Result.LOSS,
    "+": Result.FORFEIT_WIN,
    "-": Result.FORFEIT_LOSS,
    "*": None,
    "": None,
}
_FORFEITS = {"1": Result.FORFEIT_WIN, "+": Result.FORFEIT_WIN, "0": Result.FORFEIT_LOSS, "-": Result.FORFEIT_LOSS}
_UNRATED = {"1": Result.UNRATED_WIN, "½": Result.UNRATED_DRAW, "0": Result.UNRATED_LOSS}
_BYES = {"1": Result.PAIRING_ALLOCATED_BYE, "+": Result.FORFEIT_WIN, "0": Result.ABSENT}
MIN_SHARE_OF_RESULT_CELLS = 0.8
"""Share of cells in the round columns that must be readable results for the table to be a crosstable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """A parsed cell: the opponent's number in the table, the letter for the colour, the result."""

    opponent: int | None
    letter: str
    result: Result | None


def parse_crosstable(data: bytes, filename: str) -> ImportedEvent | None:
    """Parse a file as a crosstable, or return None if it isn't one."""
    table = read_table(data, most_rows=MAX_PLAYERS)
    at = find_heading_line(table.lines, lambda row: _rounds_in(row.cells))
    if at is None or table.problems:
        return None
    rounds = _rounds_in(table.lines[at].cells)
    body = [row for row in table.lines[at + 1 :] if sum(bool(cell) for cell in row.cells) > 1]
    texts = [row.cell(place) for row in body for place in rounds]
    letters = {cell.letter for text in texts if (cell := _read(text)) and cell.letter}
    known = sum(_read(text) is not None for text in texts)
    if not letters or known < MIN_SHARE_OF_RESULT_CELLS * len(texts):
        return None
    return _Reading(table, at, rounds, filename).build_crosstable(letters)


def _rounds_in(headings: Sequence[str]) -> list[int]:
    """Return the adjacent columns of rounds 1, 2, ..., or none if the headings have no rounds."""
    found: list[int] = []
    for place, heading in enumerate(headings):
        match = _ROUND.fullmatch(" ".join(heading.split()))
        number = int(match[1] or match[2]) if match else 0
        if number == len(found) + 1 and (not found or place == found[-1] + 1):
            found.append(place)
    return found


def _read(text: str) -> _Cell | None:
    """Parse a cell, or return None if it isn't a result."""
    text = " ".join(text.split()).replace("−", "-")
    if text in _EMPTY:
        return _Cell(opponent=None, letter="", result=None)
    if match := _NUMBER_FIRST.fullmatch(text):
        if match[4]:
            other = (_UNRATED if match[4] == "*" else _FORFEITS).get(match[3])
            return other and _Cell(opponent=int(match[1]), letter=match[2].lower(), result=other)
        return _Cell(opponent=int(match[1]), letter=match[2].lower(), result=_RESULTS[match[3]])
    if match := _RESULT_FIRST.fullmatch(text):
        return _Cell(opponent=int(match[3]), letter=match[2].lower(), result=_RESULTS[match[1]])
    if match := _WITHOUT_GAME.fullmatch(text):
        return _Cell(opponent=None, letter="", result=_BYES.get(match[1] or "1", Result.HALF_POINT_BYE))
    return None


class _Reading:
    def __init__(self, table: ParsedTable, at: int, rounds: list[int], filename: str) -> None:
        self.table, self.at, self.rounds, self.filename = table, at, rounds, filename
        self.headings = table.lines[at].cells
        self.problems: list[TextProblem] = []
        self.warnings: list[TextProblem] = []

    def build_crosstable(self, letters: set[str]) -> ImportedEvent:
        found = self._players()
        white = self._white(letters)
        report = None
        if not self.problems and not found.problems and not any(row.problems for row in found.rows):
            report = self._report(found.rows, white)
        problems = (*self.problems, *found.problems, *(problem for row in found.rows for problem in row.problems))
        doubts = [TextProblem(line=0, column=0, message=doubt) for doubt in found.doubts]
        return ImportedEvent(
            report=None if problems else report,
            rows=found.rows,
            format=self.table.kind,
            encoding=self.table.encoding,
            problems=problems,
            warnings=(*doubts, *self.warnings),
        )

    def _players(self) -> ParsedList:
        """Read the players' columns, without the rounds and all after them."""
        rest = [place for place in range(len(self.headings)) if place not in self.rounds and not self._is_points(place)]
        lines = tuple(
            replace(row, cells=tuple(row.cell(place) for place in rest)) for row in self.table.lines[self.at :]
        )
        return parse_player_list(list_lines_from_table(replace(self.table, lines=lines)), {})

    def _is_points(self, place: int) -> bool:
        return place > self.rounds[-1]

    def _white(self, letters: set[str]) -> str:
        fitting = {white for both, white in _WHITE_OF.items() if letters <= both}
        if len(fitting) == 1:
            return fitting.pop()
        message = _("The colour letters are unclear: %(letters)s.") % {"letters": ", ".join(sorted(letters))}
        self.problems.append(TextProblem(line=0, column=0, message=message))
        return ""

    def _report(self, rows: Sequence[PlayerRow], white: str) -> ReportFile | None:
        cells = {row.line: row for row in self.table.lines}
        numbers: dict[int, int] = {}
        for row in rows:
            text = cells[row.line].cell(0).rstrip(".")
            if not _is_number(text) or int(text) in numbers:
                self._refuse(row.line, 0, _("This cell needs a player number that no other row has."))
                return None
            numbers[int(text)] = row.line
        tpns = self._starting_numbers(rows, numbers)
        players = {row.line: self._player(row, cells[row.line], white, tpns) for row in rows}
        if self.problems:
            return None
        blank = TrfRecord(text="")
        named = {line: TrfRecord(text=f"012 {name}") for line, name in self._event_name()}
        lines = tuple(players.get(line) or named.get(line, blank) for line in range(1, max(players) + 1))
        trf = TrfFile(lines=lines, name=self.filename)
        try:
            check_player_lines_agree(trf)
        except TrfError as error:
            message = _("The rows of the 2 players disagree about this game.")
            self._refuse(error.line, self._place_of(error.column), message, error.expected)
            return None
        said = replace(read_directives(trf), rounds=len(self.rounds))
        report = ReportFile(
            trf=replace(trf, warnings=find_file_warnings(trf, said)),
            directives=said,
            table_rows={row.line: row for row in rows},
        )
        for problem in report.problems:
            self._refuse(problem.line, self._place_of(problem.column), problem.message, problem.expected)
        return report

    def _event_name(self) -> list[tuple[int, str]]:
        """Return the line and text of the event's name. chess-results writes it below the line with its own address."""
        above = [row for row in self.table.lines[: self.at] if sum(bool(cell) for cell in row.cells) == 1]
        titles = [(row.line, next(cell for cell in row.cells if cell)) for row in above]
        if len(titles) > 1 and _CHESS_RESULTS.search(titles[0][1]):
            return [(titles[1][0], " ".join(titles[1][1].split()))]
        return []

    def _starting_numbers(self, rows: Sequence[PlayerRow], numbers: Mapping[int, int]) -> dict[int, int]:
        """Map each number of the table to a starting number: the same, unless the first column holds places."""
        if not _PLACE.fullmatch(self.headings[0].strip()):
            return {number: number for number in numbers}
        if said := self._numbers_said(numbers):
            return said
        ratings = {row.line: row.rating for row in rows}
        order = sorted(numbers, key=lambda number: (-ratings[numbers[number]], number))
        message = _("The table is sorted by place, so we numbered the players by rating.")
        self.warnings.append(TextProblem(line=0, column=0, message=message))
        return {number: tpn for tpn, number in enumerate(order, start=1)}

    def _numbers_said(self, numbers: Mapping[int, int]) -> dict[int, int]:
        """Return the starting numbers from a column beside the places, or none if they aren't unique numbers."""
        cells = {row.line: row for row in self.table.lines}
        for place in range(1, self.rounds[0]):
            if _STARTING_NUMBER.fullmatch(self.headings[place].strip()):
                texts = {number: cells[line].cell(place).rstrip(".") for number, line in numbers.items()}
                if all(_is_number(text) for text in texts.values()):
                    said = {number: int(text) for number, text in texts.items()}
                    return said if len(set(said.values())) == len(said) else {}
        return {}

    def _player(self, row: PlayerRow, cells: TableRow, white: str, tpns: Mapping[int, int]) -> TrfPlayer:
        rounds = []
        for place in self.rounds:
            cell = _read(cells.cell(place))
            if cell is None or (cell.opponent is not None and cell.opponent not in tpns):
                self._refuse(
                    row.line, place, _("“%(text)s” isn't a valid crosstable entry.") % {"text": cells.cell(place)}
                )
                continue
            colour = None
            if cell.opponent is not None:
                colour = Colour.WHITE if cell.letter == white else Colour.BLACK
            opponent = None if cell.opponent is None else tpns[cell.opponent]
            rounds.append(TrfRound(opponent=opponent, colour=colour, result=cell.result))
        while rounds and rounds[-1].is_blank:
            rounds.pop()
        number = int(cells.cell(0).rstrip("."))
        return TrfPlayer(
            tpn=tpns[number],
            name=row.name,
            sex=row.sex,
            title=row.title,
            rating=row.rating,
            federation=row.federation,
            fide_number=row.fide_id,
            birth_date=row.birth,
            points=self._points(cells),
            rank=number if _PLACE.fullmatch(self.headings[0].strip()) else None,
            rounds=tuple(rounds),
        )

    def _points(self, cells: TableRow) -> Decimal | None:
        """Return the points in the first column after the rounds that is headed as points."""
        for place in range(self.rounds[-1] + 1, len(self.headings)):
            if _POINTS.fullmatch(self.headings[place].strip()):
                text = cells.cell(place).replace(",", ".").replace("½", ".5")
                return Decimal(text) if _POINTS_CELL.fullmatch(text) else None
        return None

    def _place_of(self, column: int) -> int:
        """Return the table column for a column of the report."""
        number = model.round_of_column(column)
        return self.rounds[number - 1] if 0 < number <= len(self.rounds) else 0

    def _refuse(self, line: int, place: int, message: str, expected: str = "") -> None:
        heading = self.table.lines[self.at].cell(place)
        cell = (
            f"{spreadsheet_column_letters(place + 1)} ({heading})" if heading else spreadsheet_column_letters(place + 1)
        )
        self.problems.append(TextProblem(line=line, column=place + 1, message=message, expected=expected, cell=cell))


def _is_number(text: str) -> bool:
    """Return True if the text is a starting number or place, from 1."""
    return text.isascii() and text.isdigit() and len(text) < 6 and int(text) > 0
