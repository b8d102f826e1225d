"""What a page listens to: an event, or a list of events, as its players or as its officers see it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple
from zlib import crc32

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db.models import Count, Q

from clubs.models import Club
from tournaments.log.actions import unseen_by_players
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


class Topic(NamedTuple):
    """One event, by its key, for one audience; or the events of a club, by the club's key, 0 for those of all clubs."""

    key: int
    audience: Audience
    kind: Kind = Kind.EVENT


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
    found = Tournament.objects.filter(pk__in=list(events)).order_by()
    return {
        pk: Versions(players=seen, officers=all_lines)
        for pk, all_lines, seen in found.annotate(all_lines=LINES, seen=seen_lines()).values_list(
            "pk", "all_lines", "seen"
        )
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


LINES = Count("log")
"""Lines of an event's log, for `annotate`."""


def seen_lines() -> Count:
    """Those lines of an event's log that players may notice, for `annotate`."""
    return Count("log", filter=~Q(log__action__in=unseen_by_players()))


def stream_address(topic: Topic) -> str:
    """Where the news of a topic are sent; empty when this installation sends none. For pages that may be seen only."""
    if not settings.LIVE_ADDRESS:
        return ""
    return f"{settings.LIVE_ADDRESS.rstrip('/')}/live/{token_of(topic)}/"


def token_of(topic: Topic) -> str:
    """A topic as a word that nobody else can make."""
    return _signer().sign(f"{topic.kind}{topic.key}.{topic.audience}")


def topic_of(token: str) -> Topic:
    """The topic of a token. Raises UnknownToken for one that is forged or too old."""
    try:
        key, _dot, audience = _signer().unsign(token, max_age=TOKEN_LASTS).partition(".")
        kind = Kind.EVENTS if key.startswith(Kind.EVENTS) else Kind.EVENT
        return Topic(int(key.removeprefix(kind)), Audience(audience), kind)
    except (BadSignature, ValueError) as error:
        raise UnknownToken from error


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="tournaments.live")
