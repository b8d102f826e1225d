"""Deleting uploads and club archives, because they contain personal data: at night, and when a person is erased.

Every command loads this file, because it registers the task. So it imports most modules only when the task runs.
"""

from __future__ import annotations

from datetime import time
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds
from common.signals import ChangeKind, subscribe_to_changes

DELETE_FILES_TASK = register_job_kind("operations.tasks.delete_old_files_task", JobKind(title=_("Deleting old files")))
chore_kinds.register_scheduled_task(chore_kinds.ScheduledTask(name="old files", task=DELETE_FILES_TASK, at=time(2, 40)))


def delete_files_in_progress(_job: Job) -> dict[str, Any]:
    """Delete old uploads, the data read from them, and old club archives. Safe to run twice."""
    from common.file_store.stores import delete_old_files, file_store
    from common.file_store.uploads import UPLOAD_LIFETIME_SECONDS
    from operations.club_transfer.export_job import LIFETIME, club_archive_store

    for name in ("uploads", "readings"):
        delete_old_files(file_store(name), seconds=UPLOAD_LIFETIME_SECONDS)
    delete_old_files(club_archive_store(), seconds=LIFETIME.total_seconds())
    return {}


def _person_erased(club_id: int) -> None:
    """Delete the club's archives, which may hold the person, once the erasure is saved."""
    from operations.club_transfer.export_job import delete_club_archives

    transaction.on_commit(lambda: delete_club_archives(club_id))


subscribe_to_changes(ChangeKind.PERSON_ERASED, "club archives", _person_erased)
