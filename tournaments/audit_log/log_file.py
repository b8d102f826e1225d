"""An event's log as a file, for later comparison."""

from __future__ import annotations

import json

from tournaments.models import LogEntry, Tournament


def render_log_file(event: Tournament) -> bytes:
    """Return the whole log with its seals, one JSON object per line."""
    lines = event.log.select_related("actor", "round").order_by("pk")
    return "".join(f"{json.dumps(_told(line), ensure_ascii=False)}\n" for line in lines).encode()


def _told(line: LogEntry) -> dict[str, object]:
    return {
        "line": line.pk,
        "at": line.at.isoformat(),
        "action": line.action,
        "round": line.round.number if line.round else None,
        "by": line.actor.username if line.actor else None,
        "details": line.details,
        "erased_by": line.erasure_id,
        "number": line.seal_number,
        "seal": line.seal,
    }
