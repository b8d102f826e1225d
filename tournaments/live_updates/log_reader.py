"""Reading new log lines: one query, however many events and listening pages there are."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db.models import Max, Q

from tournaments.models import LogEntry

GAP_WATCH_SECONDS = 60.0
"""Seconds for which a missing line is looked for: as long as its transaction may take."""
MAX_WATCHED_GAPS = 500


class LogReader:
    """Finds the events with new lines in their logs.

    On PostgreSQL a line gets its key before its transaction is committed, so line 12 may be seen before line 11. So
    missing keys below the highest one seen are checked, too, until they appear or are too old. Keys of transactions
    that were rolled back never appear.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._highest: int | None = None
        self._looked_at_all = 0.0
        self._left_out: dict[int, float] = {}

    def read_changed_events(self) -> set[int] | None:
        """Return the events changed since the last call, or None if any event may have changed."""
        now = self._clock()
        if self._highest is None:
            self._begin(now)
            self._looked_at_all = now
            return None
        if now - self._looked_at_all >= GAP_WATCH_SECONDS:
            self._looked_at_all = now
            return None
        self._left_out = {pk: since for pk, since in self._left_out.items() if now - since < GAP_WATCH_SECONDS}
        wanted = Q(pk__gt=self._highest)
        if self._left_out:
            wanted |= Q(pk__in=list(self._left_out))
        lines = list(LogEntry.objects.filter(wanted).order_by("pk").values_list("pk", "tournament_id"))
        self._highest = self._noted({pk for pk, _event in lines}, self._highest, now)
        return {event for _pk, event in lines}

    def _begin(self, now: float) -> None:
        highest = LogEntry.objects.aggregate(highest=Max("pk"))["highest"] or 0
        floor = max(0, highest - MAX_WATCHED_GAPS)
        recent = LogEntry.objects.filter(pk__gt=floor, pk__lte=highest).values_list("pk", flat=True)
        self._highest = self._noted(set(recent), floor, now)

    def _noted(self, seen: set[int], highest: int, now: float) -> int:
        """Note the keys missing among those seen, and return the highest key seen so far."""
        top = max(seen | {highest})
        floor = top - MAX_WATCHED_GAPS
        self._left_out |= dict.fromkeys(range(max(highest, floor) + 1, top), now)
        self._left_out = {pk: since for pk, since in self._left_out.items() if pk not in seen and pk > floor}
        return top
