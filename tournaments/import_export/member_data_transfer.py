"""Members' data that an event has and the member list lacks, saved there when the secretary confirms it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from clubs.models import Club, Member, PersonalDataAccess, User
from clubs.privacy import log_data_access
from clubs.rating.lists.member_listings import save_listings_of_members
from clubs.request_types import parse_key
from common.locking import lock_row
from common.signals import ChangeKind, publish
from tournaments.import_export.report_files import parse_report_date
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingMemberDetail:
    """A detail the member list lacks. `other_owner` is the member who already has that FIDE ID there."""

    entry: Entry
    member: Member
    field: str
    value: str
    other_owner: str = ""

    @property
    def checkbox_value(self) -> str:
        """The value sent by a ticked box. It depends on what was shown."""
        return f"{self.entry.pk}:{self.field}:{self.value}"


def find_new_member_details(event: Tournament) -> list[MissingMemberDetail]:
    """Find FIDE IDs, dates of birth and federations that the member list lacks, by name. Two queries."""
    entries = event.entries.filter(member__isnull=False, member__erased_at=None).select_related("member")
    owners = {member.fide_id: member.name for member in event.club.members.filter(fide_id__isnull=False)}
    wanted = Counter(entry.fide_id for entry in entries)
    found = []
    for entry in entries.order_by("name", "pk"):
        member = entry.member
        if member is None:
            continue
        number = parse_key(entry.fide_id)
        if number and member.fide_id is None and wanted[entry.fide_id] == 1:
            owner = owners.get(number, "")
            found.append(
                MissingMemberDetail(entry=entry, member=member, field="fide_id", value=str(number), other_owner=owner)
            )
        if _says_more(entry.birth, member):
            found.append(MissingMemberDetail(entry=entry, member=member, field="birth", value=entry.birth))
        if entry.federation and not member.federation:
            found.append(MissingMemberDetail(entry=entry, member=member, field="federation", value=entry.federation))
    return found


@transaction.atomic
def save_member_details(event: Tournament, keys: Collection[str], *, by: User) -> int:
    """Save the ticked details in the member list and return the number of members changed.

    Details that have changed since they were shown are skipped.
    """
    lock_row(Club, event.club_id)
    wanted = [each for each in find_new_member_details(event) if each.checkbox_value in keys and not each.other_owner]
    changed: dict[int, dict[str, str]] = {}
    for each in wanted:
        member = lock_row(Member, each.member.pk)
        if each.field == "fide_id":
            member.fide_id = int(each.value)
        elif each.field == "federation":
            member.federation = each.value
        else:
            member.birth_date = parse_report_date(each.value)
            member.birth_year = member.birth_date.year if member.birth_date else int(each.value[:4])
        member.save()
        changed.setdefault(member.pk, {})[each.field] = each.value
        each.member.refresh_from_db()
    members = {each.member.pk: each.member for each in wanted}
    for key, fields in changed.items():
        what = PersonalDataAccess.DataAccessKind.CHANGE
        log_data_access(event.club, what, by=by, member=members[key], fields=sorted(fields), event=event.name)
    if numbered := [key for key, fields in changed.items() if "fide_id" in fields]:
        save_listings_of_members(Member.objects.filter(pk__in=numbered))
    if any("birth" in fields for fields in changed.values()):
        publish(ChangeKind.RATED_MEMBERS, event.club_id)
    return len(changed)


def _says_more(birth: str, member: Member) -> bool:
    """Return True if the member list has no birth year, or lacks the day of that year."""
    day = parse_report_date(birth) if len(birth) > 4 else None
    year = day.year if day else parse_key(birth[:4])
    if not 1900 <= year <= date.today().year or member.birth_date is not None:
        return False
    return member.birth_year is None or (day is not None and member.birth_year == year)
