"""What a page listens to: the log of an event, as its players or as its officers see it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.core.signing import BadSignature, TimestampSigner
from django.db.models import Count, Q, QuerySet

from tournaments.log.actions import unseen_by_players
from tournaments.models import Tournament

TOKEN_LASTS = timedelta(days=3)
"""A page open for longer asks by itself now and then, until it is loaded again."""


class Audience(StrEnum):
    """Who looks at a page: players see nothing of drafts."""

    PLAYERS = "p"
    OFFICERS = "o"


class Shown(NamedTuple):
    """A page for everybody, as a visitor has it open: `path` as the browser asks for it, with what follows "?"."""

    scheme: str
    host: str
    path: str
    language: str


class Topic(NamedTuple):
    """One event, by its key, for one audience; of a page that is the same for everybody the stream carries changes."""

    event: int
    audience: Audience
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


def stream_address(topic: Topic) -> str:
    """Where the news of a topic are sent; empty when this installation sends none. For pages that may be seen only."""
    if not settings.LIVE_ADDRESS:
        return ""
    return f"{settings.LIVE_ADDRESS.rstrip('/')}/live/{token_of(topic)}/"


def token_of(topic: Topic) -> str:
    """A topic as a word that nobody else can make."""
    shown = f".{signing.b64_encode(json.dumps(topic.shown).encode()).decode()}" if topic.shown else ""
    return _signer().sign(f"{topic.event}.{topic.audience}{shown}")


def topic_of(token: str) -> Topic:
    """The topic of a token. Raises UnknownToken for one that is forged or too old."""
    try:
        event, audience, *shown = _signer().unsign(token, max_age=TOKEN_LASTS).split(".")
        page = Shown(*json.loads(signing.b64_decode(shown[0].encode()))) if shown else None
        return Topic(int(event), Audience(audience), page)
    except (BadSignature, TypeError, ValueError) as error:
        raise UnknownToken from error


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="tournaments.live")
