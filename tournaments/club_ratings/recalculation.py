"""Recalculation of the stored ratings, by a job, after the data they depend on has changed.

The calculation is slow compared with the change that causes it, and SQLite's only writer mustn't wait for it. So the
change only notes, in its own transaction, the month to recalculate from (`PendingRatingUpdate`). The job calculates
without a lock and saves the differences in batches. Each batch is saved only if the note still has the same mark. A
change in the meantime sets a new mark, and the job starts again. While there is a note, pages say that ratings are
being calculated.
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

RATING_JOB = register_job_kind("tournaments.tasks.recalculate_ratings", JobKind(title=_("Calculating ratings")))

ROWS_PER_TRANSACTION = 100
"""Rows per transaction: about ten milliseconds on SQLite."""

MAX_TRIES = 5
"""Attempts before the job gives up because data keeps changing; then the scheduled task starts a new job."""

JOB_LOST_AFTER = timedelta(minutes=2)
"""The age at which a note's job counts as lost."""


def is_recalculating_ratings(club: Club) -> bool:
    """Return True if the stored ratings don't include the latest results yet."""
    return PendingRatingUpdate.objects.filter(club=club).exists()


@transaction.atomic
def choose_rating_method(club: Club, method: str) -> None:
    """Set the club's rating method and recalculate everything."""
    RatingScheme.objects.update_or_create(club=club, defaults={"method": method})
    schedule_rating_from_month(club, None)


def schedule_round_rating(round: Round) -> None:
    """Schedule a recalculation of ratings after a round was finished, reopened or corrected."""
    schedule_event_rating(round.tournament_id)


def schedule_event_rating(tournament: int) -> None:
    """Schedule a recalculation of ratings after a change to an event, from the first month that it affects."""
    event = Tournament.with_deleted.select_related("club").get(pk=tournament)
    if event.rated_as:
        months = [month for pair in rating_months_of_rounds(event, list(event.rounds.all())).values() for month in pair]
        schedule_rating_from_month(event.club, min(months, default=None))


@transaction.atomic
def schedule_rating_from_month(club: Club, first: date | None) -> None:
    """Schedule a recalculation from this month onwards, or of everything (None), in the caller's transaction."""
    now = timezone.now()
    mark = uuid4()
    noted = {"since": first, "mark": mark, "sent_at": now}
    due, is_new = PendingRatingUpdate.objects.select_for_update().get_or_create(club=club, defaults=noted)
    if not is_new:
        # A running job will notice the new mark and start again.
        due.since = None if first is None or due.since is None else min(first, due.since)
        due.mark = mark
        is_forgotten = due.sent_at < now - JOB_LOST_AFTER
        due.sent_at = now if is_forgotten else due.sent_at
        due.save()
        if not is_forgotten:
            return
    # Imported here, so that commands that only pair don't load the queue.
    from common.jobs.queue import create_job, enqueue_job

    enqueue_job(create_job(RATING_JOB, by=None, club=club))


def recalculate_ratings(job: Job) -> dict[str, Any]:
    """Recalculate the ratings of the job's club, or of every club whose recalculation job was lost."""
    clubs = [job.club_id] if job.club_id else list(_forgotten().values_list("club_id", flat=True))
    for club in clubs:
        recalculate_due_ratings(club)
    return {}


def recalculate_due_ratings(club: int) -> None:
    """Recalculate until nothing is pending. Don't call it in a transaction, which would block other writers."""
    for _try in range(MAX_TRIES):
        due = PendingRatingUpdate.objects.select_related("club").filter(club=club).first()
        if due is None or _is_kept(due):
            return


def has_lost_rating_jobs() -> bool:
    """Return True if a club's recalculation job was lost."""
    return _forgotten().exists()


chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="ratings", task=RATING_JOB, minutes=5, is_needed=has_lost_rating_jobs)
)


def _forgotten() -> QuerySet[PendingRatingUpdate]:
    return PendingRatingUpdate.objects.filter(sent_at__lt=timezone.now() - JOB_LOST_AFTER)


def _is_kept(due: PendingRatingUpdate) -> bool:
    """Calculate and save the differences. Return False if something changed in the meantime."""
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
        # A calculated member has been removed.
        return False
    # Deleted by its mark, so that a newer note stays.
    return bool(PendingRatingUpdate.objects.filter(pk=due.pk, mark=due.mark).delete()[0])


@transaction.atomic
def _written(due: PendingRatingUpdate, changed: list[MemberRating], surplus: list[int]) -> bool:
    """Save a batch. Return False, saving nothing, if something has changed since the calculation began."""
    if PendingRatingUpdate.objects.select_for_update().filter(pk=due.pk, mark=due.mark).first() is None:
        return False
    MemberRating.objects.filter(pk__in=surplus).delete()
    MemberRating.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["member", "kind", "month"], update_fields=CALCULATED_FIELDS
    )
    return True
