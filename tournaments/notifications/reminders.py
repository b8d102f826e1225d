"""The reminder before an evening: a day before it begins, or before byes can no longer be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from tournaments.import_export.snapshots import takes_part
from tournaments.models import Message, Round
from tournaments.notifications.occasions import is_ahead, write
from tournaments.notifications.wishes import Wanted, wanted

BEFORE = timedelta(hours=24)
"""So long before the evening, or before the last moment for byes where the event has one."""

AT_LEAST = timedelta(hours=2)
"""Nobody is reminded of an evening that begins so soon: he is on his way, or has other plans."""

LONGEST_DEADLINE = timedelta(days=30)


def reminders_due() -> Iterator[tuple[Round, list[Wanted]]]:
    """The evenings that are near, and who is to be reminded of each and was not yet."""
    now = timezone.now()
    near = Round.objects.filter(
        state=Round.State.WAITING,
        starts_at__gt=now + AT_LEAST,
        starts_at__lt=now + BEFORE + LONGEST_DEADLINE,
        tournament__deleted_at=None,
    ).select_related("tournament__club")
    for each in near:
        hours = timedelta(hours=each.tournament.bye_deadline_hours)
        if each.starts_at is None or each.starts_at - hours - BEFORE > now:
            continue
        entries = [one for one in each.tournament.entries.select_related("member") if takes_part(one, each.number)]
        told = set(Message.objects.filter(about=_about(each)).values_list("way", "entry"))
        left = [
            one
            for one in wanted(Message.Kind.EVENING, entries)
            if (one.way.pk, one.entry.pk) not in told and is_ahead(one.entry, each)
        ]
        if left:
            yield each, left


def note_evenings() -> None:
    """Write down whom to remind of evenings that are near."""
    for each, left in reminders_due():
        write(Message.Kind.EVENING, _about(each), each, [(one, {}) for one in left])


def _about(round: Round) -> str:
    """Another day is another reminder; an hour later is not."""
    day = timezone.localdate(round.starts_at) if round.starts_at else ""
    return f"evening {round.pk} {day}"
