"""What an event's front page shows beside its next step: winners, latest results, the top of the table, prizes."""

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
"""Places that count as winners; more stand there when they are shared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOverview:
    """`results_of` is the latest round with a result; `winners` are of an event whose rounds are all finished."""

    is_over: bool
    winners: tuple[StandingsRow, ...] = ()
    top: tuple[StandingsRow, ...] = ()
    after_round: int = 0
    results_of: Round | None = None
    results: tuple[SheetBoard, ...] = ()
    prizes: tuple[PrizeReceiver, ...] = ()


def event_overview(tournament: Tournament, rounds: Sequence[Round], latest: Round | None) -> EventOverview:
    """Everything of it; `latest` is the latest round that everyone may see. An event not begun has nothing to show."""
    is_over = bool(rounds) and all(each.state == Round.State.FINISHED for each in rounds)
    if latest is None:
        return EventOverview(is_over=False)
    try:
        table = get_event_standings(tournament)
        receivers = _prizes(tournament)
    except ArbiterProblem:
        # A tie-break that is not known: the page of the table says so.
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
    """The first boards of the latest round that have a result, or of the one before while there is none."""
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
