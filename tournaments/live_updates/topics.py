"""What a page listens to: an event, or a list of events, as its players or as its officers see it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple
from zlib import crc32

from django.conf import settings
from django.core import signing
from django.core.signing import BadSignature, TimestampSigner
from django.db.models import Count, Q, QuerySet

from clubs.models import Club
from tournaments.audit_log.actions import unseen_by_players
from tournaments.models import LogEntry, Round, Tournament

TOKEN_LASTS = timedelta(days=3)
"""A page open for longer asks by itself now and then, until it is loaded again."""


class Audience(StrEnum):
    """Who looks at a page: players see nothing of drafts."""

    PLAYERS = "p"
    OFFICERS = "o"


class Kind(StrEnum):
    """What a topic is about."""

    EVENT = ""
    EVENTS = "l"


class Shown(NamedTuple):
    """A page for everybody, as a visitor has it open: `path` as the browser asks for it, with what follows "?"."""

    scheme: str
    host: str
    path: str
    language: str


class Topic(NamedTuple):
    """One event, by its key, for one audience; or the events of a club, by the club's key, 0 for those of all clubs.

    Of a page that is the same for everybody (`shown`) the stream carries what changes as well.
    """

    key: int
    audience: Audience
    kind: Kind = Kind.EVENT
    shown: Shown | None = None


class UnknownToken(Exception):
    """A token that this server has not signed, or that is too old."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """How many lines an event's log has, for players and for officers: another number is another state of its pages.

    A count rather than the latest key: on PostgreSQL a line with a lower key may appear after one with a higher.
    """

    players: int
    officers: int

    def of(self, audience: Audience) -> int:
        return self.players if audience == Audience.PLAYERS else self.officers


def versions_of(events: Iterable[int]) -> dict[int, Versions]:
    """The versions of events, by key, in one query; those that do not exist are missing."""
    return _versions(Tournament.objects.filter(pk__in=list(events)))


def versions_at(club: str, event: str) -> Versions | None:
    """The versions of the event at these slugs; None if there is none."""
    return next(iter(_versions(Tournament.objects.filter(club__slug=club, slug=event)).values()), None)


def _versions(events: QuerySet[Tournament]) -> dict[int, Versions]:
    seen = Count("log", filter=~Q(log__action__in=unseen_by_players()))
    found = events.order_by().annotate(all_lines=Count("log"), seen=seen)
    return {
        pk: Versions(players=seen, officers=all_lines)
        for pk, all_lines, seen in found.values_list("pk", "all_lines", "seen")
    }


def versions_of_topics(topics: Collection[Topic]) -> dict[Topic, int]:
    """The versions of topics; those of events that do not exist are missing. One query, and two a list."""
    of_events = [topic for topic in topics if topic.kind is Kind.EVENT]
    events = versions_of({topic.key for topic in of_events}) if of_events else {}
    found = {topic: events[topic.key].of(topic.audience) for topic in of_events if topic.key in events}
    return found | {topic: version_of_list(topic) for topic in topics if topic.kind is Kind.EVENTS}


def version_of_list(topic: Topic) -> int:
    """A number made of what a list of events shows: another list, another number.

    Results of a running event change nothing that visitors see in it; its officers are told how the evening stands.
    """
    events = Tournament.objects.order_by("pk")
    clubs = Club.objects.order_by("pk")
    if topic.key:
        events, clubs = events.filter(club=topic.key), clubs.filter(pk=topic.key)
    if topic.audience is Audience.PLAYERS:
        events = events.filter(is_public=True)
    told: list[object] = list(clubs.values_list("slug", "name", "city", "colour", "logo_mark"))
    rows = list(
        events.annotate(
            shown=Count("rounds", filter=Q(rounds__state__in=[Round.State.PUBLISHED, Round.State.FINISHED])),
            finished=Count("rounds", filter=Q(rounds__state=Round.State.FINISHED)),
        ).values_list(
            *("pk", "rounds_announced", "finished", "shown", "slug", "name", "system", "starts_on", "ends_on"),
            *("is_public", "club"),
        )
    )
    if topic.audience is Audience.OFFICERS:
        running = [pk for pk, announced, finished, *_more in rows if finished < announced]
        told.append(LogEntry.objects.filter(tournament__in=running).count())
    return crc32(repr([*told, *rows]).encode())


def stream_address(topic: Topic) -> str:
    """Where the news of a topic are sent; empty when this installation sends none. For pages that may be seen only."""
    if not settings.LIVE_ADDRESS:
        return ""
    return f"{settings.LIVE_ADDRESS.rstrip('/')}/live/{token_of(topic)}/"


def token_of(topic: Topic) -> str:
    """A topic as a word that nobody else can make."""
    shown = f".{signing.b64_encode(json.dumps(topic.shown).encode()).decode()}" if topic.shown else ""
    return _signer().sign(f"{topic.kind}{topic.key}.{topic.audience}{shown}")


def topic_of(token: str) -> Topic:
    """The topic of a token. Raises UnknownToken for one that is forged or too old."""
    try:
        key, audience, *shown = _signer().unsign(token, max_age=TOKEN_LASTS).split(".")
        kind = Kind.EVENTS if key.startswith(Kind.EVENTS) else Kind.EVENT
        page = Shown(*json.loads(signing.b64_decode(shown[0].encode()))) if shown else None
        return Topic(int(key.removeprefix(kind)), Audience(audience), kind, page)
    except (BadSignature, TypeError, ValueError) as error:
        raise UnknownToken from error


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="tournaments.live_updates")
