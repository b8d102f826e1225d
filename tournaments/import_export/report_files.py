"""Report files (TRF) with the problems that keep them from becoming an event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property

from django.utils.translation import gettext as _

from common.text.rating_text import MAX_RATING
from pairing.engine.snapshot import PairingNumber, Result
from pairing.engine.trf import (
    TrfError,
    TrfFile,
    TrfPlayer,
    TrfRound,
    TrfWarningKind,
    model,
    read_trf,
    snapshot_from_trf,
)
from pairing.engine.trf.consistency_checks import check_player_lines_agree, find_file_warnings
from pairing.engine.trf.event_directives import EventDirectives, read_directives
from tournaments.entries.player_rows import PlayerRow, TextProblem
from tournaments.import_export.snapshots import RESULTS_BY_SIDE

BYE_LINE_CODES = ("XXZ", "240")
"""Codes of lines that name byes, which may also be in the players' own lines."""

_SEXES = {"m": "m", "w": "w", "f": "w"}
_DATES = ("%Y/%m/%d", "%Y-%m-%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%y/%m/%d", "%b%d,%Y", "%B%d,%Y")


class UnreadableReport(Exception):
    """Raised if a file can't be read. `problem` says where."""

    def __init__(self, problem: TextProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, kw_only=True)
class ReportFile:
    """A readable report file. `directives` is the content of all lines except the players'.

    `table_rows` are the players by line number if they come from another format, with data that no report holds.
    """

    trf: TrfFile
    directives: EventDirectives
    table_rows: Mapping[int, PlayerRow] = field(default_factory=dict)

    @cached_property
    def rounds_paired(self) -> int:
        return self.trf.rounds_paired

    @cached_property
    def rounds_needed(self) -> int:
        """The last round for which a player's line or a bye has an entry."""
        return max((*(number for _tpn, number, _block in self.iter_round_blocks()), *self.rounds_with_byes), default=0)

    @cached_property
    def byes(self) -> dict[tuple[PairingNumber, int], Result]:
        """Results without an opponent, by player and round. A player's own line takes precedence over bye lines."""
        asked = {(bye.tpn, bye.round_number or self.rounds_paired + 1): bye.result for bye in self.directives.byes}
        blocks = list(self.iter_round_blocks())
        own = {(tpn, number): block.result for tpn, number, block in blocks if block.opponent is None and block.result}
        paired = {(tpn, number) for tpn, number, block in blocks if block.opponent is not None}
        return {place: result for place, result in (asked | own).items() if place not in paired}

    @property
    def rounds_with_byes(self) -> list[int]:
        """The round of every bye and absence."""
        return [number for _tpn, number in self.byes]

    @property
    def game_count(self) -> int:
        return sum(block.opponent is not None for _tpn, _number, block in self.iter_round_blocks()) // 2

    @cached_property
    def player_rows(self) -> tuple[PlayerRow, ...]:
        """The players in the order of their numbers."""
        numbered = sorted(self.trf.players_with_line_numbers(), key=lambda item: item[1].tpn)
        return tuple(self.table_rows.get(line) or _row(line, player) for line, player in numbered)

    @cached_property
    def problems(self) -> tuple[TextProblem, ...]:
        """The problems that keep the file from becoming an event, in line order."""
        found = [*_what_systems_refuse(self), *_open_games(self)]
        found += _results_of_no_board(self)
        found += [problem for row in self.player_rows for problem in row.problems]
        return tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))

    @cached_property
    def warnings(self) -> tuple[TextProblem, ...]:
        """Inconsistencies that don't stop the import."""
        found = [
            TextProblem(
                line=warning.line,
                column=warning.column,
                message=_warning_text(warning.kind) % {"stated": warning.stated, "computed": warning.computed},
            )
            for warning in self.trf.warnings
        ]
        if self.directives.rounds is None:
            found.append(
                TextProblem(line=0, column=0, message=_("The file doesn't say how many rounds will be played."))
            )
        return (*found, *(warning for row in self.player_rows for warning in row.warnings))

    def iter_round_blocks(self) -> Iterator[tuple[PairingNumber, int, TrfRound]]:
        """Yield the player's number, the round and the block of each non-blank round."""
        for player in self.trf.players:
            for number, block in enumerate(player.rounds, start=1):
                if not block.is_blank:
                    yield player.tpn, number, block


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPart:
    """One of several events in a file: its key, its name, and how many players it has."""

    key: str
    name: str
    player_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEvent:
    """An event in another program's format, as a report, or the problems in place of one.

    `parts` are all events of the file if it can hold several, and `part` is the key of this one.
    """

    report: ReportFile | None
    rows: tuple[PlayerRow, ...] = ()
    format: str
    encoding: str = ""
    problems: tuple[TextProblem, ...] = ()
    warnings: tuple[TextProblem, ...] = ()
    parts: tuple[EventPart, ...] = ()
    part: str = ""


def read_report(data: bytes, filename: str) -> ReportFile:
    """Parse a report file. Raises UnreadableReport, with line and column, if that fails."""
    nul = data.find(b"\x00")
    if nul >= 0 and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        before = data[:nul].splitlines() or [b""]
        line, column = (len(before), len(before[-1]) + 1) if not data[:nul].endswith(b"\n") else (len(before) + 1, 1)
        raise UnreadableReport(TextProblem(line=line, column=column, message=_("This isn't a text file.")))
    try:
        trf = read_trf(data, name=filename)
        return ReportFile(trf=trf, directives=read_directives(trf))
    except TrfError as error:
        raise UnreadableReport(_problem(error)) from error


def build_report(trf: TrfFile, table_rows: Mapping[int, PlayerRow]) -> ReportFile:
    """Return the report of another program's event. Raises UnreadableReport if the players' lines disagree."""
    try:
        check_player_lines_agree(trf)
    except TrfError as error:
        message = _("The rows of the 2 players disagree about this game.")
        problem = TextProblem(line=error.line, column=error.column, message=message, expected=error.expected)
        raise UnreadableReport(problem) from error
    try:
        said = read_directives(trf)
    except TrfError as error:
        raise UnreadableReport(_problem(error)) from error
    warnings = tuple(replace(warning, line=0, column=0) for warning in find_file_warnings(trf, said))
    return ReportFile(trf=replace(trf, warnings=warnings), directives=said, table_rows=table_rows)


def parse_report_date(text: str) -> date | None:
    """Parse a date in any usual report format, or return None."""
    compact = text.replace(" ", "")
    for pattern in _DATES:
        try:
            return datetime.strptime(compact, pattern).date()
        except ValueError:
            continue
    return None


def _warning_text(kind: TrfWarningKind) -> str:
    return {
        TrfWarningKind.POINTS_DIFFER: _("The file gives %(stated)s points, but the results add up to %(computed)s."),
        TrfWarningKind.PLAYER_COUNT_DIFFERS: _(
            "The file gives the number of players as %(stated)s, but it lists %(computed)s."
        ),
        TrfWarningKind.RANKS_DIFFER: _("Ranks %(stated)s don't match their points in the file (%(computed)s)."),
        TrfWarningKind.SEVERAL_BYES: _("Round %(stated)s has %(computed)s pairing-allocated byes."),
        TrfWarningKind.GAMES_ANNULLED: _(
            "This player left before playing half of their games. "
            "In a round robin, these games don't count, but the file's points count them."
        ),
        TrfWarningKind.TEAM_EVENT: _(
            "This is a team event. We read its players, games and individual points, "
            "but not the teams, their byes or their tie-breaks."
        ),
        TrfWarningKind.TEAM_LINES_IGNORED: _("Team lines (013) skipped: %(computed)s."),
        TrfWarningKind.TYPE_UNKNOWN: _("“%(stated)s” isn't a known pairing system. Choose one."),
        TrfWarningKind.TIE_BREAKS_UNKNOWN: _("Unsupported tie-breaks: %(stated)s."),
        TrfWarningKind.TIME_CONTROL_UNKNOWN: _("“%(stated)s” isn't a FIDE time control code."),
    }[kind]


def _problem(error: TrfError) -> TextProblem:
    found = f" ({error.found.strip()})" if error.found.strip() else ""
    message = _("We couldn't read this%(found)s.") % {"found": found}
    return TextProblem(line=error.line, column=error.column, message=message, expected=error.expected)


def _row(line: int, player: TrfPlayer) -> PlayerRow:
    problems, warnings = [], []
    if not player.name:
        problems.append(_at(line, model.NAME, _("The player has no name."), _("a name")))
    if player.rating > MAX_RATING:
        expected = _("a whole number up to %(highest)s") % {"highest": MAX_RATING}
        problems.append(_at(line, model.RATING, _("This rating is too high."), expected))
    if player.title and not player.fide_title:
        warnings.append(_at(line, model.TITLE, _("“%(text)s” isn't a FIDE title.") % {"text": player.title}))
    return PlayerRow(
        line=line,
        column=model.NAME.start + 1,
        name=player.name,
        rating=player.rating,
        title=player.fide_title,
        federation=player.federation,
        sex=sex_in_report(player),
        birth=player.birth_date,
        fide_id=player.fide_number,
        problems=tuple(problems),
        warnings=tuple(warnings),
    )


def sex_in_report(player: TrfPlayer) -> str:
    """Return m or w for the letter in a player's line. Empty for any other letter."""
    return _SEXES.get(player.sex.lower(), "")


def _at(line: int, place: slice, message: str, expected: str = "") -> TextProblem:
    return TextProblem(line=line, column=place.start + 1, message=message, expected=expected)


def _what_systems_refuse(report: ReportFile) -> Iterator[TextProblem]:
    """Yield the problem that stops every system from pairing, looking only at rounds before the first open game."""
    try:
        snapshot_from_trf(report.trf.before_open_games(), system="dutch-2026", is_for_pairing=False)
    except TrfError as error:
        yield _problem(error)


def _open_blocks(report: ReportFile) -> Iterator[tuple[int, int, TrfRound]]:
    for line, player in report.trf.players_with_line_numbers():
        for number, block in enumerate(player.rounds, start=1):
            if block.opponent is not None and block.result is None:
                yield line, number, block


def _open_games(report: ReportFile) -> Iterator[TextProblem]:
    """Yield open games in rounds before the last: only the last round may still be in play."""
    for line, number, _block in _open_blocks(report):
        if number < report.rounds_paired:
            message = _("The game in round %(round)s has no result.") % {"round": number}
            yield TextProblem(
                line=line,
                column=model.result_column_of_round(number),
                message=message,
                expected=_("a result"),
            )


def _results_of_no_board(report: ReportFile) -> Iterator[TextProblem]:
    """Yield results that a game can't have here, such as ½-0, which some programs let arbiters give."""
    players = {player.tpn: player for player in report.trf.players}
    known = {frozenset(sides) for sides in RESULTS_BY_SIDE.values()}
    for line, player in report.trf.players_with_line_numbers():
        for number, block in enumerate(player.rounds, start=1):
            if block.opponent is None or block.result is None or block.opponent < player.tpn:
                continue
            answer = players[block.opponent].get_round(number).result
            if answer is not None and frozenset((block.result, answer)) not in known:
                results = f"{block.result.value} – {answer.value}"
                message = _("A game can't end %(results)s.") % {"results": results}
                yield TextProblem(line=line, column=model.result_column_of_round(number), message=message)
