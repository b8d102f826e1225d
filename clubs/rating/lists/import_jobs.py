"""A list's file handed in: kept until the import is through."""

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
from common.file_store.stores import FileStore, StoredFileHandle, file_store
from common.jobs.kinds import JobKind, register_job_kind
from common.jobs.queue import create_job
from common.models import Job

UPLOAD_LIFETIME_SECONDS = 2 * 60 * 60
"""How long a file waits for the word to go on."""
IMPORT_LIST_TASK = register_job_kind("clubs.tasks.import_rating_list", JobKind(title=_("Bringing a rating list in")))


def get_fide_register() -> RatingRegister:
    """FIDE's register, which all clubs share."""
    return RatingRegister.objects.get_or_create(club=None, name=FIDE_REGISTER_NAME)[0]


def unfinished_import(register: RatingRegister) -> RatingListImport | None:
    """The import into the register that is not over: a second one beside it would hinder it, and be hindered."""
    unfinished = (Job.State.WAITING, Job.State.RUNNING)
    return RatingListImport.objects.filter(register=register, job__state__in=unfinished).first()


def store_list_file(chunks: Iterable[bytes]) -> StoredFileHandle:
    """Keep a file under a random name until it is known what becomes of it."""
    _remove_files_done_with()
    kept = StoredFileHandle(_shelf(), secrets.token_hex(16))
    kept.store.save_file(kept.name, chunks)
    return kept


def stored_list_file(listed: RatingListImport) -> StoredFileHandle:
    """The file of an import. Earlier versions wrote down the whole path to it."""
    return StoredFileHandle(_shelf(), listed.path.rpartition("/")[2])


def sign_upload_token(file: StoredFileHandle, register: RatingRegister, filename: str, kind: str, *, by: User) -> str:
    """What a page that asks about a kept file carries: nobody else's, and no other file, passes for it."""
    return signing.dumps([file.name, register.pk, filename, kind, by.pk], salt=__name__)


def load_upload_token(token: str, *, by: User) -> tuple[StoredFileHandle, int, str, str] | None:
    """The file, the register's key, the file's name and the kind of a token; None for a forged, old or used one."""
    try:
        name, register_key, filename, kind, owner = signing.loads(token, salt=__name__, max_age=UPLOAD_LIFETIME_SECONDS)
    except (signing.BadSignature, ValueError):
        return None
    is_there = owner == by.pk and any(each.name == name for each in _shelf().list_files())
    return (StoredFileHandle(_shelf(), name), register_key, filename, kind) if is_there else None


def store_list_for_import(
    register: RatingRegister, chunks: Iterable[bytes], filename: str, *, kind: str, by: User | None, **more: Any
) -> RatingListImport:
    """Keep a file with a job that imports it, as `create_list_import` does."""
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
    """A job that imports a kept file; the caller sends the job, or does it.

    `kind` is what a list with one rating a player is for; empty: what the file's name says, standard where it says
    nothing of it. `month` is the first day of the month whose list it is.
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
    """Files of imports that were cancelled or have failed; one that is through has removed its own."""
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
    """`rapid_rating_list.zip` and `blitz_oct26frl_xml.zip` say it themselves."""
    name = filename.lower()
    return next((kind for kind in TimeControlKind.values if kind in name), TimeControlKind.STANDARD)
