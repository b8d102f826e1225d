"""Import of a member table after a preview, all or nothing, and its export."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from clubs.membership.members.forms import FULL_MEMBER_STATUSES
from clubs.membership.members.member_cells import (
    COLUMN_HEADINGS,
    COLUMN_LABELS,
    IMPORT_LABELS,
    InvalidCell,
    join_column_parts,
    member_to_row,
    parse_member_cell,
    split_name_by_heading,
)
from clubs.membership.members.membership_form import FamilyPayerLookup
from clubs.membership.members.membership_periods import save_with_membership_periods
from clubs.models import Club, Member, MemberGroup, PersonalDataAccess, User
from clubs.privacy import log_data_access
from clubs.rating.lists.member_listings import save_listings_of_members
from clubs.request_types import parse_key
from common.locking import lock_row
from common.problems import OfficerProblem
from common.signals import ChangeKind, publish
from common.tabular.column_mapping import (
    IGNORED_COLUMN,
    ImportColumn,
    choose_columns,
    duplicate_kind_problem,
    unknown_columns_warning,
)
from common.tabular.column_names import columns_by_heading
from common.tabular.parsed_table import CellProblem, ParsedTable
from common.tabular.spreadsheets import CellValue, read_table
from common.tabular.text_tables import TableRow
from common.text.name_search import name_search_words

PREVIEW_COLUMNS = ("title", "rating", "federation", "birth_year", "fide_id", "national_id", "email")
"""Columns shown next to a new member's name."""
EMPTY_IN_JAVA = "null"
"""JVerein's address book has this text in empty cells."""


class MemberImportAction(StrEnum):
    """What an import does with a line in the table."""

    ADD = "add"
    CHANGE = "change"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberImportRow:
    """A line in an import. `values` are the columns that differ from the existing member."""

    line: int
    name: str
    action: MemberImportAction
    member: Member | None
    values: Mapping[str, Any]
    groups: tuple[str, ...] = ()
    family_payer: Member | int | None = None
    """The payer: a member, or the line of the table that adds them. None if not given."""

    @property
    def preview_values(self) -> list[str]:
        """The new member's values to check before importing."""
        return [str(self.values[column]) for column in PREVIEW_COLUMNS if self.values.get(column)]

    @property
    def changed_columns(self) -> list[str]:
        """The labels of the columns that change."""
        names = [str(column.verbose_name) for column in Member._meta.concrete_fields if column.name in self.values]
        return [
            *names,
            *([_("groups")] if self.groups else []),
            *([str(COLUMN_LABELS["family_payer"])] if self.family_payer is not None else []),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberImportPreview:
    """A parsed file and the changes it would make. Nothing is saved. If it has `problems`, it cannot be imported."""

    table: ParsedTable
    rows: tuple[MemberImportRow, ...] = ()
    columns: tuple[ImportColumn, ...] = ()
    problems: tuple[CellProblem, ...] = ()

    def count_rows(self, action: str) -> int:
        return sum(row.action == action for row in self.rows)

    @property
    def added_count(self) -> int:
        return self.count_rows(MemberImportAction.ADD)

    @property
    def changed_count(self) -> int:
        return self.count_rows(MemberImportAction.CHANGE)

    @property
    def unchanged_count(self) -> int:
        return self.count_rows(MemberImportAction.NOTHING)

    @property
    def import_warnings(self) -> tuple[str, ...]:
        """Warnings to read before importing."""
        return tuple(filter(None, [unknown_columns_warning(self.columns)]))

    @property
    def can_be_imported(self) -> bool:
        return not self.problems


def preview_member_import(
    club: Club, data: bytes, *, today: date, column_choices: Mapping[str, str] | None = None
) -> MemberImportPreview:
    """Parse a table of members and return what importing it would do. Its content never causes an exception.

    A line matches a member by number, FIDE ID or national ID, otherwise by name and birth. Empty cells change nothing.
    Three queries, whatever the number of lines.
    """
    table = read_table(data)
    if table.problems:
        return MemberImportPreview(table=table, problems=table.problems)
    shown = tuple(choose_columns(table.headings, table.rows, column_choices or {}, IMPORT_LABELS))
    columns = {place: column.kind for place, column in enumerate(shown) if column.kind != IGNORED_COLUMN}
    wrong = duplicate_kind_problem(shown, IMPORT_LABELS)
    if not wrong and "name" not in columns.values():
        wrong = _("No column is called “family name” or “name”. The first row must contain the column names.")
    if wrong:
        problem = CellProblem(line=0, column=0, message=wrong)
        return MemberImportPreview(table=table, columns=shown, problems=(problem,))
    reading = _Reading(club, table, columns, today)
    rows = reading.assign_family_payers([row for line in table.rows if (row := reading.read_line(line)) is not None])
    return MemberImportPreview(table=table, rows=tuple(rows), columns=shown, problems=tuple(reading.problems))


def add_missing_headings(text: str) -> str:
    """Return pasted lines as a table. If they have no headings, add some, with the name as the first column.

    A comma separates family and given name. Tabs or semicolons separate cells, as pasted from spreadsheets.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or columns_by_heading(read_table("\n".join(lines[:2]).encode()).headings, COLUMN_HEADINGS):
        return text
    mark = next((mark for mark in ("\t", ";") if mark in lines[0]), "")
    if mark:
        return "\n".join((mark.join(["name", *map(str, range(2, 2 + lines[0].count(mark)))]), *lines))
    quoted = ('"{}"'.format(line.strip().replace('"', '""')) for line in lines)
    return "\n".join(("name", *quoted))


def import_members(
    club: Club, data: bytes, *, today: date, by: User, column_choices: Mapping[str, str] | None = None
) -> MemberImportPreview:
    """Import a table of members, all or nothing. Raises OfficerProblem if the preview has problems."""
    with transaction.atomic():
        lock_row(Club, club.pk)
        preview = preview_member_import(club, data, today=today, column_choices=column_choices)
        if preview.problems:
            raise OfficerProblem("\n".join(str(problem) for problem in preview.problems[:20]))
        new = [
            (Member(club=club, **{"federation": club.federation} | dict(row.values)), row)
            for row in preview.rows
            if row.action is MemberImportAction.ADD
        ]
        Member.objects.bulk_create([member for member, _row in new], batch_size=200)
        changed = [(row.member, row) for row in preview.rows if row.action is MemberImportAction.CHANGE and row.member]
        for member, row in changed:
            for column, value in row.values.items():
                setattr(member, column, value)
            if row.values.keys() & {"status", "joined_on", "left_on"}:
                save_with_membership_periods(member)
            elif row.values:
                member.save()
        if any(row.values.keys() & {"birth_date", "birth_year"} for _member, row in changed):
            publish(ChangeKind.RATED_MEMBERS, club.pk)
        numbered = [member.pk for member, row in (*new, *changed) if row.values.keys() & {"fide_id", "national_id"}]
        if numbered:
            save_listings_of_members(Member.objects.filter(pk__in=numbered))
        _join_groups(club, [*new, *changed])
        _pay_together([*new, *changed])
        log_data_access(
            club,
            PersonalDataAccess.DataAccessKind.CHANGE,
            by=by,
            added=preview.added_count,
            changed=preview.changed_count,
        )
    return preview


def members_to_table(members: Iterable[Member]) -> tuple[list[str], list[list[CellValue]]]:
    """Return the headings and rows of a member table, with one query for groups."""
    members = list(members)
    prefetch_related_objects(members, "groups", "family_payer")
    return list(COLUMN_HEADINGS.values()), [
        member_to_row(member, [group.name for group in member.groups.all()]) for member in members
    ]


class _Reading:
    """The club's members by every key a line can match, and the lines read so far."""

    def __init__(self, club: Club, table: ParsedTable, columns: Mapping[int, str], today: date) -> None:
        self.columns, self.headings, self.today = columns, table.headings, today
        self.problems: list[CellProblem] = []
        found = club.members.filter(erased_at=None).select_related("family_payer")
        members = list(found.prefetch_related("groups"))
        self.paid_for = {member.family_payer_id for member in members if member.family_payer_id}
        self.by_number = {member.pk: member for member in members}
        self.by_fide_id = {member.fide_id: member for member in members if member.fide_id}
        self.by_national_id = {member.national_id: member for member in members if member.national_id}
        self.by_words: dict[tuple[str, ...], list[Member]] = defaultdict(list)
        for member in members:
            self.by_words[name_search_words(member.name)].append(member)
        self.lines_of: dict[tuple[str, object], int] = {}
        self.payers: dict[int, tuple[TableRow, str]] = {}

    def read_line(self, line: TableRow) -> MemberImportRow | None:
        """Return the line as an import row, or None if it has errors, which are added to `problems`."""
        before = len(self.problems)
        values, number = self._values(line)
        groups = tuple(values.pop("groups", ()))
        if payer := values.pop("family_payer", ""):
            self.payers[line.line] = line, payer
        if len(self.problems) > before:
            return None
        name = ", ".join(filter(None, (values["family_name"], values.get("given_name", ""))))
        member = self._member(line, name, values, number)
        if len(self.problems) > before or not self._is_alone(line, name, values, member):
            return None
        _fill_days(values, member, self.today)
        return _row(line.line, name, member, values, groups)

    def assign_family_payers(self, rows: list[MemberImportRow]) -> list[MemberImportRow]:
        """Set the family payer of each row.

        A payer cannot have a payer, and someone who pays for others cannot get one.
        """
        new = {name_search_words(row.name): row.line for row in rows if row.action is MemberImportAction.ADD}
        payers, found = FamilyPayerLookup(self.by_number, self.by_words, new), []
        for row in rows:
            line, text = self.payers.get(row.line, (None, ""))
            try:
                payer = payers.find_payer(text) if line is not None else None
            except ValueError as nobody:
                self._refuse(line, None, str(nobody)) if line is not None else None
                continue
            if payer is None or payer in (row.member, row.line) or (row.member and row.member.family_payer == payer):
                found.append(row)
            else:
                does = MemberImportAction.CHANGE if row.action is MemberImportAction.NOTHING else row.action
                found.append(replace(row, family_payer=payer, action=does))
        said = {row.member or row.line: row for row in found if row.family_payer is not None}
        for row in said.values():
            payer = row.family_payer
            if payer in said or (isinstance(payer, Member) and payer.family_payer_id):
                said_name = self.payers[row.line][1]
                problem = _("“%(name)s” can't pay for others, because someone else pays for this member.") % {
                    "name": said_name
                }
                self._refuse(self.payers[row.line][0], None, problem)
            elif row.member and row.member.pk in self.paid_for:
                problem = _("%(name)s pays for other members. Choose another payer for them first.") % {
                    "name": row.name
                }
                self._refuse(self.payers[row.line][0], None, problem)
        return found

    def _values(self, line: TableRow) -> tuple[dict[str, Any], int | None]:
        values: dict[str, Any] = {}
        number = None
        # A date, in a later column or an earlier one, replaces a year.
        for place, kind in sorted(self.columns.items(), key=lambda column: column[1] != "birth_year"):
            text = "" if line.cell(place) == EMPTY_IN_JAVA else line.cell(place)
            if kind == "name" and not text:
                self._refuse(line, place, _("The name is missing."))
            elif kind == "number" and text:
                number = parse_key(text)
                if number not in self.by_number:
                    self._refuse(line, place, _("No member has the membership number %(n)s.") % {"n": text[:20]})
            elif text:
                text = split_name_by_heading(self.headings[place], text) if kind == "name" else text
                try:
                    values |= {
                        column: value
                        for column, value in parse_member_cell(kind, text, today=self.today).items()
                        # A separate given-name column takes precedence over a comma in the name.
                        if column not in values or column != "given_name" or kind == "given_name"
                    }
                except InvalidCell as refused:
                    self._refuse(line, place, str(refused))
        if len(line.cells) > len(self.headings) and any(line.cells[len(self.headings) :]):
            self._refuse(line, len(self.headings), _("This row has more cells than the header row."))
        try:
            return join_column_parts(values), number
        except InvalidCell as refused:
            self._refuse(line, None, str(refused))
        return values, number

    def _member(self, line: TableRow, name: str, values: Mapping[str, Any], number: int | None) -> Member | None:
        """Return the member a line is about. Members of the same name must not differ in birth year or FIDE ID."""
        named = [
            self.by_number.get(number or 0),
            self.by_fide_id.get(values.get("fide_id") or 0),
            self.by_national_id.get(values.get("national_id", "")),
        ]
        found = {member.pk: member for member in named if member}
        if len(found) > 1:
            self._refuse(line, None, _("The membership number and the IDs belong to 2 different members."))
        if found:
            member = next(iter(found.values()))
            if not any(named[1:]) and not set(name_search_words(name)) & set(name_search_words(member.name)):
                said = _(
                    "Membership number %(n)s belongs to %(name)s. If these aren't membership numbers, "
                    "remove the column."
                )
                self._refuse(line, None, said % {"n": number, "name": member.name})
            return member
        year, fide_id = values.get("birth_year"), values.get("fide_id")
        same = [
            member
            for member in self.by_words[name_search_words(name)]
            if not (year and member.birth_year and year != member.birth_year)
            and not (fide_id and member.fide_id and fide_id != member.fide_id)
        ]
        born = [member for member in same if year and member.birth_year == year]
        same = born if len(born) == 1 else same
        if len(same) > 1:
            said = _("%(count)s members have this name. Add the membership number, an ID or the birth year.")
            self._refuse(line, None, said % {"count": len(same)})
        return same[0] if same else None

    def _is_alone(self, line: TableRow, name: str, values: Mapping[str, Any], member: Member | None) -> bool:
        """Return True if no earlier line of the table is about the same person."""
        keys: list[tuple[str, object]] = [
            (kind, values[kind]) for kind in ("fide_id", "national_id") if values.get(kind)
        ]
        keys.append(("member", member.pk) if member else ("new", (name_search_words(name), values.get("birth_year"))))
        other = next((self.lines_of[key] for key in keys if key in self.lines_of), None)
        if other is not None:
            self._refuse(line, None, _("Duplicate of row %(line)s.") % {"line": other})
            return False
        self.lines_of |= dict.fromkeys(keys, line.line)
        return True

    def _refuse(self, line: TableRow, place: int | None, message: str) -> None:
        if place is None:
            place = next(place for place, kind in self.columns.items() if kind == "name")
        heading = self.headings[place] if place < len(self.headings) else ""
        self.problems.append(CellProblem(line=line.line, column=place + 1, heading=heading, message=message))


def _fill_days(values: dict[str, Any], member: Member | None, today: date) -> None:
    """Use today as the missing date of a consent or a leaving member."""
    for consent in ("photo_consent", "publication_consent"):
        if consent not in values and not (member and getattr(member, consent)):
            values.pop(f"{consent}_on", None)
        elif values.get(consent) and not (member and getattr(member, f"{consent}_on")):
            values.setdefault(f"{consent}_on", today)
    if values.get("status") == Member.Status.FORMER and not (member and member.left_on):
        values.setdefault("left_on", today)
    status = values.get("status") or (member.status if member else Member.Status.MEMBER)
    if (left := values.get("left_on")) and left < today and status in FULL_MEMBER_STATUSES:
        values["status"] = Member.Status.FORMER


def _row(
    line: int, name: str, member: Member | None, values: dict[str, Any], groups: tuple[str, ...]
) -> MemberImportRow:
    if member is None:
        return MemberImportRow(
            line=line, name=name, action=MemberImportAction.ADD, member=None, values=values, groups=groups
        )
    if values.get("birth_date", ...) is None and member.birth_year == values.get("birth_year"):
        del values["birth_date"]  # a year does not overwrite the full date
    new = {column: value for column, value in values.items() if getattr(member, column) != value}
    joined = tuple(set(groups) - {group.name for group in member.groups.all()})
    does = MemberImportAction.CHANGE if new or joined else MemberImportAction.NOTHING
    return MemberImportRow(line=line, name=name, action=does, member=member, values=new, groups=tuple(sorted(joined)))


def _pay_together(rows: Iterable[tuple[Member, MemberImportRow]]) -> None:
    rows = list(rows)
    by_line = {row.line: member for member, row in rows}
    for member, row in rows:
        if row.family_payer is not None:
            payer = row.family_payer
            member.family_payer = payer if isinstance(payer, Member) else by_line[payer]
            member.save(update_fields=["family_payer"])


def _join_groups(club: Club, rows: Iterable[tuple[Member, MemberImportRow]]) -> None:
    wanted = [(member, name) for member, row in rows for name in row.groups]
    groups = {
        name: MemberGroup.objects.get_or_create(club=club, name=name)[0] for name in {name for _m, name in wanted}
    }
    joins = Member.groups.through
    joins.objects.bulk_create(
        (joins(member_id=member.pk, membergroup_id=groups[name].pk) for member, name in wanted), batch_size=400
    )
