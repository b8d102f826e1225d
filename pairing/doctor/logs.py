"""Whether the logs of events are as they were when they were sealed."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from pairing.doctor.findings import Finding
from tournaments.log.sealing import breaks_in, columns_of
from tournaments.models import Tournament


def broken_logs(events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Every line that was changed, taken out or slipped in behind its seal."""
    for event in events.select_related("club"):
        for found in breaks_in(columns_of(event.log.order_by())):
            yield Finding(
                code="log-broken",
                where=f"{event.club.slug}/{event.slug}" + (f" (log row {found.line})" if found.line else ""),
                what=found.what,
                do="Somebody has written into the database past the program: compare with a backup and an export.",
            )
