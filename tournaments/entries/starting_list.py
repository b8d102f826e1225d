"""The starting list: its order, from which pairing numbers follow, and numbers drawn by lot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from secrets import SystemRandom

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import FideTitle, User
from common.text.name_order import name_sort_key
from pairing.engine.rule_interpretations import RULE_INTERPRETATIONS, TITLE_ORDER, non_default_interpretations
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import Entry, PairingSystem, Round, Tournament
from tournaments.problems import ArbiterProblem

_TITLE_RANK: Mapping[str, int] = {title: rank for rank, title in enumerate([*FideTitle.values, ""])}
_TITLE_RANK_OF_1992: Mapping[str, int] = {
    **dict.fromkeys(FideTitle.values, 6),
    **{title: rank for rank, title in enumerate(("GM", "WGM", "IM", "WIM", "FM", "WFM", ""))},
}
"""Dutch system of 1992, A2 c. Titles the document doesn't know count as none."""


def sort_by_starting_order(entries: Iterable[Entry]) -> list[Entry]:
    """Sort entries by rating (highest first), title (GM IM WGM FM WIM CM WFM WCM none), name, then key.

    Events of the 1992 system use its document's order of titles, unless the event interprets A2 c otherwise.
    """
    entries = list(entries)
    rank = _title_rank(entries[0].tournament) if entries and entries[0].tournament_id else _TITLE_RANK
    return sorted(
        entries, key=lambda entry: (-entry.rating, rank[entry.title], name_sort_key(entry.name), entry.pk or 0)
    )


def _title_rank(tournament: Tournament) -> Mapping[str, int]:
    reading = RULE_INTERPRETATIONS[TITLE_ORDER]
    by = tournament.pairing_method_of_round(1)
    if not reading.applies_to_system(by.system, by.procedure or None):
        return _TITLE_RANK
    chosen = dict(non_default_interpretations(tournament.readings.items()))
    return _TITLE_RANK if chosen.get(TITLE_ORDER) == reading.alternative_value else _TITLE_RANK_OF_1992


@transaction.atomic
def draw_pairing_numbers(tournament: Tournament, *, by: User | None) -> Tournament:
    """Draw every entry's number by lot. The numbers are kept, even with late entries.

    Drawing again gives everyone a new number, and the log has each draw. Raises ArbiterProblem if round 1 is paired, or
    the event isn't a round robin.
    """
    current = lock_tournament(tournament.pk)
    if current.system != PairingSystem.ROUND_ROBIN:
        raise ArbiterProblem(
            _("Numbers are only drawn by lot in a round robin. Other systems number players by rating.")
        )
    if current.rounds.exclude(state=Round.State.WAITING).exists():
        raise ArbiterProblem(_("Round 1 is paired, so the numbers can't change."))
    entries = list(current.entries.all())
    SystemRandom().shuffle(entries)
    # Numbers are unique at every moment.
    current.entries.update(tpn=None)
    for number, entry in enumerate(entries, start=1):
        entry.tpn = number
    Entry.objects.bulk_update(entries, ["tpn"], batch_size=400)
    current.keeps_numbers = True
    current.save(update_fields=["keeps_numbers"])
    record_action(
        current,
        EventAction.NUMBERS_DRAWN,
        by=by,
        numbers="; ".join(f"{entry.tpn} {entry.name}" for entry in entries),
    )
    return current
