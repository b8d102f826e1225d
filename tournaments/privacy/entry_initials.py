"""Initials instead of the name, for members who refused publication after they were entered."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from clubs.models import Member, User
from clubs.privacy import is_name_in_initials, public_name
from tournaments.entries.enrolment import change_entry
from tournaments.models import Entry


def entries_showing_full_name(member: Member) -> list[Entry]:
    """Return entries in public events that still show the full name of a member who refused, the latest first."""
    if member.publication_consent != Member.Consent.REFUSED or member.erased_at is not None:
        return []
    entries = Entry.objects.filter(member=member, tournament__is_public=True, tournament__deleted_at=None)
    entries = entries.select_related("tournament").order_by("-tournament__starts_on", "-pk")
    return [entry for entry in entries if not is_name_in_initials(entry.name)]


@transaction.atomic
def replace_names_with_initials(member: Member, tournaments: Collection[int], *, by: User | None) -> int:
    """Replace the name with initials in the chosen events, and return the number of entries changed.

    Only entries of `entries_showing_full_name` are changed.
    """
    entries = [entry for entry in entries_showing_full_name(member) if entry.tournament_id in tournaments]
    for entry in sorted(entries, key=lambda entry: entry.tournament_id):
        change_entry(entry, by=by, name=public_name(member))
    return len(entries)
