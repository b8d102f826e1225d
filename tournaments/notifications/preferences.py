"""Each player's notification preferences: which kinds of messages they want, on which channels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from common.emails.smtp_delivery import is_email_configured
from tournaments.models import Entry, Notification, NotificationChannel
from tournaments.notifications.web_push import are_device_keys_valid, is_push_available, is_push_service
from tournaments.problems import ArbiterProblem

MAX_DEVICES = 10
"""Per person; adding another device removes the oldest."""

FIELD_BY_NOTIFICATION_KIND = {
    Notification.Kind.PAIRING: "pairings",
    Notification.Kind.RESULT: "results",
    Notification.Kind.EVENING: "evenings",
    Notification.Kind.LINK: "links",
}
"""The field of a channel that enables it for a kind."""

PREFERENCE_FIELDS = ("pairings", "results", "evenings")
"""The kinds players choose on their page; links are sent by the club."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushSubscription:
    """A browser's push subscription, in the form in which the browser sends it."""

    endpoint: str
    p256dh: str
    auth: str


class Recipient(NamedTuple):
    """A player and a channel on which they want notifications."""

    entry: Entry
    channel: NotificationChannel


def preference_label(column: str) -> str:
    """Return the label of a preference field, as a form shows it."""
    return str(NotificationChannel._meta.get_field(column).verbose_name)  # type: ignore[union-attr]


def can_notify_players() -> bool:
    """Return True if this server can send emails or push messages."""
    return is_email_configured() or is_push_available()


def valid_channels() -> QuerySet[NotificationChannel]:
    """Return the active channels: members' email, and devices and confirmed guest emails whose link still works."""
    by_link = Q(version=F("member__link_version")) | Q(version=F("entry__link_version"))
    to_the_book = Q(kind=NotificationChannel.ChannelKind.MAIL, member__isnull=False)
    unconfirmed = Q(kind=NotificationChannel.ChannelKind.MAIL, entry__isnull=False, confirmed_at=None)
    return NotificationChannel.objects.filter(to_the_book | by_link).exclude(unconfirmed)


def channels_for(entry: Entry) -> QuerySet[NotificationChannel]:
    """Return a player's channels, including unconfirmed ones."""
    if entry.member_id:
        return NotificationChannel.objects.filter(member=entry.member_id)
    return NotificationChannel.objects.filter(entry=entry)


def recipients_wanting(kind: Notification.Kind, entries: Iterable[Entry]) -> Iterator[Recipient]:
    """Find which of these players want this kind of message, and on which channels. One query."""
    players = list(entries)
    by_member = {entry.member_id: entry for entry in players if entry.member_id}
    by_key = {entry.pk: entry for entry in players}
    theirs = Q(member__in=by_member) | Q(entry__in=by_key)
    ways = valid_channels().filter(theirs, **{FIELD_BY_NOTIFICATION_KIND[kind]: True}).select_related("member")
    if not is_email_configured():
        ways = ways.exclude(kind=NotificationChannel.ChannelKind.MAIL)
    for way in ways:
        yield Recipient(by_member[way.member_id] if way.member_id else by_key[way.entry_id or 0], way)


def email_address_of(way: NotificationChannel) -> str:
    """Return the email address of a channel: a guest's own, a member's, or else the guardian's."""
    if way.member is None:
        return way.email
    return way.member.email or way.member.guardian_email


@transaction.atomic
def save_email_preferences(entry: Entry, chosen: Iterable[str], *, site: str, email: str = "") -> NotificationChannel:
    """Save the kinds of email the player wants, possibly none. `email` is a guest's address.

    A guest's new address counts once they confirm it: the caller sends the confirmation email. Raises ArbiterProblem if
    there is no address.
    """
    way = _letters_of(entry)
    way.version = _version_of(entry)
    if entry.member is None:
        if not (email or way.email) and chosen:
            raise ArbiterProblem(_("Enter your email address."))
        if email and email != way.email:
            way.email, way.confirmed_at = email, None
    elif chosen and not email_address_of(way):
        raise ArbiterProblem(_("The club doesn't have your email address. Give it to the club first."))
    _note(way, chosen, site)
    return way


@transaction.atomic
def add_push_device(entry: Entry, device: PushSubscription, chosen: Iterable[str], *, site: str) -> NotificationChannel:
    """Add a device for push messages of the chosen kinds, or change the kinds for a known device.

    Raises ArbiterProblem if the subscription is not from a known push service or its keys are invalid.
    """
    if not is_push_service(device.endpoint) or not are_device_keys_valid(device.p256dh, device.auth):
        raise ArbiterProblem(_("We couldn't add this device. Use email instead."))
    mark = hashlib.sha256(device.endpoint.encode()).hexdigest()
    known = channels_for(entry).filter(kind=NotificationChannel.ChannelKind.PUSH)
    way = known.filter(endpoint_mark=mark).first() or _new_way(entry, NotificationChannel.ChannelKind.PUSH)
    way.endpoint, way.endpoint_mark = device.endpoint, mark
    way.p256dh, way.auth, way.version = device.p256dh, device.auth, _version_of(entry)
    _note(way, chosen, site)
    too_many = known.order_by("-made_at", "-pk").values_list("pk", flat=True)[MAX_DEVICES:]
    NotificationChannel.objects.filter(pk__in=list(too_many)).delete()
    return way


def link_email_channel(entry: Entry, *, site: str) -> NotificationChannel | None:
    """Return the channel for emailing a player their link, or None if `can_email_link` is false."""
    way = _letters_of(entry)
    if not can_email_link(way):
        return None
    if way._state.adding:
        way.site, way.language, way.version = site, entry.tournament.club.language, _version_of(entry)
        way.save()
    return way


def can_email_link(letters: NotificationChannel) -> bool:
    """Return True if the player wants links and has a known address, which a guest must also have confirmed."""
    unconfirmed = letters.member is None and letters.confirmed_at is None
    return letters.links and not unconfirmed and bool(email_address_of(letters))


def stop_channel(way: NotificationChannel) -> None:
    """Stop a channel. A device is deleted, but an email channel is kept with all kinds turned off."""
    if way.kind == NotificationChannel.ChannelKind.PUSH:
        way.delete()
        return
    way.pairings = way.results = way.evenings = way.links = False
    way.save(update_fields=[*PREFERENCE_FIELDS, "links"])


def _letters_of(entry: Entry) -> NotificationChannel:
    """Return the player's email channel, or a new unsaved one."""
    found = channels_for(entry).filter(kind=NotificationChannel.ChannelKind.MAIL).select_related("member").first()
    return found or _new_way(entry, NotificationChannel.ChannelKind.MAIL)


def _new_way(entry: Entry, channel: str) -> NotificationChannel:
    if entry.member is not None:
        return NotificationChannel(member=entry.member, kind=channel)
    return NotificationChannel(entry=entry, kind=channel)


def _note(way: NotificationChannel, chosen: Iterable[str], site: str) -> None:
    wanted_now = set(chosen)
    for column in PREFERENCE_FIELDS:
        setattr(way, column, column in wanted_now)
    way.site, way.language = site, translation.get_language() or ""
    way.save()


def _version_of(entry: Entry) -> int:
    return entry.member.link_version if entry.member is not None else entry.link_version


def confirm_channel_address(way: NotificationChannel) -> None:
    """Confirm a guest's address after they open the link in the email."""
    NotificationChannel.objects.filter(pk=way.pk, confirmed_at=None).update(confirmed_at=timezone.now())
