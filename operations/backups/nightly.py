"""The backup of every night, and one asked for on the page: the same job, one at a time."""

from __future__ import annotations

from datetime import time
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, register
from common.models import Job
from common.schedule import kinds as chore_kinds

BACK_UP = register("operations.tasks.back_up_task", JobKind(title=_("Making a backup")))
NIGHTLY = chore_kinds.register(chore_kinds.Chore(name="backup", task=BACK_UP, at=time(3, 0)))
KEY = f"chore {NIGHTLY.name}"
"""By which a job is known that makes a backup: the night's and an officer's are one."""


def back_up(_job: Job) -> dict[str, Any]:
    """Make a backup in the server's folder; done twice, there are two."""
    from common.jobs.queue import JobFailed
    from operations.backups.folder import add_backup
    from operations.backups.locking import read_key
    from operations.backups.problems import BackupProblem

    try:
        made, _gone = add_backup(read_key(settings.BACKUP_KEY))
    except BackupProblem as problem:
        raise JobFailed(str(problem)) from problem
    return {"file": made.path.name, "size": made.size, "next": reverse("backups")}


def latest_try() -> Job | None:
    """The last time a backup was asked for by the night or on the page."""
    return Job.objects.filter(task=BACK_UP).order_by("-pk").first()
