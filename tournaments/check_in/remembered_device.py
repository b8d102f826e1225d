"""The players a device belongs to. They are chosen on an event's page or by opening a personal link.

A signed cookie stores them, so public pages contain nothing about them. Choosing "this is me" opens nothing private.
Only a device that opened the personal link, or a signed-in user, may act for the player.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from clubs.models import Club, Member
from clubs.roles import Visitor
from tournaments.models import Entry, Tournament

COOKIE_LIFETIME = timedelta(days=400)
"""The longest that browsers keep a cookie; each opened link renews it."""

MAX_OWNERS = 8
"""The maximum number of people on one device: a family, over several events."""

_COOKIE, _MARK = "me", "knows-me"
_KEPT_FOR = "Keep-Offline"
"""The cookie, which scripts cannot read, and a mark that scripts can. The mark differs between owners, so that a page
stored for one is never shown to another."""

_SALT = "tournaments.check_in.remembered_device"


NO_LINK_VERSION = -1
"""The link version of an owner who opened no personal link."""


class OwnerEvidence(Enum):
    """The way in which a device identifies its owner."""

    OWN_STATEMENT = "word"
    EVENT_LINK = "event's link"
    """The personal link of one event: the player may act there, and is known in other events."""
    PERSON_LINK = "person's link"


class DeviceOwner(NamedTuple):
    """An owner of the device: a member of a club, or the player of one event.

    `version` is that of the personal link opened here, or NO_LINK_VERSION.
    """

    is_person: bool
    key: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedEntry:
    """A player who owns this device. If `may_act`, the device can report results, request byes and see private data."""

    entry: Entry
    may_act: bool


def entries_of_device(request: HttpRequest, tournament: Tournament) -> tuple[OwnedEntry, ...]:
    """Return the event's players who own this device: signed-in users first, then the latest remembered.

    Two queries at most, none for a device that knows nobody.
    """
    return tuple(_owners(request, Entry.objects.filter(tournament=tournament)).values())


def entries_of_device_owners(request: HttpRequest) -> QuerySet[Entry]:
    """Return the entries, in all events, of the players who own this device."""
    found = Entry.objects.filter(pk__in=_owners(request, Entry.objects.all()))
    return found.select_related("tournament__club", "member")


def acting_entries_of_device(request: HttpRequest, entries: QuerySet[Entry]) -> list[Entry]:
    """Return the players among these entries who own this device and may act on it."""
    return [own.entry for own in _owners(request, entries).values() if own.may_act]


def acting_members_of_device(request: HttpRequest, club: Club) -> set[int]:
    """Return the keys of the club's members who own this device and may act on it. At most one query."""
    user: Visitor = request.user
    persons = {each.key: each.version for each in _selves(request) if each.is_person}
    if not persons and not user.is_authenticated:
        return set()
    wanted = Q(pk__in=persons) | (Q(user=user) if user.is_authenticated else Q())
    found = Member.objects.filter(wanted, club=club, erased_at=None)
    return {
        member.pk
        for member in found
        if persons.get(member.pk) == member.link_version or (user.is_authenticated and member.user_id == user.pk)
    }


def is_device_known(request: HttpRequest) -> bool:
    """Return True if the device has a remembered owner."""
    return _COOKIE in request.COOKIES


def remember_device_owner(request: HttpRequest, response: HttpResponse, entry: Entry, *, by: OwnerEvidence) -> None:
    """Remember this player on the device.

    A member is known in all events of the club. A guest, or a member who only said so and refuses to be published, is
    known only in this event: nobody learns from it who they are elsewhere.
    """
    member = entry.member
    new = []
    if member is not None and (
        by is not OwnerEvidence.OWN_STATEMENT or member.publication_consent != Member.Consent.REFUSED
    ):
        new.append(
            DeviceOwner(True, member.pk, member.link_version if by is OwnerEvidence.PERSON_LINK else NO_LINK_VERSION)
        )
    if by is OwnerEvidence.EVENT_LINK or not new:
        new.append(
            DeviceOwner(False, entry.pk, NO_LINK_VERSION if by is OwnerEvidence.OWN_STATEMENT else _version(entry))
        )
    known = {each[:2]: each for each in _selves(request)}
    kept = [max(each, known.pop(each[:2], each), key=lambda one: one.version) for each in new]
    _write(response, selves := (*kept, *known.values())[:MAX_OWNERS])
    if _KEPT_FOR in response.headers:
        response.headers[_KEPT_FOR] = _kept_for(request, selves)


def allow_offline_copy(request: HttpRequest, response: HttpResponse) -> None:
    """Allow the device to keep this private page for offline use.

    The mark identifies its owners. For other owners, `static/js` drops the page.
    """
    response.headers[_KEPT_FOR] = _kept_for(request, _selves(request))


def forget_device_owners(response: HttpResponse) -> None:
    """Forget all owners of the device, and the pages it kept."""
    response.headers["Clear-Site-Data"] = '"storage"'
    response.delete_cookie(_COOKIE, samesite="Lax")
    response.delete_cookie(_MARK, samesite="Lax")


def _owners(request: HttpRequest, entries: QuerySet[Entry]) -> dict[int, OwnedEntry]:
    """Return the device's players among these entries, by key."""
    user: Visitor = request.user
    selves = _selves(request)
    if not selves and not user.is_authenticated:
        return {}
    persons = {each.key: (place, each.version) for place, each in enumerate(selves) if each.is_person}
    players = {each.key: (place, each.version) for place, each in enumerate(selves) if not each.is_person}
    wanted = Q(member__in=persons) | Q(pk__in=players)
    if user.is_authenticated:
        wanted |= Q(member__user=user)
    found = []
    for entry in entries.filter(wanted).select_related("member", "tournament__club"):
        member = entry.member
        place, may_act = MAX_OWNERS, False
        if entry.pk in players:
            place, version = players[entry.pk]
            may_act = version == _version(entry)
        if member is not None and member.pk in persons:
            at, version = persons[member.pk]
            place, may_act = min(place, at), may_act or version == member.link_version
        if user.is_authenticated and member is not None and member.user_id == user.pk:
            place, may_act = -1, True
        if may_act or entry.tournament.is_public:
            found.append((place, entry.pk, OwnedEntry(entry=entry, may_act=may_act)))
    return {key: own for _place, key, own in sorted(found, key=lambda one: one[:2])}


def _version(entry: Entry) -> int:
    """Return the version of the event link, which grows if the link of the entry or of the member is renewed."""
    return entry.link_version + (entry.member.link_version if entry.member is not None else 0)


def _selves(request: HttpRequest) -> tuple[DeviceOwner, ...]:
    """Return the owners in the cookie. Empty if its signature or content is invalid."""
    try:
        told = (
            signing.loads(request.COOKIES[_COOKIE], salt=_SALT, max_age=COOKIE_LIFETIME)
            if _COOKIE in request.COOKIES
            else ()
        )
        return tuple(DeviceOwner(bool(is_person), int(key), int(version)) for is_person, key, version in told)
    except (signing.BadSignature, TypeError, ValueError):
        return ()


def _mark(selves: tuple[DeviceOwner, ...], user: int = 0) -> str:
    """Return an anonymous mark that differs between sets of owners."""
    who = [user, *sorted(each[:2] for each in selves)]
    return salted_hmac(_SALT, repr(who), algorithm="sha256").hexdigest()[:16]


def _kept_for(request: HttpRequest, selves: tuple[DeviceOwner, ...]) -> str:
    user: Visitor = request.user
    return _mark(selves, user.pk if user.is_authenticated else 0)


def _write(response: HttpResponse, selves: tuple[DeviceOwner, ...]) -> None:
    value = signing.dumps([[int(each.is_person), each.key, each.version] for each in selves], salt=_SALT)
    for name, text, for_scripts in ((_COOKIE, value, False), (_MARK, _mark(selves), True)):
        response.set_cookie(
            name,
            text,
            max_age=COOKIE_LIFETIME,
            httponly=not for_scripts,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
