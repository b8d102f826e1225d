"""Drawing the numbers of a round robin, which are places in its table."""

from __future__ import annotations

from secrets import SystemRandom

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.locking import hold
from tournaments.log.actions import EventAction
from tournaments.log.lines import record
from tournaments.models import Entry, Round, System, Tournament
from tournaments.problems import ArbiterProblem


@transaction.atomic
def draw_numbers(tournament: Tournament, *, by: User | None) -> Tournament:
    """Give every entry a number by lot; it stands from then on, whoever comes later.

    Drawn again, all numbers are new, and the log has each draw. ArbiterProblem once round 1 is paired, and in an event
    whose numbers are no lots.
    """
    current = hold(tournament.pk)
    if current.system != System.ROUND_ROBIN:
        raise ArbiterProblem(_("Numbers are drawn in a round robin; other systems give them by rating."))
    if current.rounds.exclude(state=Round.State.WAITING).exists():
        raise ArbiterProblem(_("Round 1 is paired: the numbers stand."))
    entries = list(current.entries.all())
    SystemRandom().shuffle(entries)
    # No number may stand twice, even for a moment.
    current.entries.update(tpn=None)
    for number, entry in enumerate(entries, start=1):
        entry.tpn = number
    Entry.objects.bulk_update(entries, ["tpn"], batch_size=400)
    current.keeps_numbers = True
    current.save(update_fields=["keeps_numbers"])
    record(
        current,
        EventAction.NUMBERS_DRAWN,
        by=by,
        numbers="; ".join(f"{entry.tpn} {entry.name}" for entry in entries),
    )
    return current
