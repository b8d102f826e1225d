"""Lists that are fetched by themselves: every night until this month's list is there, from where the club says.

What a list changes for members is shown first, as ever; only what is known of listed players changes by itself.
"""

from __future__ import annotations

from datetime import date, time
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import RatingRegister
from common.jobs.kinds import JobKind, register
from common.models import Job
from common.schedule import kinds as chore_kinds

FETCH = register("clubs.tasks.fetch_rating_lists", JobKind(title=gettext_lazy("Fetching rating lists")))


def anything_to_fetch() -> bool:
    """A list has an address, and is not this month's."""
    return any(not _is_of_this_month(each) for each in _with_address())


# Before anybody is up, after the night's backup.
chore_kinds.register(chore_kinds.Chore(name="lists", task=FETCH, at=time(4, 30), is_needed=anything_to_fetch))


def fetch_lists(job: Job) -> dict[str, Any]:
    """Fetch what is due, or the one register that the job names; each is imported by a job of its own.

    One that cannot be had keeps no other waiting: why stands in its row. The one asked for by name says so itself.
    """
    from common.jobs.queue import JobFailed, beat

    named = job.arguments.get("register")
    due = [each for each in _with_address() if (each.pk == named if named else not _is_of_this_month(each))]
    begun = 0
    for done, each in enumerate(due):
        beat(job, done=done, total=len(due))
        said, listed = _fetch(each, job, is_asked_for=bool(named))
        each.fetch_said, each.fetched_at = said[:300], timezone.now()
        each.save(update_fields=["fetch_said", "fetched_at", "fetch_mark"])
        begun += listed
        if named and said:
            raise JobFailed(said, leads_to=str(job.arguments.get("next", "")))
    return {"lists": begun, "next": str(job.arguments.get("next", ""))}


def _fetch(register: RatingRegister, job: Job, *, is_asked_for: bool) -> tuple[str, bool]:
    """Why there is nothing to be brought in, in words; empty: a list is, or it is the one known already."""
    from clubs.rating.lists.forms import LARGEST_FILE
    from clubs.rating.lists.looking import look_through
    from clubs.rating.lists.starting import begin, keep_file, kind_said_by, under_way
    from common.jobs.queue import send
    from common.tabular.public_download import CannotFetch, NothingNew, downloaded
    from common.tabular.written_down import NoTable, as_text

    if under_way(register) is not None:
        return "", False
    try:
        # Whoever presses the button wants to see it come, and be it once more.
        mark = "" if is_asked_for else register.fetch_mark
        with downloaded(register.fetched_from, mark=mark, largest=LARGEST_FILE) as download:
            file = keep_file(download.chunks)
    except NothingNew:
        return "", False
    except CannotFetch as problem:
        return _("The list could not be fetched: %(why)s.") % {"why": problem}, False
    kind = kind_said_by(download.filename)
    try:
        if register.club_id is not None:
            as_text(file)
    except NoTable as problem:
        file.remove()
        return str(problem), False
    look = look_through(register, file, download.filename, kind=kind, month=_this_month())
    if look.refused or look.is_older:
        file.remove()
        said = look.refused[0].message if look.refused else _("A newer list is there already: nothing was changed.")
        return said, False
    listed = begin(register, file, download.filename, kind=kind, by=job.by, month=look.month)
    register.fetch_mark = download.mark
    send(listed.job)
    return "", True


def _with_address() -> QuerySet[RatingRegister]:
    return RatingRegister.objects.exclude(fetched_from="").order_by("pk")


def _is_of_this_month(register: RatingRegister) -> bool:
    return _this_month().isoformat() in register.months.values()


def _this_month() -> date:
    return timezone.localdate().replace(day=1)
