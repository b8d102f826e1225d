"""Writes the archive of a club: its tables, its events in several formats and, if requested, its printouts."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation

from clubs.finance.accounting.reports import years_with_entries
from clubs.models import BookEntry, Club, ClubLetterhead, LedgerEntry, Member, RatingRegister, User, Voucher
from clubs.rating.lists.import_jobs import get_fide_register
from common.locking import read_one_snapshot
from operations.club_transfer.archive_format import (
    FORMAT,
    LOGO,
    MANIFEST,
    SHARED_REGISTER,
    VERSION,
    ClubManifest,
    event_folder,
    event_path,
    format_cell,
    table_path,
    voucher_path,
)
from operations.club_transfer.documents import event_documents, year_documents
from operations.club_transfer.tables import (
    CLUB,
    CLUB_TABLES,
    EVENTS,
    ONLINE_ENTRIES,
    PEOPLE,
    PLAYERS,
    ArchiveTable,
)
from operations.event_transfer.event_export import event_authors, exported_online_entries, render_event_file
from tournaments.models import Tournament

_NEEDED_TO_HIDE: Mapping[type[models.Model], Iterable[str]] = {
    LedgerEntry: ["account__member"],
    BookEntry: ["ledger_entry__account__member"],
}
ReportProgress = Callable[[int, int], None]
_Cells = list[str]


def write_club_archive(
    club: Club, out: BinaryIO, *, with_papers: bool = False, report_progress: ReportProgress = lambda _done, _of: None
) -> None:
    """Write the archive of a club to a file. The database is read in many short steps, so nobody has to wait."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _Writing(club, archive, with_papers=with_papers, report_progress=report_progress).write_all()


class _Writing:
    """Writes one archive, and keeps track of the people and members that its rows refer to."""

    def __init__(
        self, club: Club, archive: zipfile.ZipFile, *, with_papers: bool, report_progress: ReportProgress
    ) -> None:
        self.club, self.archive, self.with_papers, self.report_progress = club, archive, with_papers, report_progress
        self.people: set[int] = set()
        self.ids: dict[type[models.Model], set[int]] = {}
        self.rows: dict[str, int] = {}
        self.fide_register = get_fide_register().pk

    def write_all(self) -> None:
        with transaction.atomic():
            read_one_snapshot()
            tables = {table: list(self._rows_of(table)) for table in (CLUB, *CLUB_TABLES)}
        for table, rows in tables.items():
            self._write_table(table, rows)
        self._write_vouchers_and_logo()
        self._write_journals()
        self._write_events()
        people = User.objects.filter(pk__in=self.people).order_by("pk")
        self._write_table(PEOPLE, (self._cells(PEOPLE, person) for person in people))
        self._write_readme()

    # -- The club -------------------------------------------------------------------------------------------------

    def _rows_of(self, table: ArchiveTable) -> Iterator[_Cells]:
        rows: QuerySet[Any] = table.model._base_manager.filter(**{table.club: self.club.pk})
        rows = rows.exclude(**table.without) if table.without else rows
        itself = table.refers_to_itself
        # A member may pay for one who was added earlier. Ledger rows only refer to earlier ones.
        rows = rows.order_by(*([F(itself).asc(nulls_first=True)] if table.model is Member else []), "pk")
        known = self.ids.setdefault(table.model, set())
        for row in rows.select_related(*_NEEDED_TO_HIDE.get(table.model, ())).iterator(chunk_size=2000):
            known.add(row.pk)
            _hide_erased_notes(row)
            yield self._cells(table, row)

    def _cells(self, table: ArchiveTable, row: models.Model) -> _Cells:
        return [
            str(row.pk),
            *(self._cell(field, getattr(row, str(field.attname))) for field in table.fields.values()),
        ]

    def _cell(self, field: models.Field[Any, Any], value: Any) -> str:
        if value is None or not isinstance(field, models.ForeignKey):
            return format_cell(field, value)
        if field.related_model is User:
            self.people.add(value)
        elif field.related_model is RatingRegister and value == self.fide_register:
            return SHARED_REGISTER
        return str(value)

    def _write_table(self, table: ArchiveTable, rows: Iterable[_Cells]) -> None:
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=";")
        writer.writerow(["id", *table.fields])
        written = [*rows]
        writer.writerows(written)
        self.rows[table.name] = len(written)
        self.archive.writestr(table_path(table), text.getvalue().encode("utf-8-sig"))

    def _write_vouchers_and_logo(self) -> None:
        for pk in sorted(self.ids[Voucher]):
            voucher = Voucher.objects.filter(pk=pk).first()
            if voucher is not None:
                self.archive.writestr(voucher_path(pk, voucher.kind), bytes(voucher.data), zipfile.ZIP_STORED)
        logo = bytes(ClubLetterhead.get_or_default(self.club).logo)
        if logo:
            self.archive.writestr(LOGO, logo, zipfile.ZIP_STORED)

    def _write_journals(self) -> None:
        with translation.override(self.club.language):
            for year in years_with_entries(self.club):
                for name, document in year_documents(self.club, year, with_papers=self.with_papers):
                    self.archive.writestr(f"accounting/{name}", document)

    # -- Events ---------------------------------------------------------------------------------------------------

    def _write_events(self) -> None:
        events = list(Tournament.objects.filter(club=self.club).order_by("pk"))
        players: list[_Cells] = []
        online: list[_Cells] = []
        written: list[_Cells] = []
        for place, event in enumerate(events):
            self.report_progress(place, len(events))
            with transaction.atomic():
                read_one_snapshot()
                if not Tournament.objects.filter(pk=event.pk).exists():
                    continue
                data = render_event_file(event)
                members = event.entries.order_by("pk").values_list("member", flat=True)
                players += [self._place_row(PLAYERS, number, event, [member]) for number, member in _numbered(members)]
                for number, entry in _numbered(exported_online_entries(event)):
                    online.append(self._online_entry(number, event, entry))
                self.people |= event_authors(event)
            written.append(self._cells(EVENTS, event))
            self.archive.writestr(event_path(event.pk, event.slug), data)
            with translation.override(self.club.language):
                for name, document in event_documents(event, with_papers=self.with_papers):
                    self.archive.writestr(f"{event_folder(event.pk, event.slug)}/{name}", document)
        self._write_table(EVENTS, written)
        self._write_table(PLAYERS, players)
        self._write_table(ONLINE_ENTRIES, online)

    def _place_row(self, table: ArchiveTable, number: int, event: Tournament, keys: Iterable[int | None]) -> _Cells:
        """Return a row about a position in an event file. Members added after their table was read are left out."""
        known = self.ids[Member]
        return [str(number), str(event.pk), *(str(key) if key in known else "" for key in keys)]

    def _online_entry(self, number: int, event: Tournament, entry: Any) -> _Cells:
        _id, *cells = self._cells(ONLINE_ENTRIES, entry)
        columns = [*ONLINE_ENTRIES.fields]
        for name in ("member", "payment"):
            field = ONLINE_ENTRIES.fields[name]
            key = getattr(entry, str(field.attname))
            if key not in self.ids[field.related_model]:  # type: ignore[index]
                cells[columns.index(name)] = ""
        return [str(number), *cells]

    # -- Words ----------------------------------------------------------------------------------------------------

    def _write_readme(self) -> None:
        manifest = ClubManifest(
            format=FORMAT,
            version=VERSION,
            made_at=timezone.now(),
            program=settings.VERSION,
            club=self.club.name,
            rows=self.rows,
        )
        self.archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))
        with translation.override(self.club.language):
            words = render_to_string(
                "operations/club_transfer/readme.txt", {"club": self.club, "made_at": manifest.made_at}
            )
        self.archive.writestr("README.txt", words.encode("utf-8-sig"))


def _hide_erased_notes(row: models.Model) -> None:
    """Replace the notes on an erased person's payments, which may name them, as on pages and receipts."""
    if isinstance(row, LedgerEntry):
        row.reference, row.text, row.reason = row.visible_reference, row.visible_text, row.visible_reason
    elif isinstance(row, BookEntry) and row.ledger_entry and row.ledger_entry.account.member.erased_at:
        row.reason = "–" if row.reason else ""


def _numbered(rows: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    return enumerate(rows, start=1)
