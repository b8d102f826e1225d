"""Automatic download of lists from the club's address, every night until this month's list is available.

Changes to members are still confirmed by hand; only the data of listed players change automatically.
"""

from __future__ import annotations

from datetime import date, time
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import RatingRegister
from common.file_store.upload_limits import MAX_LIST_FILE_BYTES
from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds

FETCH_LISTS_TASK = register_job_kind(
    "clubs.tasks.fetch_rating_lists", JobKind(title=gettext_lazy("Fetching rating lists"))
)


def is_fetch_needed() -> bool:
    """Return True if this month's list is missing for a register with a download address."""
    return any(not _is_of_this_month(each) for each in _with_address())


# In the early morning, after the night's backup.
chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="lists", task=FETCH_LISTS_TASK, at=time(4, 30), is_needed=is_fetch_needed)
)


def fetch_due_lists(job: Job) -> dict[str, Any]:
    """Download the lists that are due, or the one the job names. Each is imported by its own job.

    A failure doesn't stop other lists: the reason is saved with its register. Raises JobFailed if a list that was asked
    for by name fails.
    """
    from common.jobs.queue import JobFailed, report_progress

    named = job.arguments.get("register")
    due = [each for each in _with_address() if (each.pk == named if named else not _is_of_this_month(each))]
    begun = 0
    for done, each in enumerate(due):
        report_progress(job, done=done, total=len(due))
        said, listed = _fetch(each, job, is_asked_for=bool(named))
        each.fetch_error, each.fetched_at = said[:300], timezone.now()
        each.save(update_fields=["fetch_error", "fetched_at", "fetch_validator"])
        begun += listed
        if named and said:
            raise JobFailed(said, leads_to=str(job.arguments.get("next", "")))
    return {"lists": begun, "next": str(job.arguments.get("next", ""))}


def _fetch(register: RatingRegister, job: Job, *, is_asked_for: bool) -> tuple[str, bool]:
    """Fetch a list. Return an error message, empty if there is none, and True if an import was started."""
    from clubs.rating.lists.import_jobs import (
        create_list_import,
        rating_kind_from_filename,
        store_list_file,
        unfinished_import,
    )
    from clubs.rating.lists.list_inspection import inspect_list
    from common.jobs.queue import enqueue_job
    from common.tabular.public_download import DownloadFailed, FileNotModified, open_download
    from common.tabular.text_conversion import UnconvertibleFile, convert_file_to_text

    if unfinished_import(register) is not None:
        return "", False
    try:
        # A user who clicks the button expects a download, even of an unchanged file.
        mark = "" if is_asked_for else register.fetch_validator
        with open_download(register.fetched_from, validator=mark, largest=MAX_LIST_FILE_BYTES) as download:
            file = store_list_file(download.chunks)
    except FileNotModified:
        return "", False
    except DownloadFailed as problem:
        return _("We couldn't fetch the list: %(why)s.") % {"why": problem}, False
    kind = rating_kind_from_filename(download.filename)
    try:
        if register.club_id is not None:
            convert_file_to_text(file)
    except UnconvertibleFile as problem:
        file.delete_file()
        return str(problem), False
    look = inspect_list(register, file, download.filename, kind=kind, month=_this_month())
    if look.refusals or look.is_older:
        file.delete_file()
        said = look.refusals[0].message if look.refusals else _("A newer list already exists. Nothing was changed.")
        return said, False
    listed = create_list_import(register, file, download.filename, kind=kind, by=job.by, month=look.month)
    register.fetch_validator = download.validator
    enqueue_job(listed.job)
    return "", True


def _with_address() -> QuerySet[RatingRegister]:
    return RatingRegister.objects.exclude(fetched_from="").order_by("pk")


def _is_of_this_month(register: RatingRegister) -> bool:
    return _this_month().isoformat() in register.months.values()


def _this_month() -> date:
    return timezone.localdate().replace(day=1)
