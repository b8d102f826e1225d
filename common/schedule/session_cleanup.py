"""The nightly task that deletes expired sessions. Nothing else deletes them."""

from __future__ import annotations

from datetime import time
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds

CLEAR_SESSIONS_TASK = register_job_kind(
    "common.tasks.delete_expired_sessions", JobKind(title=_("Deleting expired sessions"))
)
chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="sessions", task=CLEAR_SESSIONS_TASK, at=time(2, 30))
)


def delete_ended_sessions(_job: Job) -> dict[str, Any]:
    """Delete expired sessions. Safe to run twice."""
    import_string(f"{settings.SESSION_ENGINE}.SessionStore").clear_expired()
    return {}
