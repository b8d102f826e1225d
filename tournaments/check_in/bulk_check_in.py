"""A whole door by one press: everybody is here, or all but a few; and the press taken back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.check_in.byes import entries_in_round
from tournaments.check_in.presence import (
    MAX_NAMES_IN_LOG,
    CheckInStatus,
    check_in_rows,
    entries_in_log_lines,
    latest_log_line,
)
from tournaments.locking import lock_round
from tournaments.models import Bye, CheckIn, LogEntry, Round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkCheckInCounts:
    """How many were marked by one press: here, and absent."""

    here: int
    absent: int


@transaction.atomic
def check_in_all_players(
    round: Round, *, shown: Collection[int], absent: Collection[int] = (), by: User | None
) -> BulkCheckInCounts:
    """Everybody of `shown`, keys of entries, whom nobody has seen yet is here, those of `absent` are not.

    Whoever was noted otherwise before, or has entered since the names were shown, stays as he is. Raises ArbiterProblem
    once the round is paired, or where nobody is left to be marked.
    """
    current = _hold_waiting(round)
    unseen = [
        line for line in check_in_rows(current) if line.status is CheckInStatus.NOT_YET and line.entry.pk in shown
    ]
    if not unseen:
        raise ArbiterProblem(_("Everybody has been seen already."))
    now = timezone.now()
    missing = [line.entry for line in unseen if line.entry.pk in absent]
    here = [line.entry for line in unseen if line.entry.pk not in absent]
    entries = [entry.pk for entry in (*here, *missing)]
    # Whoever said by phone that he is here has a row without a state.
    current.check_ins.filter(entry__in=entries).delete()
    CheckIn.objects.bulk_create(
        [CheckIn(round=current, entry=entry, state=CheckIn.State.HERE, at=now, by=by) for entry in here]
        + [CheckIn(round=current, entry=entry, state=CheckIn.State.ABSENT, at=now, by=by) for entry in missing],
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
    """The entries of a page that was as new as the event's line `since`, on which `newest` had entered last.

    Without whoever has come into the round another way since, as by a withdrawal taken back.
    """
    returned = entries_in_log_lines(LogEntry.objects.filter(tournament=round.tournament_id, round=None, pk__gt=since))
    return set(entries_in_round(round).filter(pk__lte=newest).values_list("pk", flat=True)) - returned


def is_bulk_check_in(line: LogEntry | None) -> bool:
    """The line is that of such a press: as long as it is the round's latest, it can be taken back."""
    return line is not None and line.action == EventAction.EVERYBODY_CHECKED_IN


@transaction.atomic
def undo_bulk_check_in(round: Round, line: int, *, by: User | None) -> None:
    """Nobody was seen, as before that press, the line of the log; ArbiterProblem when something was noted since."""
    current = _hold_waiting(round)
    press = latest_log_line(current)
    if press is None or press.pk != line or not is_bulk_check_in(press):
        raise ArbiterProblem(_("Something has been noted since then: change it name by name."))
    entries = press.details["entries"]
    current.check_ins.filter(entry__in=entries).delete()
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
        raise ArbiterProblem(_("Round %(round)s is paired already.") % {"round": current.number})
    return current
