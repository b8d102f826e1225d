"""Import of a club archive as a new club, all or nothing. Others can save in the meantime.

Nothing in an archive grants a permission. Accounts, roles, links and confirmed addresses are not imported. People
become names that can't sign in. Ledgers and logs get new seals, so whether they were changed on the other
server can't be checked here.
"""

from __future__ import annotations

import hashlib
import io
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, models, transaction
from django.db.models import AutoField
from django.utils.translation import gettext as _

from clubs.finance.accounting.vouchers import document_kind
from clubs.membership.club_settings.forms import save_club_logo
from clubs.membership.letterhead.logo_files import InvalidLogo, read_logo
from clubs.membership.onboarding.club_creation import available_club_slug, create_club
from clubs.models import Club, DuesAccount, ExpectedPayment, RatingRegister, User, Voucher
from clubs.rating.lists.import_jobs import get_fide_register
from common.key_sequences import skip_keys
from common.problems import OfficerProblem
from operations.club_transfer.archive_format import LOGO, SHARED_REGISTER, event_path, table_path, voucher_path
from operations.club_transfer.archive_reader import ArchiveRow, ClubArchive, archive_problem
from operations.club_transfer.sqlite_staging import StagingDatabase
from operations.club_transfer.tables import (
    CLUB,
    CLUB_TABLES,
    DUES_ACCOUNTS,
    EVENTS,
    EXPECTED_PAYMENTS,
    ONLINE_ENTRIES,
    PEOPLE,
    PLAYERS,
    ArchiveTable,
)
from operations.event_transfer.event_import import ArchivedEvent, import_archived_event
from operations.integrity.event_checks import check_events
from operations.integrity.findings import FindingSeverity
from operations.integrity.ledger_checks import check_ledgers
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.models import OnlineEntry, Tournament
from tournaments.problems import ArbiterProblem

ROWS_PER_STATEMENT = 500
_WITH_REFERENCES = (DUES_ACCOUNTS, EXPECTED_PAYMENTS)
_LOOKUPS = (User, Club, RatingRegister, DuesAccount, ExpectedPayment)
MORE_ROWS = 100
"""More than an import adds to a table besides what the archive holds: a role, and the lengths of the club's chains."""
MAX_KEPT_KEY = 1_000_000
"""An archive can't use up the keys of this server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """A row that will be saved once the rows it refers to have their keys."""

    row: Any
    source: ArchiveRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedClub:
    """A club that is ready to be saved: as an archive, or with SQLite as rows in a temporary database."""

    archive: ClubArchive
    by: User
    site: str
    staging: StagingDatabase | None
    key: int = 0


def import_club(archive: ClubArchive, *, by: User, site: str) -> Club:
    """Save the archive as a new club, with the importing user as its secretary.

    `site` is this server's URL, for the links in emails.

    Raises OfficerProblem, with no changes, if the archive contradicts itself.
    """
    return save_club(prepare_club(archive, by=by, site=site))


def prepare_club(archive: ClubArchive, *, by: User, site: str) -> PreparedClub:
    """Do what takes long before the transaction, if others couldn't save during it. Raises OfficerProblem."""
    if connection.vendor != "sqlite":
        return PreparedClub(archive=archive, by=by, site=site, staging=None)
    with transaction.atomic():
        get_fide_register()
        skip_references(archive)
    staging = StagingDatabase(lookups=_LOOKUPS, new_rows=_most_rows(archive))
    with staging.save_here():
        club = _create_club(archive, by, site)
    return PreparedClub(archive=archive, by=by, site=site, staging=staging, key=club.pk)


@transaction.atomic
def save_club(prepared: PreparedClub) -> Club:
    """Save a prepared club. Raises OfficerProblem, with no changes."""
    if prepared.staging is None:
        club = _create_club(prepared.archive, prepared.by, prepared.site)
    else:
        with _naming_problems():
            prepared.staging.copy_rows()
        club = Club.objects.get(pk=prepared.key)
    schedule_rating_from_month(club, None)
    return club


@transaction.atomic
def _create_club(archive: ClubArchive, by: User, site: str) -> Club:
    with _naming_problems():
        return _Importing(archive, by, site).create_club()


@contextmanager
def _naming_problems() -> Iterator[None]:
    """Turn violations of database constraints that involve more than one row into OfficerProblem."""
    try:
        yield
    except DatabaseError as error:
        raise archive_problem("tables", str(error).partition("\n")[0]) from error


def _most_rows(archive: ClubArchive) -> dict[type[models.Model], int]:
    """Return the most rows that the archive adds to each table. In an event's file, every row has its own braces."""
    in_events = sum(archive.event_data(event).count(b"{") for event in archive.rows(EVENTS))
    numbered = [model for model in apps.get_models(include_auto_created=True) if isinstance(model._meta.pk, AutoField)]
    exact = {table.model: len(archive.rows(table)) for table in (PEOPLE, CLUB, *CLUB_TABLES, EVENTS)}
    kept = dict.fromkeys((table.model for table in _WITH_REFERENCES), 0) if can_keep_references(archive) else {}
    return dict.fromkeys(numbered, in_events + MORE_ROWS) | exact | kept


def can_keep_references(archive: ClubArchive) -> bool:
    """Return True if no account on this server has one of the archive's payment references."""
    for table in _WITH_REFERENCES:
        wanted = {int(row.id) for row in archive.rows(table)}
        taken = table.model._default_manager.values_list("pk", flat=True)
        if max(wanted, default=0) > MAX_KEPT_KEY or not wanted.isdisjoint(taken):
            return False
    return True


def skip_references(archive: ClubArchive) -> None:
    """Make new keys start after those of the archive, so that its payment references are never given to others."""
    for table in _WITH_REFERENCES:
        keys = [key for row in archive.rows(table) if (key := int(row.id)) <= MAX_KEPT_KEY]
        skip_keys(table.model, up_to=max(keys, default=0))


class _Importing:
    """Creates the rows of one club. `keys` are the keys of saved rows by their id in the archive."""

    def __init__(self, archive: ClubArchive, by: User, site: str) -> None:
        self.archive, self.by, self.site = archive, by, site
        self.keys: dict[type[models.Model], dict[str, int]] = {RatingRegister: {}}
        self.people: dict[str, User] = {}
        self.keeps_references = can_keep_references(archive)

    def create_club(self) -> Club:
        self._create_people()
        self.club = self._create_club_row()
        if any(row.references["register"] == SHARED_REGISTER for row in self.archive.tables["rating-listings"]):
            self.keys[RatingRegister][SHARED_REGISTER] = get_fide_register().pk
        if not self.keeps_references:
            skip_references(self.archive)
        for table in CLUB_TABLES:
            self._create_rows(table)
        self._save_logo()
        self._create_events()
        self._check()
        if self.keeps_references:
            skip_references(self.archive)
        return self.club

    # -- The club -------------------------------------------------------------------------------------------------

    def _create_people(self) -> None:
        """Create an account without a password, email or permissions for each name."""
        keys = self.keys.setdefault(User, {})
        for source in self.archive.rows(PEOPLE):
            login = source.values["username"]
            person = User(**dict(source.values) | {"username": self._free_login(login)}, is_active=False)
            person.set_unusable_password()
            person.save()
            keys[source.id] = person.pk
            self.people[login] = person

    def _free_login(self, login: str) -> str:
        """Return an unused username that shows which club the person comes from."""
        slug = str(self.archive.rows(CLUB)[0].values["slug"]) if self.archive.rows(CLUB) else ""
        wanted = [f"{login[:70]}@{slug}", *(f"{login[:70]}@{slug}.{uuid.uuid4().hex[:8]}" for _try in range(3))]
        return next(name for name in wanted if not User.objects.filter(username=name).exists())

    def _create_club_row(self) -> Club:
        rows = self.archive.rows(CLUB)
        if len(rows) != 1:
            raise archive_problem(table_path(CLUB), _("the file is damaged"))
        values = dict(rows[0].values)
        slug = values.pop("slug")
        club = Club(**values, slug="")
        club.slug = slug if self._is_free(slug) else available_club_slug(club.name, language=club.language)
        try:
            club.clean()
        except ValidationError as error:
            raise archive_problem(table_path(CLUB), error.messages[0], line=rows[0].line) from error
        return create_club(club, secretary=self.by)

    def _is_free(self, slug: str) -> bool:
        return not Club.objects.filter(slug=slug).exists() and slug == available_club_slug(slug)

    def _create_rows(self, table: ArchiveTable) -> None:
        """Save a table's rows in order. A batch ends before any row that refers to a row in the batch."""
        self.keys.setdefault(table.model, {})
        batch: list[_Prepared] = []
        waiting: set[str] = set()
        for source in self.archive.rows(table):
            itself = source.references.get(table.refers_to_itself)
            if itself in waiting or len(batch) >= ROWS_PER_STATEMENT:
                self._save_batch(table, batch)
                batch, waiting = [], set()
            batch.append(_Prepared(row=self._row(table, source), source=source))
            waiting.add(source.id)
        self._save_batch(table, batch)

    def _row(self, table: ArchiveTable, source: ArchiveRow) -> Any:
        row = table.model(**source.values)
        anew = table.made_anew.split()
        if "club" in anew:
            row.club = self.club  # type: ignore[attr-defined]
        if "site" in anew:
            row.site = self.site  # type: ignore[attr-defined]
        if "form_key" in anew:
            row.form_key = uuid.uuid4()  # type: ignore[attr-defined]
        if table in _WITH_REFERENCES and self.keeps_references:
            row.pk = int(source.id)
        if isinstance(row, Voucher):
            self._read_voucher(row, source)
        return row

    def _read_voucher(self, voucher: Voucher, source: ArchiveRow) -> None:
        path = voucher_path(source.id, voucher.kind)
        data = self.archive.data(path)
        if data is None or document_kind(data) != voucher.kind:
            raise archive_problem(path, _("the file is missing") if data is None else _("the file is damaged"))
        voucher.data, voucher.digest = data, hashlib.sha256(data).hexdigest()

    def _save_batch(self, table: ArchiveTable, batch: Sequence[_Prepared]) -> None:
        for each in batch:
            for column, reference in each.source.references.items():
                setattr(each.row, str(table.fields[column].attname), self._key(table, each.source, column, reference))
        rows = [each.row for each in batch]
        try:
            with transaction.atomic():
                self._insert(table, rows)
        except DatabaseError as error:
            self._find_culprit(table, batch)
            raise archive_problem(table_path(table), str(error).partition("\n")[0]) from error
        for each in batch:
            self.keys[table.model][each.source.id] = each.row.pk

    def _insert(self, table: ArchiveTable, rows: Sequence[Any]) -> None:
        """Insert rows unchanged. Django overwrites creation times, so they are then restored."""
        filled = [each for each in table.fields.values() if getattr(each, "auto_now_add", False)]
        kept = [[getattr(row, each.name) for each in filled] for row in rows]
        table.model._default_manager.bulk_create(rows)
        if filled and rows:
            for row, values in zip(rows, kept, strict=True):
                for each, value in zip(filled, values, strict=True):
                    setattr(row, each.name, value)
            table.model._default_manager.bulk_update(rows, [each.name for each in filled], batch_size=100)

    def _find_culprit(self, table: ArchiveTable, batch: Sequence[_Prepared]) -> None:
        """Raise OfficerProblem with the line of the first row that the database refuses."""
        for each in batch:
            try:
                with transaction.atomic():
                    self._insert(table, [each.row])
            except DatabaseError as error:
                why = str(error).partition("\n")[0]
                raise archive_problem(table_path(table), why, line=each.source.line) from error

    def _key(self, table: ArchiveTable, source: ArchiveRow, column: str, reference: str | None) -> int | None:
        if reference is None:
            return None
        target = table.fields[column].related_model
        key = self.keys.get(target, {}).get(reference)  # type: ignore[arg-type]
        if key is None:
            why = _("it refers to something that isn't in the file")
            raise archive_problem(table_path(table), why, line=source.line, column=column)
        return key

    def _save_logo(self) -> None:
        data = self.archive.data(LOGO)
        if data is None:
            return
        try:
            logo = read_logo(io.BytesIO(data), len(data))
        except InvalidLogo as refused:
            raise archive_problem(LOGO, str(refused)) from refused
        save_club_logo(self.club, logo)

    # -- Events ---------------------------------------------------------------------------------------------------

    def _create_events(self) -> None:
        keys = self.keys.setdefault(Tournament, {})
        players = _by_event(self.archive.rows(PLAYERS))
        online = _by_event(self.archive.rows(ONLINE_ENTRIES))
        for source in self.archive.rows(EVENTS):
            file = self.archive.event_file(source)
            members = {
                int(row.id): self._key(PLAYERS, row, "member", row.references["member"])
                for row in players.pop(source.id, [])
            }
            archived = ArchivedEvent(slug=source.values["slug"], people=self.people, members=members)
            try:
                event = import_archived_event(self.club, file, archived, by=self.by)
            except ArbiterProblem as problem:
                raise archive_problem(event_path(source.id, archived.slug), problem.message) from problem
            keys[source.id] = event.pk
            self._complete_online_entries(event, online.pop(source.id, []))
        for table, rest in ((PLAYERS, players), (ONLINE_ENTRIES, online)):
            for row in (rows[0] for rows in rest.values()):
                self._key(table, row, "tournament", row.references["tournament"])

    def _complete_online_entries(self, event: Tournament, rows: Iterable[ArchiveRow]) -> None:
        """Add what event files leave out. No emails are sent about it."""
        entries = dict(enumerate(OnlineEntry.objects.filter(tournament=event).order_by("pk"), start=1))
        for row in rows:
            entry = entries.get(int(row.id))
            if entry is None:
                why = _("it refers to something that isn't in the file")
                raise archive_problem(table_path(ONLINE_ENTRIES), why, line=row.line)
            for name, value in row.values.items():
                setattr(entry, name, value)
            entry.site = self.site
            entry.member_id = self._key(ONLINE_ENTRIES, row, "member", row.references["member"])
            entry.payment_id = self._key(ONLINE_ENTRIES, row, "payment", row.references["payment"])
            entry.save()

    def _check(self) -> None:
        """Raise OfficerProblem if the club fails the integrity checks."""
        clubs = Club.objects.filter(pk=self.club.pk)
        found: Iterator[Any] = iter([*check_ledgers(clubs), *check_events(Tournament.objects.filter(club__in=clubs))])
        wrong = next((each for each in found if each.weight is FindingSeverity.ERROR), None)
        if wrong is not None:
            raise OfficerProblem(
                _("We couldn't import the club. Problem at %(place)s: %(why)s.")
                % {"place": wrong.where, "why": wrong.what}
            )


def _by_event(rows: Iterable[ArchiveRow]) -> dict[str, list[ArchiveRow]]:
    found: dict[str, list[ArchiveRow]] = {}
    for row in rows:
        found.setdefault(str(row.references["tournament"]), []).append(row)
    return found
