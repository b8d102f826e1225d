"""Importing report files (TRF) and lists of players (CSV): a preview first, then all or nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, User
from common.tabular.columns import Column
from common.tabular.text_tables import encoding_of
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.lines import record
from tournaments.club_ratings.keeping import rate_event
from tournaments.entries.entering import enter_rows
from tournaments.entries.player_rows import PlayerRow, TextProblem, link_members, settle
from tournaments.import_export.crosstables import Crosstable, crosstable_in
from tournaments.import_export.csv_files import read_players
from tournaments.import_export.filling import fill_event, kind_said, new_event, system_said
from tournaments.import_export.report_files import Report, Unreadable, read_report
from tournaments.locking import hold
from tournaments.models import System, Tournament
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """What a file holds and what importing it would do; nothing has been written.

    `system` is the pairing system that the file names, where it is known here, `rated_as` what its time control makes
    it count for. `rounds` counts rounds with a
    pairing, `games` and `byes` what they hold; `requested_byes` are those of rounds to come. `tournament_name` is the
    event's name in the file. With any `errors` the file is refused as a whole.
    """

    filename: str
    kind: Literal["trf", "crosstable", "csv"]
    encoding: str
    format: str = "trf"
    tournament_name: str = ""
    system: str = ""
    rated_as: str = ""
    players: tuple[PlayerRow, ...] = ()
    rounds: int = 0
    rounds_announced: int | None = None
    games: int = 0
    byes: int = 0
    requested_byes: int = 0
    columns: tuple[Column, ...] = ()
    passed_over: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()
    warnings: tuple[TextProblem, ...] = ()
    errors: tuple[TextProblem, ...] = ()

    @property
    def unclear(self) -> tuple[PlayerRow, ...]:
        """Those of whom is asked which member they are."""
        return tuple(row for row in self.players if row.candidates)

    @property
    def can_be_imported(self) -> bool:
        return not self.errors

    @property
    def may_be_read_otherwise(self) -> bool:
        """It is a table whose columns may be said to be others."""
        return bool(self.columns) and bool(self.players)


def preview_import(
    target: Tournament | Club,
    data: bytes,
    filename: str,
    said: Mapping[str, str] | None = None,
    who: Mapping[int, str] | None = None,
) -> ImportPreview:
    """Read a file and say what importing it would do. Never raises for what stands in the file: see `errors`.

    `said` is what the columns of a table are where somebody has said so, by their keys; `who` which of several members
    a line of a report means (see `link_members`).

    TRF goes into a club (as a new event) or an event without entries; CSV into an event, whatever its entries.
    """
    if not _is_report(data, filename):
        crosstable = _crosstable(target, data, filename)
        if crosstable is not None:
            return _preview_crosstable(target, crosstable, filename, who)
        return _preview_csv(target, data, filename, said)
    return _preview_report(target, _report_or_problem(data, filename), encoding_of(data), filename, who)


def apply_import(
    target: Tournament | Club,
    data: bytes,
    filename: str,
    *,
    by: User | None,
    system: str | None = None,
    rated_as: str | None = None,
    said: Mapping[str, str] | None = None,
    who: Mapping[int, str] | None = None,
) -> Tournament:
    """Import a file in one transaction, all or nothing, and return the event.

    `system` is the pairing system of a new event; None: the one that the file names, or else Jahr's. `rated_as` is what
    it counts for; None: as the file's time control says, or else standard.
    `who` has an answer for each player who may be one of several members; None: nobody can be asked, they are guests.
    Raises ArbiterProblem with what the preview calls errors, and without an answer.
    """
    with transaction.atomic():
        if isinstance(target, Tournament):
            target = hold(target.pk)
        crosstable = None if _is_report(data, filename) else _crosstable(target, data, filename)
        report: Report | TextProblem | None = None
        if crosstable is not None:
            report, preview = crosstable.report, _preview_crosstable(target, crosstable, filename, who)
        elif _is_report(data, filename):
            report = _report_or_problem(data, filename)
            preview = _preview_report(target, report, encoding_of(data), filename, who)
        else:
            preview = _preview_csv(target, data, filename, said)
        if preview.errors:
            raise ArbiterProblem("\n".join(str(error) for error in preview.errors[:20]))
        if who is not None and (open_rows := [row.name for row in preview.unclear if not row.answer]):
            raise ArbiterProblem(_("Say which member it is: %(names)s.") % {"names": "; ".join(open_rows)})
        if isinstance(report, Report):
            paired_by = system or system_said(report) or System.JAHR
            if isinstance(target, Tournament):
                event = target
            else:
                event = new_event(target, report, paired_by, filename, by=by, rated_as=rated_as)
            event = fill_event(event, report, preview.players, by=by)
            rate_event(event.pk)
        elif isinstance(target, Tournament):
            event = target
            enter_rows(event, preview.players, by=by)
        record(
            event, EventAction.FILE_IMPORTED, by=by, filename=filename, kind=preview.kind, players=len(preview.players)
        )
        return event


def _is_report(data: bytes, filename: str) -> bool:
    """By its players' lines or its name; a damaged report is still refused as a report."""
    return bool(re.search(rb"(?:^|[\r\n])001[ 0-9]{5} ", data)) or filename.lower().endswith((".trf", ".trfx"))


def _report_or_problem(data: bytes, filename: str) -> Report | TextProblem:
    try:
        return read_report(data, filename)
    except Unreadable as unreadable:
        return unreadable.problem


def _crosstable(target: Tournament | Club, data: bytes, filename: str) -> Crosstable | None:
    """A file as a crosstable, for a target that can take one; of an event with players it is a list of more."""
    if isinstance(target, Tournament) and target.entries.exists():
        return None
    return crosstable_in(data, filename)


def _preview_crosstable(
    target: Tournament | Club, crosstable: Crosstable, filename: str, who: Mapping[int, str] | None
) -> ImportPreview:
    if crosstable.report is None:
        return ImportPreview(
            filename=filename,
            kind="crosstable",
            format=crosstable.format,
            encoding=crosstable.encoding,
            players=crosstable.found.rows,
            errors=crosstable.problems,
        )
    preview = _preview_report(target, crosstable.report, crosstable.encoding, filename, who)
    doubts = tuple(TextProblem(line=0, column=0, message=doubt) for doubt in crosstable.found.doubts)
    return replace(
        preview,
        kind="crosstable",
        format=crosstable.format,
        warnings=(*doubts, *crosstable.warnings, *preview.warnings),
    )


def _preview_report(
    target: Tournament | Club,
    report: Report | TextProblem,
    encoding: str,
    filename: str,
    who: Mapping[int, str] | None,
) -> ImportPreview:
    if isinstance(report, TextProblem):
        return ImportPreview(filename=filename, kind="trf", encoding=encoding, errors=(report,))
    errors = report.problems
    if isinstance(target, Tournament) and target.entries.exists():
        message = _("The event has players already: a report file is imported into a new or an empty event.")
        errors = (TextProblem(line=0, column=0, message=message), *errors)
    club_id = target.club_id if isinstance(target, Tournament) else target.pk
    return ImportPreview(
        filename=filename,
        kind="trf",
        encoding=encoding,
        tournament_name=report.trf.value("012"),
        system=system_said(report),
        rated_as=kind_said(report),
        players=link_members(club_id, report.rows, who),
        rounds=report.rounds_paired,
        rounds_announced=report.said.rounds,
        games=report.games,
        byes=sum(number <= report.rounds_paired for number in report.bye_rounds),
        requested_byes=sum(number > report.rounds_paired for number in report.bye_rounds),
        warnings=report.warnings,
        errors=errors,
    )


def _preview_csv(
    target: Tournament | Club, data: bytes, filename: str, said: Mapping[str, str] | None
) -> ImportPreview:
    found = read_players(data, said)
    rows, errors = found.rows, found.problems
    if isinstance(target, Tournament):
        rows = settle(target, rows)
    else:
        message = _("A list of players is imported into an event: make the event first.")
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
