"""Results entered a second time from the slips, to find typing errors."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import Game, ResultCheck, Round
from tournaments.problems import ArbiterProblem
from tournaments.results.displayed_game import game_changed_problem


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsCheckProgress:
    """The progress of a results check: boards with a result, checked boards that agree, and boards that differ."""

    boards: int
    agreeing: int
    different: tuple[ResultCheck, ...]

    @property
    def is_complete(self) -> bool:
        return self.agreeing == self.boards


@transaction.atomic
def record_result_check(game: Game, result: str, *, by: User | None) -> ResultCheck:
    """Record the result on the slip (a `Game.Result`, not pending). The board's own result never changes.

    Raises ArbiterProblem if the round is not published or the board has no result yet. See `has_same_result` for the
    outcome.
    """
    if result not in Game.Result.values or result == Game.Result.PENDING:
        raise ValueError(f"not a result: {result!r}")
    current = Game.objects.select_for_update(no_key=True, of=("self",)).filter(pk=game.pk).first()
    if current is None:
        raise game_changed_problem(None)
    current.round = Round.objects.select_related("tournament").get(pk=current.round_id)
    if current.round.state not in (Round.State.PUBLISHED, Round.State.FINISHED):
        raise ArbiterProblem(_("Round %(round)s is not published yet.") % {"round": current.round.number})
    if current.result == Game.Result.PENDING:
        raise ArbiterProblem(_("Board %(board)s has no result yet. Enter it first.") % {"board": current.board})
    reading, _is_new = ResultCheck.objects.update_or_create(
        game=current, defaults={"result": result, "by": by, "at": timezone.now()}
    )
    record_action(
        current.round.tournament,
        EventAction.RESULT_CHECKED,
        by=by,
        round=current.round,
        board=current.board,
        result=result,
    )
    return reading


def result_checks_by_board(round: Round) -> dict[int, ResultCheck]:
    """Return the results checks of a round by board, each with its game and the user who entered it. One query."""
    readings = ResultCheck.objects.filter(game__round=round).select_related("game", "by")
    return {reading.game.board: reading for reading in readings.order_by("game__board")}


def results_check_progress(round: Round, readings: dict[int, ResultCheck]) -> ResultsCheckProgress:
    """Return the progress of the results check."""
    return ResultsCheckProgress(
        boards=round.games.exclude(result=Game.Result.PENDING).count(),
        agreeing=sum(reading.has_same_result for reading in readings.values()),
        different=tuple(reading for reading in readings.values() if not reading.has_same_result),
    )
