"""Linking a guest of an event to a member: found by their data, or chosen by the arbiter."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import Member, User
from clubs.privacy import public_name
from common.signals import ChangeKind, publish
from common.text.name_search import name_search_words
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.player_rows import PlayerRow, find_members_matching_row
from tournaments.models import Entry, LogEntry, OnlineEntry
from tournaments.problems import ArbiterProblem


def find_members_matching_entry(entry: Entry) -> list[Member]:
    """Return members who may be the same person as a guest, by FIDE ID, or by name if nothing contradicts it.

    Members who already play in the event are left out.
    """
    if entry.member_id is not None:
        return []
    row = PlayerRow(line=0, name=entry.name, birth=entry.birth, fide_id=entry.fide_id)
    meant = find_members_matching_row(entry.tournament.club_id, row)
    playing = set(
        Entry.objects.filter(tournament=entry.tournament_id, member__in=meant).values_list("member", flat=True)
    )
    return [member for member in meant if member.pk not in playing]


def link_member_if_certain(entry: Entry, *, by: User | None) -> Entry:
    """Link a guest to a member if only that member can be the same person.

    That is the one with the same FIDE ID and part of the name, or the only one with the name and birth year. Never if
    the arbiter undid such a link of this entry.
    """
    meant = find_members_matching_entry(entry)
    if len(meant) != 1 or _lines_about(entry).filter(action=EventAction.ENTRY_UNLINKED).exists():
        return entry
    (member,) = meant
    has_number = bool(entry.fide_id) and str(member.fide_id or "") == entry.fide_id
    has_year = bool(entry.birth) and str(member.birth_year or "") == entry.birth[:4]
    has_name = bool(set(name_search_words(entry.name)) & set(name_search_words(member.name)))
    return link_member(entry, member, by=by) if has_name and (has_number or has_year) else entry


@transaction.atomic
def link_member(entry: Entry, member: Member, *, by: User | None) -> Entry:
    """Link a guest to a member, so that the guest's games count towards the member's rating.

    The entry keeps its data. Raises ArbiterProblem if the entry already belongs to another member, or the member can't
    be linked or plays in the event.
    """
    tournament = lock_tournament(entry.tournament_id)
    entry = Entry.objects.get(pk=entry.pk)
    entry.tournament = tournament
    if entry.member_id == member.pk:
        return entry
    others = tournament.entries.filter(member=member)
    if entry.member_id or others.exists() or member.club_id != tournament.club_id or member.erased_at:
        raise ArbiterProblem(_("%(name)s is already in the event.") % {"name": member.name})
    called, of_club = entry.name, entry.club_name
    entry.member = member
    entry.club_name = entry.club_name or tournament.club.name
    if tournament.is_public and member.publication_consent == Member.Consent.REFUSED:
        entry.name = public_name(member)
    online = OnlineEntry.objects.filter(entry=entry).first()
    if online is not None and not online.is_from(member):
        # Somebody else may have entered under the member's name: their link must not become the member's.
        entry.link_version += 1
    entry.save(update_fields=["member", "club_name", "name", "link_version"])
    publish(ChangeKind.EVENT, tournament.pk)
    record_action(
        tournament,
        EventAction.ENTRY_LINKED,
        by=by,
        entry=entry.pk,
        name=called,
        member=member.name,
        club_name=of_club,
    )
    return entry


def find_link_log_entry(entry: Entry) -> LogEntry | None:
    """Return the log entry that linked a guest to their member.

    None if there is none or the member was erased.
    """
    if entry.member is None or entry.member.erased_at is not None:
        return None
    latest = _lines_about(entry).filter(action__in=[EventAction.ENTRY_LINKED, EventAction.ENTRY_UNLINKED]).first()
    return latest if latest is not None and latest.action == EventAction.ENTRY_LINKED else None


@transaction.atomic
def unlink_member(entry: Entry, *, was: int, by: User | None) -> Entry:
    """Undo a link to the member with the key `was`: the player is a guest again, under the earlier name.

    Their games no longer count for the member. Later changes are kept. Raises ArbiterProblem if the entry has since
    been linked to another member, or was entered as a member.
    """
    tournament = lock_tournament(entry.tournament_id)
    entry = Entry.objects.select_related("member").get(pk=entry.pk)
    entry.tournament = tournament
    member = entry.member
    if member is None:
        return entry
    line = find_link_log_entry(entry)
    if line is None or member.pk != was:
        raise ArbiterProblem(
            _("%(name)s has since been linked to another member, or was entered as a member. Check again.")
            % {"name": entry.name}
        )
    if entry.name == public_name(member):
        entry.name = line.details["name"]
    if entry.club_name == tournament.club.name:
        entry.club_name = line.details.get("club_name", entry.club_name)
    entry.member = None
    entry.save(update_fields=["member", "club_name", "name"])
    publish(ChangeKind.EVENT, tournament.pk)
    record_action(tournament, EventAction.ENTRY_UNLINKED, by=by, entry=entry.pk, name=entry.name, member=member.name)
    return entry


def _lines_about(entry: Entry) -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(tournament=entry.tournament_id, details__entry=entry.pk)
