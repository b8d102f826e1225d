"""The overview of an event: winners, latest results, the top of the standings, prizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.pages.standings.prize_giving import get_prize_fund, has_public_prizes, prize_sheet
from pairing.view_models.sheets.prize_sheet import PrizeReceiver
from pairing.view_models.sheets.round_pairings import SheetBoard, pairing_sheet
from pairing.view_models.standings.event_standings import StandingsRow, get_event_standings
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

PLACES_SHOWN = 5
BOARDS_SHOWN = 5
WINNING_PLACES = 3
"""The last place that counts as a winner. Shared places can make more winners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOverview:
    """The overview. `results_of` is the latest round with a result. `winners` is set once all rounds are finished."""

    is_over: bool
    winners: tuple[StandingsRow, ...] = ()
    top: tuple[StandingsRow, ...] = ()
    after_round: int = 0
    results_of: Round | None = None
    results: tuple[SheetBoard, ...] = ()
    prizes: tuple[PrizeReceiver, ...] = ()


def event_overview(tournament: Tournament, rounds: Sequence[Round], latest: Round | None) -> EventOverview:
    """Build the overview. `latest` is the latest public round. Without one the overview is empty."""
    is_over = bool(rounds) and all(each.state == Round.State.FINISHED for each in rounds)
    if latest is None:
        return EventOverview(is_over=False)
    try:
        table = get_event_standings(tournament)
        receivers = _prizes(tournament)
    except ArbiterProblem:
        # Unknown tie-break: the standings page shows the error.
        return EventOverview(is_over=is_over)
    shown, results = _latest_results(tournament, latest)
    return EventOverview(
        is_over=is_over,
        winners=tuple(row for row in table.rows if row.place <= WINNING_PLACES) if is_over else (),
        top=table.rows[:PLACES_SHOWN],
        after_round=table.after_round,
        results_of=shown,
        results=results,
        prizes=receivers,
    )


def _latest_results(tournament: Tournament, latest: Round) -> tuple[Round | None, tuple[SheetBoard, ...]]:
    """Return the first boards with a result of the latest round, or else of the round before."""
    for number in (latest.number, latest.number - 1):
        found = tournament.rounds.filter(number=number).first()
        if found is not None:
            found.tournament = tournament
            boards = [
                board for board in pairing_sheet(found, last=2 * BOARDS_SHOWN).boards if not board.is_result_pending
            ]
            if boards:
                return found, tuple(boards[:BOARDS_SHOWN])
    return None, ()


def _prizes(tournament: Tournament) -> tuple[PrizeReceiver, ...]:
    fund = get_prize_fund(tournament)
    if fund.pk is None or not has_public_prizes(fund):
        return ()
    return prize_sheet(tournament).receivers
