"""Corrections of a player's data on the starting list."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from clubs.models import User
from common.signals import ChangeKind, publish
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.member_linking import link_member_if_certain
from tournaments.models import Entry

STARTING_LIST_FIELDS = (
    *("name", "title", "rating", "rating_is_estimate", "federation", "club_name"),
    *("fide_id", "sex", "birth", "remark"),
)
"""A player's data on the starting list, in the order of the form."""
CHANGEABLE_FIELDS = frozenset({*STARTING_LIST_FIELDS, "report_name"})


@transaction.atomic
def change_entry(entry: Entry, *, by: User | None, **changes: Any) -> Entry:
    """Change the event's own copy of a player's data and log the old values.

    A guest who now turns out to be a member is linked (`member_linking`). The number stays: numbers are given when
    round 1 is paired, and a later rating changes none.
    """
    unknown = changes.keys() - CHANGEABLE_FIELDS
    if unknown:
        raise TypeError(f"not an entry's own fields: {sorted(unknown)}")
    # Lock the event first, as everywhere. Locking the entry first could deadlock with somebody writing a bye.
    tournament = lock_tournament(entry.tournament_id)
    entry = Entry.objects.get(pk=entry.pk)
    entry.tournament = tournament
    before = {name: getattr(entry, name) for name, value in changes.items() if getattr(entry, name) != value}
    if not before:
        return entry
    for name in before:
        setattr(entry, name, changes[name])
    entry.save(update_fields=list(before))
    if before.keys() & {"rating", "rating_is_estimate"}:
        publish(ChangeKind.EVENT, entry.tournament_id)
    after = {name: changes[name] for name in before}
    record_action(
        entry.tournament, EventAction.ENTRY_CHANGED, by=by, entry=entry.pk, name=entry.name, before=before, after=after
    )
    return link_member_if_certain(entry, by=by) if before.keys() & {"name", "fide_id", "birth"} else entry
