"""The job that tells players: asked for as soon as something has happened, and looked for again every minute.

Every command reads this file, as it registers itself: what tells (letters, push services, the queue) is read when there
is something to tell.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, JobStage, register
from common.models import Job
from common.schedule import kinds as chore_kinds
from common.signals import Changed, follow
from tournaments.models import Entry, LogEntry, MessageWay

TELL = register(
    "tournaments.tasks.tell_players",
    JobKind(title=_("Telling players"), stages={"messages": JobStage(words=_("Sending messages"))}),
)


def anything_to_do() -> bool:
    """Something waits to be sent, or an evening is near of which nobody was reminded yet; two queries mostly."""
    from tournaments.notifications.reminders import reminders_due
    from tournaments.notifications.sending import due

    return due().exists() or next(reminders_due(), None) is not None


chore_kinds.register(chore_kinds.Chore(name="telling", task=TELL, minutes=1, is_needed=anything_to_do))


def tell_players(job: Job) -> dict[str, Any]:
    """Note what has happened, remind of evenings, and send what is due."""
    from tournaments.notifications.occasions import note_line
    from tournaments.notifications.reminders import note_evenings
    from tournaments.notifications.sending import deliver

    line = LogEntry.objects.select_related("tournament__club", "round").filter(pk=job.arguments.get("line")).first()
    if line is not None:
        note_line(line)
    else:
        note_evenings()
    deliver(job)
    return {}


def listen() -> None:
    """Have news told from now on."""
    follow(Changed.NEWS, "telling", _ask_to_tell)


def _ask_to_tell(line: int) -> None:
    """A job in the same transaction, where anybody in the event wants to be told of anything."""
    from common.jobs.queue import new_job, send

    entries = Entry.objects.filter(tournament__log=line)
    of_guests = MessageWay.objects.filter(entry__in=entries)
    of_members = MessageWay.objects.filter(member__entries__in=entries)
    if of_members.exists() or of_guests.exists():
        send(new_job(TELL, by=None, key=f"line {line}", arguments={"line": line}))
