"""The kinds of work there are, registered by whoever does it: what a job is called, and what is said meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStage:
    """A part of some work: what is being done, and what is counted meanwhile.

    `counted` has places for `done` and `total`; without it only the share is shown.
    """

    words: str | Promise = ""
    counted: str | Promise = ""


class WorkerQueue(StrEnum):
    """Where work stands in line, by who waits for it; a worker serves one of them, several or all."""

    ROUNDS = "rounds"
    """A hall full of people waits."""
    PAPERS = "papers"
    """Somebody looks at a bar."""
    CHORES = "chores"
    """It may take long: lists, letters, the work of the night."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """What one task does. `title` may name arguments of the job: "Pairing round %(number)s"."""

    title: str | Promise
    queue: WorkerQueue = WorkerQueue.CHORES
    stages: Mapping[str, JobStage] = field(default_factory=dict)


UNKNOWN_JOB_KIND = JobKind(title=_("Work in the background"))
"""What is said of a job whose task this version of the program does not know."""

_kinds: dict[str, JobKind] = {}


def register_job_kind(task: str, kind: JobKind) -> str:
    """Say what a task does, by its dotted name, which is given back."""
    if _kinds.setdefault(task, kind) != kind:
        raise ValueError(f"{task} is registered twice")
    return task


def job_kind_of(task: str) -> JobKind:
    """What a task does."""
    return _kinds.get(task, UNKNOWN_JOB_KIND)
