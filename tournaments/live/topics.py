"""What a page listens to: the log of an event, as its players or as its officers see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db.models import Count, Q

from tournaments.log.actions import unseen_by_players
from tournaments.models import Tournament

TOKEN_LASTS = timedelta(days=3)
"""A page open for longer asks by itself now and then, until it is loaded again."""


class Audience(StrEnum):
    """Who looks at a page: players see nothing of drafts."""

    PLAYERS = "p"
    OFFICERS = "o"


class Topic(NamedTuple):
    """One event, by its key, for one audience."""

    event: int
    audience: Audience


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
    return _signer().sign(f"{topic.event}.{topic.audience}")


def topic_of(token: str) -> Topic:
    """The topic of a token. Raises UnknownToken for one that is forged or too old."""
    try:
        event, _dot, audience = _signer().unsign(token, max_age=TOKEN_LASTS).partition(".")
        return Topic(int(event), Audience(audience))
    except (BadSignature, ValueError) as error:
        raise UnknownToken from error


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="tournaments.live")
