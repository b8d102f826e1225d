"""The topics a page listens to: an event, or a list of events, as its players or its officers see it."""

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
from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from clubs.models import Club
from tournaments.audit_log.actions import officer_only_actions
from tournaments.models import LogEntry, Round, Tournament

TOKEN_LIFETIME = timedelta(days=3)
"""A page open for longer reloads on its own now and then, until it is opened again."""


class PageAudience(StrEnum):
    """The audience of a page. Players do not see drafts."""

    PLAYERS = "p"
    OFFICERS = "o"


class TopicKind(StrEnum):
    """The kind of a topic."""

    EVENT = ""
    EVENT_LIST = "l"


class DisplayedPage(NamedTuple):
    """A shared page that a visitor has open. `path` includes the query string."""

    scheme: str
    host: str
    path: str
    language: str


class LiveTopic(NamedTuple):
    """An event, or the events of a club (key 0 for all clubs), for one audience.

    For a shared page (`page`) the stream also sends its changes.
    """

    key: int
    audience: PageAudience
    kind: TopicKind = TopicKind.EVENT
    page: DisplayedPage | None = None


class InvalidTopicToken(Exception):
    """Raised if a token was not signed by this server, or is too old."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventVersions:
    """The number of lines in an event's log, for players and for officers. A new number means a new state of its pages.

    A count, not the latest key: on PostgreSQL a line with a lower key may appear after one with a higher key.
    """

    players: int
    officers: int

    def version_for_audience(self, audience: PageAudience) -> int:
        return self.players if audience == PageAudience.PLAYERS else self.officers


def event_versions(events: Iterable[int]) -> dict[int, EventVersions]:
    """Return the versions of events by key, in one query. Events that do not exist are left out."""
    return _versions(Tournament.objects.filter(pk__in=list(events)))


def event_versions_by_slug(club: str, event: str) -> EventVersions | None:
    """Return the versions of the event with these slugs, or None if there is none."""
    return next(iter(_versions(Tournament.objects.filter(club__slug=club, slug=event)).values()), None)


def _versions(events: QuerySet[Tournament]) -> dict[int, EventVersions]:
    seen = Count("log", filter=~Q(log__action__in=officer_only_actions()))
    found = events.order_by().annotate(all_lines=Count("log"), seen=seen)
    return {
        pk: EventVersions(players=seen, officers=all_lines)
        for pk, all_lines, seen in found.values_list("pk", "all_lines", "seen")
    }


def topic_versions(topics: Collection[LiveTopic]) -> dict[LiveTopic, int]:
    """Return the versions of topics, leaving out events that do not exist. One query, and two for each list."""
    of_events = [topic for topic in topics if topic.kind is TopicKind.EVENT]
    events = event_versions({topic.key for topic in of_events}) if of_events else {}
    found = {
        topic: events[topic.key].version_for_audience(topic.audience) for topic in of_events if topic.key in events
    }
    return found | {topic: event_list_version(topic) for topic in topics if topic.kind is TopicKind.EVENT_LIST}


def event_list_version(topic: LiveTopic) -> int:
    """Return a checksum of everything a list of events shows.

    Results of a running event change nothing for visitors; officers also see the progress of the round.
    """
    events = Tournament.objects.order_by("pk")
    clubs = Club.objects.order_by("pk")
    if topic.key:
        events, clubs = events.filter(club=topic.key), clubs.filter(pk=topic.key)
    if topic.audience is PageAudience.PLAYERS:
        events = events.filter(is_public=True)
    told: list[object] = list(clubs.values_list("slug", "name", "city", "colour", "logo_mark", "takes_applications"))
    to_come = ~Q(rounds__state=Round.State.FINISHED) & Q(rounds__starts_at__date__gte=timezone.localdate())
    rows = list(
        events.annotate(
            next_evening=Min("rounds__starts_at", filter=to_come),
            shown=Count("rounds", filter=Q(rounds__state__in=[Round.State.PUBLISHED, Round.State.FINISHED])),
            finished=Count("rounds", filter=Q(rounds__state=Round.State.FINISHED)),
        ).values_list(
            *("pk", "rounds_announced", "finished", "shown", "slug", "name", "system", "starts_on", "ends_on"),
            *("is_public", "club", "city", "next_evening"),
        )
    )
    if topic.audience is PageAudience.OFFICERS:
        running = [pk for pk, announced, finished, *_more in rows if finished < announced]
        told.append(LogEntry.objects.filter(tournament__in=running).count())
    return crc32(repr([*told, *rows]).encode())


def stream_url(topic: LiveTopic) -> str:
    """Return the URL of a topic's stream, or "" without live updates. Call it only for pages the user may see."""
    if not settings.LIVE_ADDRESS:
        return ""
    return f"{settings.LIVE_ADDRESS.rstrip('/')}/live/{sign_topic(topic)}/"


def sign_topic(topic: LiveTopic) -> str:
    """Return a signed token for a topic."""
    shown = f".{signing.b64_encode(json.dumps(topic.page).encode()).decode()}" if topic.page else ""
    return _signer().sign(f"{topic.kind}{topic.key}.{topic.audience}{shown}")


def topic_from_token(token: str) -> LiveTopic:
    """Return the topic of a token. Raises InvalidTopicToken if it is forged or too old."""
    try:
        key, audience, *shown = _signer().unsign(token, max_age=TOKEN_LIFETIME).split(".")
        kind = TopicKind.EVENT_LIST if key.startswith(TopicKind.EVENT_LIST) else TopicKind.EVENT
        page = DisplayedPage(*json.loads(signing.b64_decode(shown[0].encode()))) if shown else None
        return LiveTopic(int(key.removeprefix(kind)), PageAudience(audience), kind, page)
    except (BadSignature, TypeError, ValueError) as error:
        raise InvalidTopicToken from error


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="tournaments.live_updates")
