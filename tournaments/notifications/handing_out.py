"""Personal links handed out to all players of an event at once: by letter, as a list, by share sheet, on paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from clubs.models import User
from common.jobs.queue import new_job
from common.models import Job
from common.text.name_order import name_key
from tournaments.check_in.personal_links import handed_out_address
from tournaments.models import Message, MessageWay, Tournament
from tournaments.notifications.occasions import write
from tournaments.notifications.telling import TELL
from tournaments.notifications.wishes import Wanted, letters_for_links, takes_links
from tournaments.privacy.personal_data import full_names_in


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOut:
    """A player's link. `by_letter`: the club has an address of him, and he has not stopped such letters."""

    name: str
    path: str
    by_letter: bool
    told_by: tuple[str, ...]
    """The ways by which he wants to be told of pairings, as words."""


def links_of(tournament: Tournament) -> list[HandedOut]:
    """Every player of the event, by name; three queries."""
    full_names = full_names_in(tournament)
    theirs: dict[tuple[int | None, int | None], list[MessageWay]] = {}
    of_event = Q(member__entries__tournament=tournament) | Q(entry__tournament=tournament)
    for way in MessageWay.objects.filter(of_event).select_related("member").distinct():
        theirs.setdefault((way.member_id, way.entry_id), []).append(way)
    found = []
    for entry in tournament.entries.select_related("member"):
        ways = theirs.get((entry.member_id, None if entry.member_id else entry.pk), [])
        none_yet = MessageWay(member=entry.member, channel=MessageWay.Channel.MAIL)
        letters = next((way for way in ways if way.channel == MessageWay.Channel.MAIL), none_yet)
        found.append(
            HandedOut(
                name=full_names.get(entry.pk, entry.name),
                path=handed_out_address(entry),
                by_letter=takes_links(letters),
                told_by=tuple(sorted({str(way.get_channel_display()) for way in ways if way.pairings})),
            )
        )
    return sorted(found, key=lambda each: name_key(each.name))


@transaction.atomic
def send_links(tournament: Tournament, *, by: User, site: str, then: str) -> Job | None:
    """The job that sends each player his link by letter, once a day; None where nobody is left to be sent one today."""
    before = Message.objects.filter(entry__tournament=tournament, kind=Message.Kind.LINK).count()
    ways = [
        Wanted(entry, way)
        for entry in tournament.entries.select_related("member", "tournament__club")
        if (way := letters_for_links(entry, site=site)) is not None
    ]
    write(Message.Kind.LINK, f"link {timezone.localdate():%Y-%m-%d}", None, [(each, {}) for each in ways])
    if Message.objects.filter(entry__tournament=tournament, kind=Message.Kind.LINK).count() == before:
        return None
    return new_job(TELL, by=by, club=tournament.club, arguments={"next": then})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How many messages of one kind are how far."""

    kind: str
    counts: tuple[tuple[str, int], ...]


def told_in(tournament: Tournament) -> list[Told]:
    """What was told in the event in the last weeks, by kind and state."""
    rows = Message.objects.filter(entry__tournament=tournament).order_by().values_list("kind", "state")
    counted: dict[str, dict[str, int]] = {}
    for kind, state, number in rows.annotate(number=Count("pk")):
        counted.setdefault(kind, {})[state] = number
    return [
        Told(
            kind=str(Message.Kind(kind).label),
            counts=tuple((str(state.label), counted[kind][state]) for state in Message.State if state in counted[kind]),
        )
        for kind in Message.Kind
        if kind in counted
    ]


def failures_in(tournament: Tournament) -> Iterable[Message]:
    """The latest messages that did not arrive, with the reason."""
    failed = Message.objects.filter(entry__tournament=tournament, state=Message.State.FAILED).exclude(error="")
    return failed.select_related("entry", "way").order_by("-pk")[:20]
