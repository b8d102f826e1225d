"""Importing report files (TRF) and player lists (CSV): a preview first, then all or nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, User
from common.tabular.column_mapping import ImportColumn
from common.tabular.spreadsheets import read_table
from common.tabular.text_tables import detect_encoding
from pairing.engine.trf import TrfWarningKind
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_event_rating
from tournaments.entries.column_detection import ParsedList, list_lines_from_table, parse_player_list
from tournaments.entries.enrolment import enter_player_rows
from tournaments.entries.player_rows import (
    MAX_PLAYERS,
    PlayerRow,
    TextProblem,
    match_rows_to_members,
    resolve_player_rows,
)
from tournaments.import_export.crosstables import parse_crosstable
from tournaments.import_export.report_files import (
    EventPart,
    ImportedEvent,
    ReportFile,
    UnreadableReport,
    read_report,
)
from tournaments.import_export.report_to_event import (
    create_event_from_report,
    fill_event_from_report,
    pairing_system_of_report,
    time_kind_of_report,
)
from tournaments.import_export.sharly_chess import parse_sharly_database
from tournaments.import_export.vega_reports import parse_vega_file
from tournaments.models import PairingSystem, Tournament
from tournaments.problems import ArbiterProblem


def read_player_table(data: bytes, column_kinds: Mapping[str, str] | None = None) -> ParsedList:
    """Return the players in a table, line by line, and the problems with the file itself.

    If a line names the columns, it decides, or `column_kinds` does, by column key. Otherwise the name comes first, and
    other fields are detected by their look.
    """
    table = read_table(data, most_rows=MAX_PLAYERS)
    problems = tuple(
        TextProblem(line=problem.line, column=problem.column, message=problem.message) for problem in table.problems
    )
    found = parse_player_list(list_lines_from_table(table), column_kinds or {})
    if not found.rows and not problems and not found.problems:
        problems = (TextProblem(line=0, column=0, message=_("This file has no players.")),)
    found = replace(found, format=table.kind, encoding=table.encoding)
    return replace(found, problems=(*problems, *found.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """The contents of a file and the outcome of importing it. Nothing has been saved.

    `system` is the pairing system the file names, if known here. `is_team_event`: only individual standings are read.
    `rated_as` follows from the file's time control. `rounds` counts paired rounds, `games` and `byes` those in them;
    `requested_byes` are for later rounds. `tournament_name` is the event's name in the file. `parts` are the events in
    the file, if it has several, and `part` is the key of this one. With any `errors`, the file is refused as a whole.
    """

    filename: str
    kind: Literal["trf", "crosstable", "csv"]
    encoding: str
    format: str = "trf"
    tournament_name: str = ""
    system: str = ""
    is_team_event: bool = False
    rated_as: str = ""
    players: tuple[PlayerRow, ...] = ()
    rounds: int = 0
    rounds_announced: int | None = None
    games: int = 0
    byes: int = 0
    requested_byes: int = 0
    parts: tuple[EventPart, ...] = ()
    part: str = ""
    columns: tuple[ImportColumn, ...] = ()
    passed_over: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()
    warnings: tuple[TextProblem, ...] = ()
    errors: tuple[TextProblem, ...] = ()

    @property
    def ambiguous_rows(self) -> tuple[PlayerRow, ...]:
        """The rows for which the user must choose the member."""
        return tuple(row for row in self.players if row.candidates)

    @property
    def can_be_imported(self) -> bool:
        return not self.errors

    @property
    def has_adjustable_columns(self) -> bool:
        """Return True if the file is a table whose columns the user can change."""
        return bool(self.columns) and bool(self.players)

    @property
    def can_be_changed(self) -> bool:
        """Return True if the user can choose columns, or another event of the file."""
        return self.has_adjustable_columns or bool(self.parts)


def preview_import(
    target: Tournament | Club,
    data: bytes,
    filename: str,
    column_kinds: Mapping[str, str] | None = None,
    member_answers: Mapping[int, str] | None = None,
    part: str = "",
) -> ImportPreview:
    """Read a file and return a preview of the import.

    Never raises for the file's contents: see `errors`. `column_kinds` holds the column kinds the user chose, by column
    key. `member_answers` holds the chosen member for a line of a report (see `match_rows_to_members`). `part` is the
    event to read, if the file has several. An event goes into a club (as a new event) or an event without entries, a
    table of players into any event.
    """
    return _read(target, data, filename, column_kinds, member_answers, part)[1]


def apply_import(
    target: Tournament | Club,
    data: bytes,
    filename: str,
    *,
    by: User | None,
    system: str | None = None,
    rated_as: str | None = None,
    column_kinds: Mapping[str, str] | None = None,
    member_answers: Mapping[int, str] | None = None,
    part: str = "",
) -> Tournament:
    """Import a file in one transaction, all or nothing, and return the event.

    `system` is a new event's pairing system; None: the file's, or else Jahr's. `rated_as` None: as the file's time
    control says, or else standard. `member_answers` must answer every row that may be one of several members; None:
    nobody can be asked, and these rows become guests. Raises ArbiterProblem if the preview has errors, or an answer is
    missing.
    """
    with transaction.atomic():
        if isinstance(target, Tournament):
            target = lock_tournament(target.pk)
        report, preview = _read(target, data, filename, column_kinds, member_answers, part)
        if preview.errors:
            raise ArbiterProblem("\n".join(str(error) for error in preview.errors[:20]))
        if member_answers is not None and (open_rows := [row.name for row in preview.ambiguous_rows if not row.answer]):
            raise ArbiterProblem(_("Choose the matching member for: %(names)s.") % {"names": "; ".join(open_rows)})
        if report is not None:
            paired_by = system or pairing_system_of_report(report) or PairingSystem.JAHR
            if isinstance(target, Tournament):
                event = target
            else:
                event = create_event_from_report(target, report, paired_by, filename, by=by, rated_as=rated_as)
            event = fill_event_from_report(event, report, preview.players, by=by)
            schedule_event_rating(event.pk)
        elif isinstance(target, Tournament):
            event = target
            enter_player_rows(event, preview.players, by=by)
        record_action(
            event, EventAction.FILE_IMPORTED, by=by, filename=filename, kind=preview.kind, players=len(preview.players)
        )
        return event


def _read(
    target: Tournament | Club,
    data: bytes,
    filename: str,
    said: Mapping[str, str] | None,
    who: Mapping[int, str] | None,
    part: str,
) -> tuple[ReportFile | None, ImportPreview]:
    """Return the event's report, or None for a table of players, and the preview."""
    imported = parse_vega_file(data, filename)
    if imported is None and _is_report(data, filename):
        report = _report_or_problem(data, filename)
        preview = _preview_report(target, report, detect_encoding(data), filename, who)
        return report if isinstance(report, ReportFile) else None, preview
    imported = imported or _imported_event(target, data, filename, part)
    if imported is not None:
        return imported.report, _preview_imported(target, imported, filename, who)
    return None, _preview_csv(target, data, filename, said)


def _is_report(data: bytes, filename: str) -> bool:
    """Return True for a report, by its player lines or file name. A damaged report is still refused as a report."""
    return bool(re.search(rb"(?:^|[\r\n])001[ 0-9]{5} ", data)) or filename.lower().endswith((".trf", ".trfx"))


def _report_or_problem(data: bytes, filename: str) -> ReportFile | TextProblem:
    try:
        return read_report(data, filename)
    except UnreadableReport as unreadable:
        return unreadable.problem


def _imported_event(target: Tournament | Club, data: bytes, filename: str, part: str) -> ImportedEvent | None:
    """Read an event of another program, if the target can take one. An event with players reads a list of players."""
    if isinstance(target, Tournament) and target.entries.exists():
        return None
    return parse_sharly_database(data, filename, part) or parse_crosstable(data, filename)


def _preview_imported(
    target: Tournament | Club, imported: ImportedEvent, filename: str, who: Mapping[int, str] | None
) -> ImportPreview:
    if imported.report is None:
        preview = ImportPreview(
            filename=filename,
            kind="crosstable",
            encoding=imported.encoding,
            players=imported.rows,
            errors=imported.problems,
        )
    else:
        preview = _preview_report(target, imported.report, imported.encoding, filename, who)
    return replace(
        preview,
        kind="crosstable",
        format=imported.format,
        parts=imported.parts,
        part=imported.part,
        warnings=(*imported.warnings, *preview.warnings) if imported.report else (),
    )


def _preview_report(
    target: Tournament | Club,
    report: ReportFile | TextProblem,
    encoding: str,
    filename: str,
    who: Mapping[int, str] | None,
) -> ImportPreview:
    if isinstance(report, TextProblem):
        return ImportPreview(filename=filename, kind="trf", encoding=encoding, errors=(report,))
    errors = report.problems
    if isinstance(target, Tournament) and target.entries.exists():
        message = _("The event already has players. Import a report file into a new or empty event.")
        errors = (TextProblem(line=0, column=0, message=message), *errors)
    club_id = target.club_id if isinstance(target, Tournament) else target.pk
    return ImportPreview(
        filename=filename,
        kind="trf",
        encoding=encoding,
        tournament_name=report.trf.first_value_for_code("012"),
        system=pairing_system_of_report(report),
        is_team_event=any(warning.kind is TrfWarningKind.TEAM_EVENT for warning in report.trf.warnings),
        rated_as=time_kind_of_report(report),
        players=match_rows_to_members(club_id, report.player_rows, who),
        rounds=report.rounds_paired,
        rounds_announced=report.directives.rounds,
        games=report.game_count,
        byes=sum(number <= report.rounds_paired for number in report.rounds_with_byes),
        requested_byes=sum(number > report.rounds_paired for number in report.rounds_with_byes),
        warnings=report.warnings,
        errors=errors,
    )


def _preview_csv(
    target: Tournament | Club, data: bytes, filename: str, said: Mapping[str, str] | None
) -> ImportPreview:
    found = read_player_table(data, said)
    rows, errors = found.rows, found.problems
    if isinstance(target, Tournament):
        rows = resolve_player_rows(target, rows)
    else:
        message = _("This is a list of players. Create the event first, then import it there.")
        errors = (*errors, TextProblem(line=0, column=0, message=message))
    return ImportPreview(
        filename=filename,
        kind="csv",
        format=found.format,
        encoding=found.encoding,
        players=rows,
        columns=found.columns,
        passed_over=found.passed_over,
        doubts=found.doubts,
        warnings=tuple(warning for row in rows for warning in row.warnings),
        errors=(*errors, *(problem for row in rows for problem in row.problems)),
    )
