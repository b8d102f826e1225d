"""The steps of importing a club archive: the preview, and the import."""

from __future__ import annotations

from django import forms
from django.db import connection, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Club, User
from common.file_store.upload_limits import MAX_LIST_FILE_BYTES
from common.file_store.uploads import delete_upload, load_upload
from common.jobs.import_steps import IMPORTING, PREVIEWING, ImportDone, ImportPage, ImportStep
from common.jobs.kinds import register_job_kind
from common.locking import lock_row
from common.problems import OfficerProblem
from common.tabular.file_field import ChosenFileField
from operations.club_transfer.archive_reader import ClubArchive, read_club_archive
from operations.club_transfer.club_import import can_keep_references, import_club
from operations.club_transfer.tables import CLUB

PREVIEW_CLUB_TASK = register_job_kind("operations.tasks.preview_club_task", PREVIEWING)
IMPORT_CLUB_TASK = register_job_kind("operations.tasks.import_club_task", IMPORTING)
_TEMPLATE = "operations/club_transfer/club_import_steps.html"


def upload_place(site: str) -> str:
    """Return the `place` for uploads of club archives (see `store_upload`). `site` is this server's URL."""
    return f"club-archive {site}"


class ClubImportForm(forms.Form):
    """The form for a club archive."""

    file = ChosenFileField(largest=MAX_LIST_FILE_BYTES, accept=".zip,application/zip")


def read_step_archive(step: ImportStep) -> ClubArchive | OfficerProblem:
    """Return the step's archive, or why it can't be imported. This takes a while, so it precedes the transaction."""
    try:
        return read_club_archive(step.data)
    except OfficerProblem as problem:
        return problem


def do_club_import_step(step: ImportStep) -> ImportPage | ImportDone:
    """Preview a club archive, or import it."""
    archive: ClubArchive | OfficerProblem = step.prepared or read_step_archive(step)
    if isinstance(archive, OfficerProblem):
        return _refused(archive)
    if not step.saves:
        rows = {name: len(found) for name, found in archive.tables.items()}
        slugs = [row.values["slug"] for row in archive.rows(CLUB)]
        context = {
            "holds": archive.manifest,
            "rows": {name.replace("-", "_"): count for name, count in rows.items()},
            "token": step.token,
            "keeps_references": can_keep_references(archive),
            # SQLite allows only one writer at a time.
            "blocks_others": connection.vendor == "sqlite" and Club.objects.exists(),
            "same": Club.objects.filter(slug__in=slugs).first(),
        }
        return ImportPage(template=_TEMPLATE, context=context)
    try:
        club = _import_once(step, archive)
    except OfficerProblem as problem:
        return _refused(problem)
    return ImportDone(
        url=reverse("club_roles", args=[club.slug]),
        message=_("%(club)s is ready. You are its secretary. Now invite its officers.") % {"club": club.name},
    )


@transaction.atomic
def _import_once(step: ImportStep, archive: ClubArchive) -> Club:
    """Import once on a double click: the second request waits, and then finds no file."""
    lock_row(User, step.by.pk)
    load_upload(step.token, by=step.by, place=step.place)
    club = import_club(archive, by=User.objects.get(pk=step.by.pk), site=step.place.split()[1])
    delete_upload(step.token, by=step.by, place=step.place)
    return club


def _refused(problem: OfficerProblem) -> ImportPage:
    return ImportPage(template=_TEMPLATE, context={"form": ClubImportForm(), "problem": problem}, status=422)
