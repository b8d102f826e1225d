"""The scheduled task that watches a server without a queue.

With a queue, a timer of the system does it, because the queue may fail.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry
from operations.alerts.telling import has_recipient

WATCH_TASK = register_job_kind("operations.tasks.watch_task", JobKind(title=_("Checking the server")))


def is_watched_from_here() -> bool:
    """Return True if no system timer watches this server, and there is somebody to alert."""
    return not settings.CELERY_BROKER_URL and has_recipient()


registry.register_scheduled_task(
    registry.ScheduledTask(name="alerts", task=WATCH_TASK, minutes=10, is_needed=is_watched_from_here)
)


def run_watch_job(_job: Job) -> dict[str, Any]:
    """Check the server, and send alerts about new and resolved problems."""
    from operations.alerts.watching import watch

    watch()
    return {}
