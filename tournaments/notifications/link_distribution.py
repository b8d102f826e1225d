"""Distributing personal links to all players of an event: by email, as a list, by share sheet or on paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from clubs.models import User
from common.jobs.queue import create_job
from common.models import Job
from common.text.name_order import name_sort_key
from tournaments.check_in.personal_links import personal_link_url
from tournaments.models import Notification, NotificationChannel, Tournament
from tournaments.notifications.notification_job import NOTIFY_TASK
from tournaments.notifications.preferences import Recipient, can_email_link, link_email_channel
from tournaments.notifications.triggers import queue_notifications
from tournaments.privacy.personal_data import full_names_behind_initials


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributedLink:
    """A player's link. `can_be_emailed` is True if the club has their address and they have not stopped such emails."""

    name: str
    path: str
    can_be_emailed: bool
    channel_labels: tuple[str, ...]
    """The channels by which they are notified of pairings, as text."""


def links_to_distribute(tournament: Tournament) -> list[DistributedLink]:
    """Return the links of all players in the event, sorted by name. Three queries."""
    full_names = full_names_behind_initials(tournament)
    theirs: dict[tuple[int | None, int | None], list[NotificationChannel]] = {}
    of_event = Q(member__entries__tournament=tournament) | Q(entry__tournament=tournament)
    for way in NotificationChannel.objects.filter(of_event).select_related("member").distinct():
        theirs.setdefault((way.member_id, way.entry_id), []).append(way)
    found = []
    for entry in tournament.entries.select_related("member"):
        ways = theirs.get((entry.member_id, None if entry.member_id else entry.pk), [])
        none_yet = NotificationChannel(member=entry.member, kind=NotificationChannel.ChannelKind.MAIL)
        letters = next((way for way in ways if way.kind == NotificationChannel.ChannelKind.MAIL), none_yet)
        found.append(
            DistributedLink(
                name=full_names.get(entry.pk, entry.name),
                path=personal_link_url(entry),
                can_be_emailed=can_email_link(letters),
                channel_labels=tuple(sorted({str(way.get_kind_display()) for way in ways if way.pairings})),
            )
        )
    return sorted(found, key=lambda each: name_sort_key(each.name))


@transaction.atomic
def email_personal_links(tournament: Tournament, *, by: User, site: str, then: str) -> Job | None:
    """Queue an email with each player's link, at most one a day. Return the sending job, or None if none is due."""
    before = Notification.objects.filter(entry__tournament=tournament, kind=Notification.Kind.LINK).count()
    ways = [
        Recipient(entry, way)
        for entry in tournament.entries.select_related("member", "tournament__club")
        if (way := link_email_channel(entry, site=site)) is not None
    ]
    queue_notifications(
        Notification.Kind.LINK, f"link {timezone.localdate():%Y-%m-%d}", None, [(each, {}) for each in ways]
    )
    if Notification.objects.filter(entry__tournament=tournament, kind=Notification.Kind.LINK).count() == before:
        return None
    return create_job(NOTIFY_TASK, by=by, club=tournament.club, arguments={"next": then})


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationCounts:
    """The number of messages of one kind, by state."""

    kind: str
    counts: tuple[tuple[str, int], ...]


def count_notifications_by_state(tournament: Tournament) -> list[NotificationCounts]:
    """Count the event's stored notifications by kind and state."""
    rows = Notification.objects.filter(entry__tournament=tournament).order_by().values_list("kind", "state")
    counted: dict[str, dict[str, int]] = {}
    for kind, state, number in rows.annotate(number=Count("pk")):
        counted.setdefault(kind, {})[state] = number
    return [
        NotificationCounts(
            kind=str(Notification.Kind(kind).label),
            counts=tuple(
                (str(state.label), counted[kind][state]) for state in Notification.State if state in counted[kind]
            ),
        )
        for kind in Notification.Kind
        if kind in counted
    ]


def latest_failed_notifications(tournament: Tournament) -> Iterable[Notification]:
    """Return the latest messages that failed, with the reason."""
    failed = Notification.objects.filter(entry__tournament=tournament, state=Notification.State.FAILED).exclude(
        error=""
    )
    return failed.select_related("entry", "channel").order_by("-pk")[:20]
