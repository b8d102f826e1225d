"""A list's file handed in: kept until the import is through."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from clubs.jobs.kinds import JobKind, register
from clubs.jobs.queue import new_job
from clubs.models import Job, RatingListImport, RatingRegister, TimeKind, User

FIDE = "FIDE"
TASK = register("clubs.tasks.import_rating_list", JobKind(title=_("Bringing a rating list in")))


def fide_register() -> RatingRegister:
    """FIDE's register, which all clubs share."""
    return RatingRegister.objects.get_or_create(club=None, name=FIDE)[0]


def under_way(register: RatingRegister) -> RatingListImport | None:
    """The import into the register that is not over: a second one beside it would hinder it, and be hindered."""
    unfinished = (Job.State.WAITING, Job.State.RUNNING)
    return RatingListImport.objects.filter(register=register, job__state__in=unfinished).first()


def keep_list(
    register: RatingRegister, chunks: Iterable[bytes], filename: str, *, kind: str, by: User | None
) -> RatingListImport:
    """Keep the file, with a job that imports it; the caller sends the job, or does it.

    `kind` is what a list with one rating a player is for; empty: what the file's name says, standard where it says
    nothing of it.
    """
    _remove_files_done_with()
    folder = Path(settings.VAR_DIR) / "rating-lists"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / secrets.token_hex(16)
    with path.open("wb") as kept:
        for chunk in chunks:
            kept.write(chunk)
    with transaction.atomic():
        job = new_job(TASK, by=by, club=register.club)
        return RatingListImport.objects.create(
            register=register,
            job=job,
            by=by,
            filename=filename[:160],
            path=str(path),
            kind=kind or kind_said_by(filename),
        )


def _remove_files_done_with() -> None:
    """Files of imports that were cancelled or have failed; one that is through has removed its own."""
    for listed in RatingListImport.objects.filter(job__state__in=(Job.State.CANCELLED, Job.State.FAILED)):
        Path(listed.path).unlink(missing_ok=True)


def kind_said_by(filename: str) -> str:
    """`rapid_rating_list.zip` and `blitz_oct26frl_xml.zip` say it themselves."""
    name = filename.lower()
    return next((kind for kind in TimeKind.values if kind in name), TimeKind.STANDARD)
