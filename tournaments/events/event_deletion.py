"""Deletion of events: empty ones at once, others after a period in which they can be restored."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, User
from common.models import SealedChain
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import log_position, record_action
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.models import Bye, LogEntry, Round, Tournament
from tournaments.privacy.personal_data import delete_online_entries
from tournaments.problems import ArbiterProblem

RESTORE_PERIOD = timedelta(days=30)
"""A deleted event can be restored for this long."""


def is_empty_event(tournament: Tournament) -> bool:
    """Return True if nobody is entered and nothing is paired, so that no data is lost if the event is deleted."""
    if tournament.online_entries.exists():
        return False
    return not tournament.entries.exists() and not tournament.rounds.exclude(state=Round.State.WAITING).exists()


def event_state_token(tournament: Tournament) -> str:
    """Return a token for the event's state, which a page sends back."""
    return "-".join(map(str, log_position(tournament)))


@transaction.atomic
def delete_event(tournament: Tournament, *, by: User | None, typed: str = "", seen: str = "") -> bool:
    """Delete an event and return True if it can be restored.

    An empty event is deleted at once. For any other, its name must be typed. `seen` is `event_state_token` of the page
    on which the user decided (empty: no check). Raises ArbiterProblem if the name differs or the event has changed
    since. Raises EventDeleted if it has already been deleted.
    """
    current = lock_tournament(tournament.pk)
    if is_empty_event(current):
        current.delete()
        return False
    if _plain(typed) != _plain(current.name):
        raise ArbiterProblem(_("This event isn't empty. To delete it, type its name exactly as shown."))
    if seen and seen != event_state_token(current):
        raise ArbiterProblem(_("This event has changed since you opened this page. Check it again."))
    current.deleted_at, current.deleted_by = timezone.now(), by
    current.save(update_fields=["deleted_at", "deleted_by"])
    record_action(current, EventAction.EVENT_DELETED, by=by)
    _count_anew(current)
    return True


@transaction.atomic
def restore_event(club: Club, key: int, *, by: User | None) -> Tournament:
    """Restore a deleted event of a club. Does nothing if it has already been restored.

    Raises ArbiterProblem if it has been erased.
    """
    held = Tournament.with_deleted.select_for_update(no_key=True, of=("self",)).select_related("club")
    current = held.filter(club=club, pk=key).first()
    if current is None:
        raise ArbiterProblem(_("This event has been permanently deleted and can't be restored."))
    if current.deleted_at is not None:
        current.deleted_at = current.deleted_by = None
        current.save(update_fields=["deleted_at", "deleted_by"])
        record_action(current, EventAction.EVENT_RESTORED, by=by)
        _count_anew(current)
    return current


def deleted_events(club: Club) -> QuerySet[Tournament]:
    """Return the deleted events that can still be restored, the latest first."""
    found = Tournament.with_deleted.filter(club=club, deleted_at__isnull=False)
    return found.select_related("deleted_by").order_by("-deleted_at", "-pk")


def erasure_date(tournament: Tournament) -> date:
    """Return the day from which a deleted event may be erased."""
    return timezone.localdate((tournament.deleted_at or timezone.now()) + RESTORE_PERIOD)


def events_due_for_erasure(club: Club, *, now: datetime) -> list[Tournament]:
    """Return the deleted events whose restore period is over."""
    return list(deleted_events(club).filter(deleted_at__lte=now - RESTORE_PERIOD))


@transaction.atomic
def erase_event(tournament: Tournament) -> None:
    """Erase a deleted event permanently, with players, games and log. Does nothing if it has been restored."""
    held = Tournament.with_deleted.select_for_update().filter(pk=tournament.pk, deleted_at__isnull=False).first()
    if held is None:
        return
    delete_online_entries(held.online_entries.all())
    # Games and byes protect their players, so they go first.
    Bye.objects.filter(round__tournament=held).delete()
    held.rounds.all().delete()
    SealedChain.objects.filter(label=LogEntry._meta.label_lower, owner_id=held.pk).delete()
    held.delete()


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _count_anew(tournament: Tournament) -> None:
    if tournament.rated_as:
        schedule_rating_from_month(tournament.club, None)
