"""A guest of an event who is a member of the book after all: found by what is known of him, or said by the arbiter."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.followers import Changed, tell
from clubs.models import Member, User
from clubs.privacy import public_name
from clubs.writing.searching import name_words
from tournaments.entries.player_rows import PlayerRow, members_meant_by
from tournaments.locking import hold
from tournaments.log.actions import EventAction
from tournaments.log.lines import record
from tournaments.models import Entry
from tournaments.problems import ArbiterProblem


def members_meant(entry: Entry) -> list[Member]:
    """The members that a guest may be, by FIDE ID or else by name with nothing against it; none of those who play."""
    if entry.member_id is not None:
        return []
    row = PlayerRow(line=0, name=entry.name, birth=entry.birth, fide_id=entry.fide_id)
    meant = members_meant_by(entry.tournament.club_id, row)
    playing = set(
        Entry.objects.filter(tournament=entry.tournament_id, member__in=meant).values_list("member", flat=True)
    )
    return [member for member in meant if member.pk not in playing]


def link_where_certain(entry: Entry, *, by: User | None) -> Entry:
    """Make a guest the member he must be: of his FIDE ID and a name in common, or the only one of his name and year."""
    meant = members_meant(entry)
    if len(meant) != 1:
        return entry
    (member,) = meant
    has_number = bool(entry.fide_id) and str(member.fide_id or "") == entry.fide_id
    has_year = bool(entry.birth) and str(member.birth_year or "") == entry.birth[:4]
    has_name = bool(set(name_words(entry.name)) & set(name_words(member.name)))
    return link_member(entry, member, by=by) if has_name and (has_number or has_year) else entry


@transaction.atomic
def link_member(entry: Entry, member: Member, *, by: User | None) -> Entry:
    """Say that a guest is this member, so that his games count for the member's rating; what the list says stays.

    Raises ArbiterProblem where he is another member already, and where the member plays in the event himself.
    """
    tournament = hold(entry.tournament_id)
    entry = Entry.objects.get(pk=entry.pk)
    entry.tournament = tournament
    if entry.member_id == member.pk:
        return entry
    others = tournament.entries.filter(member=member)
    if entry.member_id or others.exists() or member.club_id != tournament.club_id or member.erased_at:
        raise ArbiterProblem(_("%(name)s stands in the event already.") % {"name": member.name})
    called = entry.name
    entry.member = member
    entry.club_name = entry.club_name or tournament.club.name
    if tournament.is_public and member.publication_consent == Member.Consent.REFUSED:
        entry.name = public_name(member)
    entry.save(update_fields=["member", "club_name", "name"])
    tell(Changed.EVENT, tournament.pk)
    record(tournament, EventAction.ENTRY_LINKED, by=by, entry=entry.pk, name=called, member=member.name)
    return entry
