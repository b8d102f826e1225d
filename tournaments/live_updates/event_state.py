"""The state an event's pages depend on, found in one query and reduced to one digest.

Every action in an event writes a line in its log, in the same transaction. The state also includes rows that pages show
without such a line: the event, its club (name, colour, logo, time zone) and its series. Shared pages read no other
tables than those whose changes are all logged; a test checks this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.utils import timezone

from clubs.models import Club
from tournaments.models import LogEntry, OnlineEntrySettings, Round, Series, Tournament

_WORD = 12
"""Bytes of the digest: enough that two states never share one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPageState:
    """The state of an event. `digest` changes whenever any of the event's pages may have changed.

    It is keyed with the server's key: it reveals that something changed, never the content.
    """

    event: int
    is_public: bool
    is_indexable: bool
    digest: str


def load_event_state(club: str, event: str) -> EventPageState | None:
    """Return the committed state of the event with these slugs, or None if there is none.

    Some pages change with time: a pairing is provisional until a given time, entries close, and a page may say "today".
    So the state includes the provisional rounds, whether the entry form has closed, and the club's current date.
    """
    now = timezone.now()
    until = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(_question(), [Round.State.PUBLISHED, until, until, club, event])
        row = cursor.fetchone()
    if row is None:
        return None
    key, is_public, in_search_engines, zone, *rest = row
    today = timezone.localdate(now, ZoneInfo(zone) if zone else timezone.get_default_timezone())
    told = repr((today.toordinal(), rest)).encode()
    return EventPageState(
        event=key,
        is_public=bool(is_public),
        is_indexable=bool(in_search_engines),
        digest=blake2b(told, digest_size=_WORD, key=_key()).hexdigest(),
    )


@cache
def _key() -> bytes:
    """Return a key for this release and its settings, so that another release's digests are no longer valid."""
    assets = getattr(staticfiles_storage, "manifest_hash", "")
    told = (settings.SECRET_KEY, settings.VERSION, assets, settings.LIVE_ADDRESS)
    return blake2b(repr(told).encode(), digest_size=32).digest()


@cache
def _question() -> str:
    quoted = connection.ops.quote_name
    events, clubs, series, log, rounds, forms = (
        quoted(model._meta.db_table) for model in (Tournament, Club, Series, LogEntry, Round, OnlineEntrySettings)
    )
    # The table names are our own.
    return f"""
        SELECT event.id, event.is_public, club.in_search_engines, club.time_zone,
               (SELECT COUNT(*) FROM {log} line WHERE line.tournament_id = event.id),
               (SELECT MAX(line.id) FROM {log} line WHERE line.tournament_id = event.id),
               (SELECT COUNT(*) FROM {rounds} round WHERE round.tournament_id = event.id
                   AND round.state = %s AND round.provisional_until > %s),
               (SELECT COUNT(*) FROM {forms} form WHERE form.tournament_id = event.id AND form.closes_at > %s),
               event.*, club.*, series.*
        FROM {events} event
        JOIN {clubs} club ON club.id = event.club_id
        LEFT JOIN {series} series ON series.id = event.series_id
        WHERE club.slug = %s AND event.slug = %s AND event.deleted_at IS NULL"""  # noqa: S608
