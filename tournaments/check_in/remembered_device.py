"""Who a device says it belongs to: said once on an event's page, or by opening a personal link; forgotten in one tap.

A signed cookie holds it, so no page that all may see has anything of it in it. Having said "this is me" opens nothing
that is not open to everyone: only a device that has opened the personal link, or somebody signed in, may act for the
player.
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

from clubs.access import Visitor
from clubs.models import Member
from tournaments.models import Entry, Tournament

COOKIE_LIFETIME = timedelta(days=400)
"""The longest that browsers keep a cookie; every opened link begins it anew."""

MAX_OWNERS = 8
"""People on one device: a family, over some events."""

_COOKIE, _MARK = "me", "knows-me"
_KEPT_FOR = "Keep-Offline"
"""The cookie itself, which no script can read, and one that tells scripts that there is something to ask for: its value
is another for other people, so that nothing kept for the one is shown to the other."""

_SALT = "tournaments.check_in.remembered_device"


NO_LINK_VERSION = -1
"""The version of no link: for whoever has only said so."""


class OwnerEvidence(Enum):
    """What made the device know somebody."""

    OWN_STATEMENT = "word"
    EVENT_LINK = "event's link"
    """The personal link of one event: he may act there, and is known in the others."""
    PERSON_LINK = "person's link"


class DeviceOwner(NamedTuple):
    """Somebody the device belongs to: a person of a club's book, or the player of one event.

    `version` is that of the personal link that was opened here, or SAID.
    """

    is_person: bool
    key: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedEntry:
    """A player whose device it is. `may_act`: report results, ask for byes, see what is his alone."""

    entry: Entry
    may_act: bool


def entries_of_device(request: HttpRequest, tournament: Tournament) -> tuple[OwnedEntry, ...]:
    """The players of an event to whom this device belongs: whoever is signed in, then whom it knows, the latest first.

    Two queries at most, none for a device that knows nobody.
    """
    return tuple(_owners(request, Entry.objects.filter(tournament=tournament)).values())


def entries_of_device_owners(request: HttpRequest) -> QuerySet[Entry]:
    """The entries in all events of those to whom this device belongs."""
    found = Entry.objects.filter(pk__in=_owners(request, Entry.objects.all()))
    return found.select_related("tournament__club", "member")


def remember_device_owner(request: HttpRequest, response: HttpResponse, entry: Entry, *, by: OwnerEvidence) -> None:
    """Have the device know this player from now on.

    Somebody of the club's book is known in all its events; a guest, and whoever refuses to be published under his
    name, only in this one: nobody finds out by him who he is elsewhere.
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
    """Have the device keep this page of somebody's own for the time without a connection.

    The mark says for whom: with another person's page, or another person's device, it is dropped (`static/js`).
    """
    response.headers[_KEPT_FOR] = _kept_for(request, _selves(request))


def forget_device_owners(response: HttpResponse) -> None:
    """Have the device know nobody, and keep nothing."""
    response.headers["Clear-Site-Data"] = '"storage"'
    response.delete_cookie(_COOKIE, samesite="Lax")
    response.delete_cookie(_MARK, samesite="Lax")


def _owners(request: HttpRequest, entries: QuerySet[Entry]) -> dict[int, OwnedEntry]:
    """The players among these entries, by key."""
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
    """Of the link of one event: it ends when the player gets a new one, and when the person does. Both only grow."""
    return entry.link_version + (entry.member.link_version if entry.member is not None else 0)


def _selves(request: HttpRequest) -> tuple[DeviceOwner, ...]:
    """What the cookie says; nothing for one that is not ours."""
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
    """Another for other people; it names nobody."""
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
