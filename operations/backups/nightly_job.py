"""The job for nightly backups and those requested on the page. One runs at a time."""

from __future__ import annotations

from datetime import time
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds

BACK_UP = register_job_kind("operations.tasks.make_backup_task", JobKind(title=_("Making a backup")))
NIGHTLY_BACKUP = chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="backup", task=BACK_UP, at=time(3, 0))
)
BACKUP_JOB_KEY = f"chore {NIGHTLY_BACKUP.name}"
"""The job key shared by nightly and requested backups."""


def run_backup_job(_job: Job) -> dict[str, Any]:
    """Make a backup in the server's folder. Running it twice makes two backups."""
    from common.jobs.queue import JobFailed
    from operations.alerts.pings import ping
    from operations.backups.backup_folder import add_backup
    from operations.backups.encryption import parse_backup_key
    from operations.backups.problems import BackupProblem

    try:
        made, _gone = add_backup(parse_backup_key(settings.BACKUP_KEY))
    except BackupProblem as problem:
        ping("backup", succeeded=False)
        raise JobFailed(str(problem)) from problem
    ping("backup", succeeded=True)
    return {"file": made.path.name, "size": made.size, "next": reverse("backup_list")}


def latest_backup_job() -> Job | None:
    """Return the latest backup job, nightly or requested."""
    return Job.objects.filter(task=BACK_UP).order_by("-pk").first()
