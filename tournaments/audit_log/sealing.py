"""Sealing the lines of an event's log as a chain, so that later changes, deletions and insertions break it.

See `seal_chain`. Lines are sealed some minutes later, in the order of their keys. So nobody who enters a result waits
for another. The number of sealed lines and the last seal are also stored beside the log and written to the server's
log. So a chain whose end was cut off cannot continue unnoticed.
"""

from __future__ import annotations

import logging
from datetime import datetime, time
from itertools import takewhile
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds
from tournaments.audit_log.seal_chain import SEALING_DELAY, compute_seal
from tournaments.models import LogEntry, SealedLog, Tournament

SEAL_TASK = register_job_kind("tournaments.tasks.seal_logs", JobKind(title=_("Sealing event logs")))
SEAL_SCHEDULE = chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="seals", task=SEAL_TASK, at=time(2, 45))
)

_log = logging.getLogger(__name__)


def seal_all_logs(_job: Job) -> dict[str, Any]:
    """Seal the unsealed lines of all events; running it twice has no further effect."""
    before = timezone.now() - SEALING_DELAY
    waiting = LogEntry.objects.filter(sealed__isnull=True, at__lt=before).order_by()
    events = waiting.values_list("tournament_id", flat=True).distinct()
    return {"lines": sum(seal_log(pk, before=before) for pk in sorted(events))}


@transaction.atomic
def seal_log(event: int, *, before: datetime) -> int:
    """Seal the lines of an event written before this time, and return their number.

    The chain continues from the end stored beside the log: if lines are missing, the gap stays visible.
    """
    Tournament.with_deleted.select_for_update(no_key=True).get(pk=event)
    end = SealedLog.objects.filter(tournament=event).first() or SealedLog(tournament_id=event, lines=0, seal="")
    unsealed = LogEntry.objects.filter(tournament=event, sealed__isnull=True).order_by("pk")
    # A line too recent to seal holds up those after it: keys ascend along the chain.
    to_seal = list(takewhile(lambda line: line.at < before, unsealed))
    if not to_seal:
        return 0
    for line in to_seal:
        line.sealed = compute_seal(line, end.lines + 1, end.seal)
        end.lines, end.seal = line.sealed["number"], line.sealed["seal"]
    LogEntry.objects.bulk_update(to_seal, ["sealed"], batch_size=100)
    end.save()
    _log.info("sealed: event %s to line %s, seal %s", event, end.lines, end.seal)
    return len(to_seal)
