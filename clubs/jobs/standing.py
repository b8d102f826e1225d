"""What is to be said of a job: how things stand with it, in words its owner can do something with."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from clubs.jobs.queue import LOST_AFTER
from clubs.models import Job

TAKEN_WITHIN = timedelta(seconds=10)
"""A worker that is there takes a job at once; nobody is there when none has taken it for so long."""

TITLES = {
    "clubs.tasks.import_rating_list": _("Bringing a rating list in"),
    "clubs.tasks.send_reminders": _("Sending reminders"),
    "pairing.tasks.set_paper_task": _("Setting a paper: %(name)s"),
    "pairing.tasks.pair_round_task": _("Pairing round %(number)s"),
    "pairing.tasks.propose_task": _("Pairing round %(number)s on trial"),
    "pairing.tasks.pair_again_task": _("Pairing the rounds from %(number)s on once more"),
}
"""What a job is, by its task; filled in with the job's arguments."""

STAGES = {
    "reading": _("Reading the event"),
    "letters": _("Sending letters"),
    "pairing": _("Pairing"),
    "saving": _("Saving"),
    "setting": _("Setting the pages"),
}
"""What is being done just now."""

COUNTS = {
    "pairing": ngettext_lazy("%(done)s of %(total)s score group", "%(done)s of %(total)s score groups", "total"),
    "rounds": ngettext_lazy("%(done)s of %(total)s round", "%(done)s of %(total)s rounds", "total"),
}
"""What is counted in a stage; of other stages only the share is shown."""


class Standing(StrEnum):
    """How things stand with a job that is not over."""

    SENT = "sent"
    NOT_SENT = "not sent"
    """The queue does not answer."""
    BEHIND = "behind"
    """Others are done first."""
    NO_WORKER = "no worker"
    AT_WORK = "at work"
    STOPPING = "stopping"
    LOST = "lost"
    """Whatever worked on it has died."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLine:
    """A job ready for `components/job.html`."""

    job: Job
    title: str
    stage: str
    counted: str
    standing: Standing | None
    """None when it is over."""
    has_queue: bool


def line_of(job: Job) -> JobLine:
    """What is to be shown of a job; two queries at most."""
    counted = COUNTS.get(job.stage)
    return JobLine(
        job=job,
        title=_filled(TITLES.get(job.task, _("Work in the background")), job),
        stage=str(STAGES.get(job.stage, "")),
        counted=str(counted % {"done": job.done, "total": job.total}) if counted and job.total else "",
        standing=None if job.is_over else standing_of(job),
        has_queue=bool(settings.CELERY_BROKER_URL),
    )


def standing_of(job: Job) -> Standing:
    """How things stand with a job that is not over."""
    now = timezone.now()
    if job.state == Job.State.RUNNING:
        if job.heartbeat_at is None or job.heartbeat_at < now - LOST_AFTER:
            return Standing.LOST
        return Standing.STOPPING if job.cancel_asked else Standing.AT_WORK
    if job.sent_at is None:
        return Standing.NOT_SENT
    if job.created_at > now - TAKEN_WITHIN:
        return Standing.SENT
    others = Job.objects.filter(state=Job.State.RUNNING, heartbeat_at__gte=now - LOST_AFTER)
    return Standing.BEHIND if others.exists() else Standing.NO_WORKER


def _filled(title: str | Promise, job: Job) -> str:
    return str(title) % defaultdict(str, job.arguments)
