"""Choosing the event a player is in now, which their permanent link leads to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Entry, Round

MAX_ENTRIES = 40
"""Only a person's latest entries are considered."""

EVENING_LENGTH = timedelta(hours=12)
"""A round scheduled up to this long ago still counts as ahead."""


class EventProximity(NamedTuple):
    """Sort key for how current an event is. Earlier fields decide first, and larger values win."""

    is_played: bool
    """A published round with this player waits for results."""
    is_ahead: bool
    """A round with a starting time is ahead."""
    seconds_away: float
    """Minus the seconds between now and that round, or the latest published round."""
    key: int
    """Among equals, the latest entry wins."""


def current_entry(entries: QuerySet[Entry]) -> Entry | None:
    """Return a person's current entry, with its event, club and member. Two queries.

    That is the event with a round in play, else with the nearest round ahead, else the one played last.
    """
    found = list(
        entries.select_related("tournament__club", "tournament__series", "member").order_by("-pk")[:MAX_ENTRIES]
    )
    if len(found) < 2:
        return found[0] if found else None
    rounds: dict[int, list[Round]] = {}
    for each in Round.objects.filter(tournament__in=[entry.tournament_id for entry in found]).defer("scores"):
        rounds.setdefault(each.tournament_id, []).append(each)
    now = timezone.now()
    return max(found, key=lambda entry: _nearness(entry, rounds.get(entry.tournament_id, []), now))


def _nearness(entry: Entry, rounds: Sequence[Round], now: datetime) -> EventProximity:
    own = [each for each in rounds if is_entered_in_round(entry, each.number)]
    ahead = [
        each.starts_at
        for each in own
        if each.state in (Round.State.WAITING, Round.State.DRAFT)
        and each.starts_at is not None
        and each.starts_at > now - EVENING_LENGTH
    ]
    published = [each.published_at for each in own if each.published_at is not None]
    when = min(ahead) if ahead else max(published, default=None)
    return EventProximity(
        is_played=any(each.state == Round.State.PUBLISHED for each in own),
        is_ahead=bool(ahead),
        seconds_away=-abs((when - now).total_seconds()) if when is not None else float("-inf"),
        key=entry.pk,
    )
