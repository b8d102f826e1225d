"""The club's ratings as they are kept: counted anew by a job after whatever they are computed from has changed.

Counting takes long beside what makes it necessary, a round closed or a result corrected, and SQLite's one writer must
not wait for it. So the change only notes in its own transaction from which month on ratings are to be counted
(`PendingRatingUpdate`). The job counts without holding anything, and writes what differs in pieces, each only while the
note is still the one it began with: a change meanwhile has left another mark, and counting begins anew. As long as
there is a note, pages say that ratings are being counted.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, MemberRating, PendingRatingUpdate, RatingScheme
from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds
from tournaments.club_ratings.rating_calculation import (
    CALCULATED_FIELDS,
    calculate_ratings_from,
    rating_months_of_rounds,
)
from tournaments.models import Round, Tournament

RATING_JOB = register_job_kind("tournaments.tasks.recalculate_ratings", JobKind(title=_("Counting ratings")))

ROWS_PER_TRANSACTION = 100
"""So many rows are written in a transaction: some ten milliseconds on SQLite."""

MAX_TRIES = 5
"""So often counting begins anew because something has changed meanwhile; then the chore takes it up."""

JOB_LOST_AFTER = timedelta(minutes=2)
"""A note that has stood so long has lost its job."""


def is_recalculating_ratings(club: Club) -> bool:
    """The ratings kept are not those of today's results yet."""
    return PendingRatingUpdate.objects.filter(club=club).exists()


@transaction.atomic
def choose_rating_method(club: Club, method: str) -> None:
    """Count by another method: everything anew, from the first game."""
    RatingScheme.objects.update_or_create(club=club, defaults={"method": method})
    schedule_rating_from_month(club, None)


def schedule_round_rating(round: Round) -> None:
    """A round was finished, opened again, or a result of it corrected: count on from its event's month."""
    schedule_event_rating(round.tournament_id)


def schedule_event_rating(tournament: int) -> None:
    """Something of an event has changed from which ratings are computed: count on from the month in which it began."""
    event = Tournament.with_deleted.select_related("club").get(pk=tournament)
    if event.rated_as:
        months = [month for pair in rating_months_of_rounds(event, list(event.rounds.all())).values() for month in pair]
        schedule_rating_from_month(event.club, min(months, default=None))


@transaction.atomic
def schedule_rating_from_month(club: Club, first: date | None) -> None:
    """Have the club's ratings counted from this month on, or all of them: in the transaction of what has changed."""
    now = timezone.now()
    mark = uuid4()
    noted = {"since": first, "mark": mark, "sent_at": now}
    due, is_new = PendingRatingUpdate.objects.select_for_update().get_or_create(club=club, defaults=noted)
    if not is_new:
        # Whoever counts by this note will find another mark in it, and begin anew.
        due.since = None if first is None or due.since is None else min(first, due.since)
        due.mark = mark
        is_forgotten = due.sent_at < now - JOB_LOST_AFTER
        due.sent_at = now if is_forgotten else due.sent_at
        due.save()
        if not is_forgotten:
            return
    # Not at the top: commands that only pair load no queue.
    from common.jobs.queue import create_job, enqueue_job

    enqueue_job(create_job(RATING_JOB, by=None, club=club))


def recalculate_ratings(job: Job) -> dict[str, Any]:
    """Count the ratings of the job's club, or of every club whose note has lost its job."""
    clubs = [job.club_id] if job.club_id else list(_forgotten().values_list("club_id", flat=True))
    for club in clubs:
        recalculate_due_ratings(club)
    return {}


def recalculate_due_ratings(club: int) -> None:
    """Count what is noted, until nothing is. Not inside a transaction, which would hold what others wait for."""
    for _try in range(MAX_TRIES):
        due = PendingRatingUpdate.objects.select_related("club").filter(club=club).first()
        if due is None or _is_kept(due):
            return


def has_lost_rating_jobs() -> bool:
    """A club's ratings wait for a job that is no more."""
    return _forgotten().exists()


chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="ratings", task=RATING_JOB, minutes=5, is_needed=has_lost_rating_jobs)
)


def _forgotten() -> QuerySet[PendingRatingUpdate]:
    return PendingRatingUpdate.objects.filter(sent_at__lt=timezone.now() - JOB_LOST_AFTER)


def _is_kept(due: PendingRatingUpdate) -> bool:
    """Count, and write what differs from what is kept; False where something has changed meanwhile."""
    counted = {(row.member_id, str(row.kind), row.month): row for row in calculate_ratings_from(due.club, due.since)}
    stored = MemberRating.objects.filter(member__club=due.club)
    if due.since is not None:
        stored = stored.filter(month__gte=due.since)
    surplus = []
    for row in stored:
        place = row.member_id, str(row.kind), row.month
        if place not in counted:
            surplus.append(row.pk)
        elif all(getattr(row, name) == getattr(counted[place], name) for name in CALCULATED_FIELDS):
            del counted[place]
    changed = list(counted.values())
    try:
        for start in range(0, max(len(changed), len(surplus)), ROWS_PER_TRANSACTION):
            if not _written(
                due, changed[start : start + ROWS_PER_TRANSACTION], surplus[start : start + ROWS_PER_TRANSACTION]
            ):
                return False
    except IntegrityError:
        # Somebody who was counted is no longer in the book.
        return False
    # Deleted by its mark: nobody else's note.
    return bool(PendingRatingUpdate.objects.filter(pk=due.pk, mark=due.mark).delete()[0])


@transaction.atomic
def _written(due: PendingRatingUpdate, changed: list[MemberRating], surplus: list[int]) -> bool:
    """Write a piece, unless something has changed since counting began."""
    if PendingRatingUpdate.objects.select_for_update().filter(pk=due.pk, mark=due.mark).first() is None:
        return False
    MemberRating.objects.filter(pk__in=surplus).delete()
    MemberRating.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["member", "kind", "month"], update_fields=CALCULATED_FIELDS
    )
    return True
