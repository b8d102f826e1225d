"""Lots for places that no tie-break separates (Dutch system 1992, F10): drawn once and stored."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import SystemRandom

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from pairing.view_models.standings.event_standings import EventStandings, StandingsRow
from tournaments.access import lock_tournament
from tournaments.audit_log.recorder import record_action
from tournaments.models import Entry, Tournament
from tournaments.problems import ArbiterProblem

MAX_LOT_NUMBER = 99_999
"""The highest lot: well above any number of players, so that late entrants draw as fairly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LotsToDraw:
    """The lots to draw in an event: players who share a place, and how many have and haven't drawn a lot."""

    tied: tuple[tuple[StandingsRow, ...], ...]
    drawn: int
    missing: int

    @property
    def has_lots_to_draw(self) -> bool:
        return bool(self.tied) and self.missing > 0


def lots_to_draw(table: EventStandings) -> LotsToDraw:
    """Return the lots in an event that breaks ties by lot, based on its whole table."""
    drawn = sum(row.entry.lot is not None for row in table.rows)
    return LotsToDraw(tied=table.groups_sharing_a_place, drawn=drawn, missing=len(table.rows) - drawn)


@transaction.atomic
def draw_lots(tournament: Tournament, *, by: User | None) -> int:
    """Draw a lot for every player without one. Existing lots are kept. Return the number of lots drawn."""
    lock_tournament(tournament.pk)
    entries = list(tournament.entries.all())
    waiting = [entry for entry in entries if entry.lot is None]
    if waiting:
        _draw(waiting, taken={entry.lot for entry in entries if entry.lot is not None})
        record_action(tournament, PairingAction.LOTS_DRAWN, by=by, count=len(waiting), lots=_noted(waiting))
    return len(waiting)


@transaction.atomic
def redraw_all_lots(tournament: Tournament, *, reason: str, by: User | None) -> None:
    """Redraw all lots. The log keeps the old ones. Raises ArbiterProblem if there is no reason."""
    if not reason.strip():
        raise ArbiterProblem(_("Lots are drawn once. To draw them again, enter a reason."))
    lock_tournament(tournament.pk)
    entries = list(tournament.entries.all())
    before = _noted(entries)
    tournament.entries.update(lot=None)
    _draw(entries, taken=set())
    record_action(
        tournament,
        PairingAction.LOTS_REDRAWN,
        by=by,
        reason=reason.strip(),
        lots_before=before,
        lots=_noted(entries),
    )


def _draw(entries: list[Entry], *, taken: set[int]) -> None:
    bag = [number for number in range(1, MAX_LOT_NUMBER + 1) if number not in taken]
    for entry, number in zip(entries, SystemRandom().sample(bag, len(entries)), strict=True):
        entry.lot = number
    Entry.objects.bulk_update(entries, ["lot"], batch_size=500)


def _noted(entries: list[Entry]) -> dict[str, int]:
    """Return the lots by entry key, for the log."""
    return {str(entry.pk): entry.lot for entry in entries if entry.lot is not None}
