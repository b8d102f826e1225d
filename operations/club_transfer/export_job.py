"""The job that makes a club's archive, and archives that can still be downloaded."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from typing import BinaryIO

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, User
from common.file_store.protocol import FileStore
from common.file_store.stores import delete_old_files, file_store
from common.jobs.kinds import JobKind, JobStage, register_job_kind
from common.jobs.queue import JobFailed, cancel_job, create_job, report_progress
from common.models import Job
from operations.club_transfer.club_export import write_club_archive
from tournaments.problems import ArbiterProblem

LIFETIME = timedelta(hours=24)
_CHUNK_BYTES = 1024**2
EXPORT_CLUB_TASK = register_job_kind(
    "operations.tasks.export_club_task",
    JobKind(
        title=_("Exporting the club"),
        stages={"events": JobStage(counted=_("%(done)s of %(total)s events"))},
        own_process=True,
    ),
)


def start_club_export(club: Club, *, by: User, with_papers: bool) -> Job:
    """Create the export job. A second click joins the same job."""
    arguments = {"papers": with_papers, "next": reverse("club_export", args=[club.slug])}
    key = f"club {club.pk} {by.pk} {'papers' if with_papers else 'data'}"
    return create_job(EXPORT_CLUB_TASK, by=by, club=club, key=key, arguments=arguments)


def run_club_export(job: Job) -> dict[str, str | int]:
    """Make the archive of the job's club, and store it for a day."""
    if job.club is None:
        raise JobFailed("")
    store, name = club_archive_store(), secrets.token_hex(16)
    delete_old_files(store, seconds=LIFETIME.total_seconds())
    with tempfile.TemporaryFile() as file:
        try:
            write_club_archive(
                job.club,
                file,
                with_papers=bool(job.arguments["papers"]),
                report_progress=lambda done, of: report_progress(job, done=done, total=of, stage="events"),
            )
        except ArbiterProblem as problem:
            raise JobFailed(problem.message) from problem
        size = file.tell()
        file.seek(0)
        store.save_file(name, _chunks(file))
    return {"file": name, "size": size, "next": job.arguments["next"]}


def latest_club_export(club: Club, by: User) -> Job | None:
    """Return the user's latest finished export that can still be downloaded. Other users can't see it."""
    since = timezone.now() - LIFETIME
    jobs = Job.objects.filter(task=EXPORT_CLUB_TASK, club=club, by=by, state=Job.State.DONE, finished_at__gte=since)
    job = jobs.first()
    there = {each.name for each in club_archive_store().list_files()} if job else set()
    return job if job and job.result.get("file") in there else None


def delete_club_archives(club_id: int) -> None:
    """Delete the club's archives that can still be downloaded, and stop those being made."""
    jobs = Job.objects.filter(task=EXPORT_CLUB_TASK, club=club_id)
    for job in jobs.filter(state__in=(Job.State.WAITING, Job.State.RUNNING)):
        cancel_job(job)
    store = club_archive_store()
    for name in {job.result.get("file") for job in jobs.filter(state=Job.State.DONE)} - {None}:
        store.delete_file(name)


def club_archive_store() -> FileStore:
    return file_store("club-archives")


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk
