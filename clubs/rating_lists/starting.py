"""A list's file handed in: kept until the import is through."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from clubs.jobs.kinds import JobKind, register
from clubs.jobs.queue import new_job
from clubs.models import Job, RatingListImport, RatingRegister, TimeKind, User

FIDE = "FIDE"
KEPT_SECONDS = 2 * 60 * 60
"""How long a file waits for the word to go on."""
TASK = register("clubs.tasks.import_rating_list", JobKind(title=_("Bringing a rating list in")))


def fide_register() -> RatingRegister:
    """FIDE's register, which all clubs share."""
    return RatingRegister.objects.get_or_create(club=None, name=FIDE)[0]


def under_way(register: RatingRegister) -> RatingListImport | None:
    """The import into the register that is not over: a second one beside it would hinder it, and be hindered."""
    unfinished = (Job.State.WAITING, Job.State.RUNNING)
    return RatingListImport.objects.filter(register=register, job__state__in=unfinished).first()


def keep_file(chunks: Iterable[bytes]) -> Path:
    """Keep a file under a random name until it is known what becomes of it."""
    _remove_files_done_with()
    folder = Path(settings.VAR_DIR) / "rating-lists"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / secrets.token_hex(16)
    with path.open("wb") as kept:
        for chunk in chunks:
            kept.write(chunk)
    return path


def token_of(path: Path, register: RatingRegister, filename: str, kind: str, *, by: User) -> str:
    """What a page that asks about a kept file carries: nobody else's, and no other file, passes for it."""
    return signing.dumps([path.name, register.pk, filename, kind, by.pk], salt=__name__)


def of_token(token: str, *, by: User) -> tuple[Path, int, str, str] | None:
    """The file, the register's key, the file's name and the kind of a token; None for a forged, old or used one."""
    try:
        name, register_key, filename, kind, owner = signing.loads(token, salt=__name__, max_age=KEPT_SECONDS)
    except (signing.BadSignature, ValueError):
        return None
    path = Path(settings.VAR_DIR) / "rating-lists" / name
    return (path, register_key, filename, kind) if owner == by.pk and path.is_file() else None


def keep_list(
    register: RatingRegister, chunks: Iterable[bytes], filename: str, *, kind: str, by: User | None, **more: Any
) -> RatingListImport:
    """Keep a file with a job that imports it, as `begin` does."""
    return begin(register, keep_file(chunks), filename, kind=kind, by=by, **more)


def begin(
    register: RatingRegister,
    path: Path,
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
        job = new_job(TASK, by=by, club=register.club)
        return RatingListImport.objects.create(
            register=register,
            job=job,
            by=by,
            filename=filename[:160],
            path=str(path),
            kind=kind or kind_said_by(filename),
            month=month,
            replaces_newer=replaces_newer,
            history_only=history_only,
        )


def _remove_files_done_with() -> None:
    """Files of imports that were cancelled or have failed; one that is through has removed its own."""
    folder = Path(settings.VAR_DIR) / "rating-lists"
    known = set(RatingListImport.objects.values_list("path", flat=True))
    for kept in folder.iterdir() if folder.is_dir() else ():
        if str(kept) not in known and kept.stat().st_mtime < time.time() - KEPT_SECONDS:
            kept.unlink(missing_ok=True)
    for listed in RatingListImport.objects.filter(job__state__in=(Job.State.CANCELLED, Job.State.FAILED)):
        Path(listed.path).unlink(missing_ok=True)


def kind_said_by(filename: str) -> str:
    """`rapid_rating_list.zip` and `blitz_oct26frl_xml.zip` say it themselves."""
    name = filename.lower()
    return next((kind for kind in TimeKind.values if kind in name), TimeKind.STANDARD)
