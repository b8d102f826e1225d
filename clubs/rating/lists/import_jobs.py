"""Uploaded list files, kept until they are imported."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from datetime import date
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from clubs.models import RatingListImport, RatingRegister, TimeControlKind, User
from clubs.rating.lists.member_listings import FIDE_REGISTER_NAME
from common.file_store.protocol import FileStore
from common.file_store.stores import StoredFileHandle, file_store
from common.jobs.kinds import JobKind, register_job_kind
from common.jobs.queue import create_job
from common.models import Job

UPLOAD_LIFETIME_SECONDS = 2 * 60 * 60
"""The time a file waits for the user's confirmation."""
IMPORT_LIST_TASK = register_job_kind("clubs.tasks.import_rating_list", JobKind(title=_("Importing a rating list")))


def get_fide_register() -> RatingRegister:
    """Return FIDE's register, which all clubs share."""
    return RatingRegister.objects.get_or_create(club=None, name=FIDE_REGISTER_NAME)[0]


def unfinished_import(register: RatingRegister) -> RatingListImport | None:
    """Return the register's unfinished import, or None. Two at once would interfere with each other."""
    unfinished = (Job.State.WAITING, Job.State.RUNNING)
    return RatingListImport.objects.filter(register=register, job__state__in=unfinished).first()


def store_list_file(chunks: Iterable[bytes]) -> StoredFileHandle:
    """Store a file under a random name until it is imported or deleted."""
    _remove_files_done_with()
    kept = StoredFileHandle(_shelf(), secrets.token_hex(16))
    kept.store.save_file(kept.name, chunks)
    return kept


def stored_list_file(listed: RatingListImport) -> StoredFileHandle:
    """Return the file of an import. Earlier versions stored its whole path."""
    return StoredFileHandle(_shelf(), listed.path.rpartition("/")[2])


def sign_upload_token(file: StoredFileHandle, register: RatingRegister, filename: str, kind: str, *, by: User) -> str:
    """Sign a token for a page that asks about a stored file, valid only for this user and file."""
    return signing.dumps([file.name, register.pk, filename, kind, by.pk], salt=__name__)


def load_upload_token(token: str, *, by: User) -> tuple[StoredFileHandle, int, str, str] | None:
    """Return a token's file, register key, filename and kind, or None if it is forged, expired or used."""
    try:
        name, register_key, filename, kind, owner = signing.loads(token, salt=__name__, max_age=UPLOAD_LIFETIME_SECONDS)
    except (signing.BadSignature, ValueError):
        return None
    is_there = owner == by.pk and any(each.name == name for each in _shelf().list_files())
    return (StoredFileHandle(_shelf(), name), register_key, filename, kind) if is_there else None


def store_list_for_import(
    register: RatingRegister, chunks: Iterable[bytes], filename: str, *, kind: str, by: User | None, **more: Any
) -> RatingListImport:
    """Store a file with a job to import it, like `create_list_import`."""
    return create_list_import(register, store_list_file(chunks), filename, kind=kind, by=by, **more)


def create_list_import(
    register: RatingRegister,
    file: StoredFileHandle,
    filename: str,
    *,
    kind: str,
    by: User | None,
    month: date | None = None,
    replaces_newer: bool = False,
    history_only: bool = False,
) -> RatingListImport:
    """Create a job that imports a stored file. The caller enqueues or runs it.

    `kind` is the kind of a list with one rating per player; empty: by the filename, or else standard. `month` is the
    first day of the list's month.
    """
    with transaction.atomic():
        job = create_job(IMPORT_LIST_TASK, by=by, club=register.club)
        return RatingListImport.objects.create(
            register=register,
            job=job,
            by=by,
            filename=filename[:160],
            path=file.name,
            kind=kind or rating_kind_from_filename(filename),
            month=month,
            replaces_newer=replaces_newer,
            history_only=history_only,
        )


def _remove_files_done_with() -> None:
    """Delete the files of finished or failed imports, and of those never confirmed."""
    here = _shelf()
    over = (Job.State.CANCELLED, Job.State.FAILED, Job.State.DONE)
    wanted = {stored_list_file(listed).name for listed in RatingListImport.objects.exclude(job__state__in=over)}
    failed = {stored_list_file(listed).name for listed in RatingListImport.objects.filter(job__state__in=over)}
    for kept in here.list_files():
        if kept.name in failed or (kept.name not in wanted and kept.last_used < time.time() - UPLOAD_LIFETIME_SECONDS):
            here.delete_file(kept.name)


def _shelf() -> FileStore:
    return file_store("rating-lists")


def rating_kind_from_filename(filename: str) -> str:
    """Return the kind of rating named in a filename such as `rapid_rating_list.zip`, or standard."""
    name = filename.lower()
    return next((kind for kind in TimeControlKind.values if kind in name), TimeControlKind.STANDARD)
