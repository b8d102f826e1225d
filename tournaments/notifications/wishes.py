"""What each player wants to be told, and by which ways: chosen, changed and stopped by himself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournaments.models import Entry, Message, MessageWay
from tournaments.notifications.pushing import is_push_service, reads_keys
from tournaments.problems import ArbiterProblem

MOST_DEVICES = 10
"""Of one person; whoever adds another loses the oldest."""

COLUMNS = {
    Message.Kind.PAIRING: "pairings",
    Message.Kind.RESULT: "results",
    Message.Kind.EVENING: "evenings",
    Message.Kind.LINK: "links",
}
"""The column of a way that says whether it is used for a kind."""

CHOSEN = ("pairings", "results", "evenings")
"""What a player chooses on his page; links are sent by the club."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A browser's subscription, as it sends it."""

    endpoint: str
    p256dh: str
    auth: str


class Wanted(NamedTuple):
    """A player and a way by which he wants to be told."""

    entry: Entry
    way: MessageWay


def kind_in_words(column: str) -> str:
    """What a way is used for, by its column, as a form has it."""
    return str(MessageWay._meta.get_field(column).verbose_name)  # type: ignore[union-attr]


def mail_is_sent() -> bool:
    """A mail server is set; without one letters become files, and nobody waits for those."""
    return bool(settings.EMAIL_HOST)


def valid_ways() -> QuerySet[MessageWay]:
    """Ways that count: entered by a link that still opens; letters to a guest once he has confirmed his address."""
    by_link = Q(version=F("member__link_version")) | Q(version=F("entry__link_version"))
    to_the_book = Q(channel=MessageWay.Channel.MAIL, member__isnull=False)
    unconfirmed = Q(channel=MessageWay.Channel.MAIL, entry__isnull=False, confirmed_at=None)
    return MessageWay.objects.filter(to_the_book | by_link).exclude(unconfirmed)


def ways_of(entry: Entry) -> QuerySet[MessageWay]:
    """A player's ways, those that wait for their confirmation among them."""
    if entry.member_id:
        return MessageWay.objects.filter(member=entry.member_id)
    return MessageWay.objects.filter(entry=entry)


def wanted(kind: Message.Kind, entries: Iterable[Entry]) -> Iterator[Wanted]:
    """Who of these players wants to be told of such things, and by which ways; one query."""
    players = list(entries)
    by_member = {entry.member_id: entry for entry in players if entry.member_id}
    by_key = {entry.pk: entry for entry in players}
    theirs = Q(member__in=by_member) | Q(entry__in=by_key)
    ways = valid_ways().filter(theirs, **{COLUMNS[kind]: True}).select_related("member")
    if not mail_is_sent():
        ways = ways.exclude(channel=MessageWay.Channel.MAIL)
    for way in ways:
        yield Wanted(by_member[way.member_id] if way.member_id else by_key[way.entry_id or 0], way)


def address_of(way: MessageWay) -> str:
    """Where letters go: a guest's own address, a person's in the book, a child's guardian where it has none."""
    if way.member is None:
        return way.email
    return way.member.email or way.member.guardian_email


@transaction.atomic
def choose_letters(entry: Entry, chosen: Iterable[str], *, site: str, email: str = "") -> MessageWay:
    """Letters of these kinds from now on (none: no more); `email` is a guest's address.

    A guest's new address counts when he has confirmed it: whoever calls sends him the letter. Raises ArbiterProblem
    where there is no address.
    """
    way = _letters_of(entry)
    way.version = _version_of(entry)
    if entry.member is None:
        if not (email or way.email) and chosen:
            raise ArbiterProblem(_("Write the address to which the letters are to go."))
        if email and email != way.email:
            way.email, way.confirmed_at = email, None
    elif chosen and not address_of(way):
        raise ArbiterProblem(_("The club has no e-mail address of you: tell it yours first."))
    _note(way, chosen, site)
    return way


@transaction.atomic
def add_device(entry: Entry, device: Device, chosen: Iterable[str], *, site: str) -> MessageWay:
    """Notifications of these kinds on this device; one that is known already is chosen for anew.

    Raises ArbiterProblem for a subscription that is none of a push service, or has broken keys.
    """
    if not is_push_service(device.endpoint) or not reads_keys(device.p256dh, device.auth):
        raise ArbiterProblem(_("This device's subscription is not understood. Use e-mail instead."))
    mark = hashlib.sha256(device.endpoint.encode()).hexdigest()
    known = ways_of(entry).filter(channel=MessageWay.Channel.PUSH)
    way = known.filter(endpoint_mark=mark).first() or _new_way(entry, MessageWay.Channel.PUSH)
    way.endpoint, way.endpoint_mark = device.endpoint, mark
    way.p256dh, way.auth, way.version = device.p256dh, device.auth, _version_of(entry)
    _note(way, chosen, site)
    too_many = known.order_by("-made_at", "-pk").values_list("pk", flat=True)[MOST_DEVICES:]
    MessageWay.objects.filter(pk__in=list(too_many)).delete()
    return way


def letters_for_links(entry: Entry, *, site: str) -> MessageWay | None:
    """The way by which the club sends a player his link; None where it has no address, or he wants no letters of it."""
    way = _letters_of(entry)
    if not takes_links(way):
        return None
    if way._state.adding:
        way.site, way.language, way.version = site, entry.tournament.club.language, _version_of(entry)
        way.save()
    return way


def takes_links(letters: MessageWay) -> bool:
    """The club may send a link there: there is an address, a guest's is confirmed, and nobody has said no."""
    unconfirmed = letters.member is None and letters.confirmed_at is None
    return letters.links and not unconfirmed and bool(address_of(letters))


def stop(way: MessageWay) -> None:
    """Nothing more by this way. A device is forgotten; what an address was for stays known as not wanted."""
    if way.channel == MessageWay.Channel.PUSH:
        way.delete()
        return
    way.pairings = way.results = way.evenings = way.links = False
    way.save(update_fields=[*CHOSEN, "links"])


def _letters_of(entry: Entry) -> MessageWay:
    """The player's row for letters, a new one if need be; not saved."""
    found = ways_of(entry).filter(channel=MessageWay.Channel.MAIL).select_related("member").first()
    return found or _new_way(entry, MessageWay.Channel.MAIL)


def _new_way(entry: Entry, channel: str) -> MessageWay:
    if entry.member is not None:
        return MessageWay(member=entry.member, channel=channel)
    return MessageWay(entry=entry, channel=channel)


def _note(way: MessageWay, chosen: Iterable[str], site: str) -> None:
    wanted_now = set(chosen)
    for column in CHOSEN:
        setattr(way, column, column in wanted_now)
    way.site, way.language = site, translation.get_language() or ""
    way.save()


def _version_of(entry: Entry) -> int:
    return entry.member.link_version if entry.member is not None else entry.link_version


def confirm(way: MessageWay) -> None:
    """The guest has opened the letter at his address."""
    MessageWay.objects.filter(pk=way.pk, confirmed_at=None).update(confirmed_at=timezone.now())
