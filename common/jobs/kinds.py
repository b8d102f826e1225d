"""The registry of job kinds: title, queue and stages of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStage:
    """A stage of a job: its description and progress text.

    `counted` has placeholders `done` and `total`. Without it only the percentage is shown.
    """

    words: str | Promise = ""
    counted: str | Promise = ""


class WorkerQueue(StrEnum):
    """The queue of a job, which depends on who waits for it. A worker serves one or more queues."""

    ROUNDS = "rounds"
    """A hall full of people waits."""
    PAPERS = "papers"
    """A user watches a progress bar."""
    CHORES = "chores"
    """The job may take long: lists, messages, nightly tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """The kind of job a task runs. `title` may use arguments of the job: "Pairing round %(number)s".

    `own_process`: without a queue, a separate process runs it, so that it does not slow the server's pages down.
    """

    title: str | Promise
    queue: WorkerQueue = WorkerQueue.CHORES
    stages: Mapping[str, JobStage] = field(default_factory=dict)
    own_process: bool = False


UNKNOWN_JOB_KIND = JobKind(title=_("Background job"))
"""Used for jobs whose task this program version does not know."""

_kinds: dict[str, JobKind] = {}


def register_job_kind(task: str, kind: JobKind) -> str:
    """Register the kind of a task by its dotted name, and return the name. Raises ValueError on a conflict."""
    if _kinds.setdefault(task, kind) != kind:
        raise ValueError(f"{task} is registered twice")
    return task


def job_kind_of(task: str) -> JobKind:
    """Return the kind of job that a task runs."""
    return _kinds.get(task, UNKNOWN_JOB_KIND)
