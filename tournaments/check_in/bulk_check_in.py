"""Checking in all players in one step, or all but a few, and undoing it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.access import lock_round
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.check_in.byes import entries_in_round
from tournaments.check_in.presence import (
    MAX_NAMES_IN_LOG,
    CheckInStatus,
    check_in_rows,
    clear_check_ins,
    entries_in_log_lines,
    latest_log_line,
)
from tournaments.models import Bye, CheckIn, LogEntry, Round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkCheckInCounts:
    """The numbers of players that a bulk check-in marked present and absent."""

    here: int
    absent: int


@transaction.atomic
def check_in_all_players(
    round: Round, *, shown: Collection[int], absent: Collection[int] = (), by: User | None
) -> BulkCheckInCounts:
    """Mark the unseen players in `shown` (entry keys) as here, or as absent if they are in `absent`.

    Players marked earlier, or entered after the page was shown, stay unchanged. Raises ArbiterProblem if the round is
    paired, or if nobody is left to be marked.
    """
    current = _hold_waiting(round)
    unseen = [
        line for line in check_in_rows(current) if line.status is CheckInStatus.NOT_YET and line.entry.pk in shown
    ]
    if not unseen:
        raise ArbiterProblem(_("Everyone has already been marked."))
    now = timezone.now()
    missing = [line.entry for line in unseen if line.entry.pk in absent]
    here = [line.entry for line in unseen if line.entry.pk not in absent]
    entries = [entry.pk for entry in (*here, *missing)]
    # Players who said from their phone that they are coming or here have a row without a state.
    coming = {line.entry.pk for line in unseen if line.check_in is not None and line.check_in.is_coming}
    current.check_ins.filter(entry__in=entries).delete()
    CheckIn.objects.bulk_create(
        [
            CheckIn(round=current, entry=entry, state=state, at=now, by=by, is_coming=entry.pk in coming)
            for state, marked in ((CheckIn.State.HERE, here), (CheckIn.State.ABSENT, missing))
            for entry in marked
        ],
        batch_size=400,
    )
    Bye.objects.bulk_create([Bye(round=current, entry=entry, kind=Bye.Kind.ABSENT) for entry in missing])
    record_action(
        current.tournament,
        EventAction.EVERYBODY_CHECKED_IN,
        by=by,
        round=current,
        count=len(here),
        names=[entry.name for entry in missing[:MAX_NAMES_IN_LOG]],
        entries=entries,
    )
    return BulkCheckInCounts(here=len(here), absent=len(missing))


def entries_shown_on_page(round: Round, *, newest: int, since: int) -> set[int]:
    """Return the entries shown on a page whose latest log line was `since` and whose latest entry was `newest`.

    Players who rejoined the round since then, as by an undone withdrawal, are left out.
    """
    returned = entries_in_log_lines(LogEntry.objects.filter(tournament=round.tournament_id, round=None, pk__gt=since))
    return set(entries_in_round(round).filter(pk__lte=newest).values_list("pk", flat=True)) - returned


def is_bulk_check_in(line: LogEntry | None) -> bool:
    """Return True if the log line records a bulk check-in. It can be undone while it is the round's latest line."""
    return line is not None and line.action == EventAction.EVERYBODY_CHECKED_IN


@transaction.atomic
def undo_bulk_check_in(round: Round, line: int, *, by: User | None) -> None:
    """Undo the bulk check-in of this log line. Raises ArbiterProblem if anything was recorded since."""
    current = _hold_waiting(round)
    press = latest_log_line(current)
    if press is None or press.pk != line or not is_bulk_check_in(press):
        raise ArbiterProblem(
            _("Check-in has changed since then, so you can't undo this all at once. Change players one by one.")
        )
    entries = press.details["entries"]
    clear_check_ins(current.check_ins.filter(entry__in=entries))
    current.byes.filter(entry__in=entries, kind=Bye.Kind.ABSENT).delete()
    record_action(
        current.tournament,
        EventAction.EVERYBODY_CHECK_IN_UNDONE,
        by=by,
        round=current,
        count=len(entries),
        entries=entries,
    )


def _hold_waiting(round: Round) -> Round:
    current = lock_round(round)
    if current.state != Round.State.WAITING:
        raise ArbiterProblem(_("Round %(round)s is already paired.") % {"round": current.number})
    return current
