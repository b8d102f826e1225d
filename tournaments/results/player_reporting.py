"""Results reported by players. Two equal reports are the result."""

from __future__ import annotations

from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from common.signals import ChangeKind, publish
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import Entry, Game, ResultClaim, Round
from tournaments.problems import ArbiterProblem
from tournaments.results.displayed_game import game_changed_problem
from tournaments.results.recording import confirm_result

REPORTABLE_RESULTS = (Game.Result.WHITE_WINS, Game.Result.DRAW, Game.Result.BLACK_WINS)
"""The results players may report; only the arbiter enters others."""


class ReportOutcome(StrEnum):
    """The outcome of a report."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    DIFFERENT = "different"


@transaction.atomic
def report_result(entry: Entry, game: Game, result: str, *, revision: int) -> ReportOutcome:
    """Report the result of a player's board. Their second report replaces the first.

    Equal reports of both players enter it. `revision` is the board's revision when their page was made.

    Raises GameReplaced if the board was paired again. Raises ArbiterProblem in these cases:
    - the board is not theirs
    - players do not report in this event
    - the round is not being played
    - the board has another result, which overrides every report, or had one since
    """
    if result not in REPORTABLE_RESULTS:
        raise ValueError(f"players do not report {result!r}")
    # The board's row is the lock: of two simultaneous reports the second finds the first.
    current = Game.objects.select_for_update(no_key=True, of=("self",)).filter(pk=game.pk).first()
    if current is None:
        raise game_changed_problem(None)
    this_round = Round.objects.select_related("tournament").get(pk=current.round_id)
    _check_may_report(entry, current, this_round)
    if current.result == result:
        return ReportOutcome.CONFIRMED
    if current.result != Game.Result.PENDING:
        raise ArbiterProblem(
            _("The result of your game is already entered: %(result)s. If it's wrong, go to the arbiter.")
            % {"result": current.get_result_display()},
            games=[current],
        )
    if current.revision != revision:
        raise ArbiterProblem(
            _("The result of your game was entered and then cleared. Report it again."), games=[current]
        )
    line = None
    if _write(entry, current, result):
        line = record_action(
            this_round.tournament,
            EventAction.RESULT_REPORTED,
            by=None,
            round=this_round,
            board=current.board,
            name=entry.name,
            entry=entry.pk,
            result=result,
        )
    other = ResultClaim.objects.filter(game=current).exclude(entry=entry).first()
    if other is None:
        return ReportOutcome.WAITING
    if other.result != result:
        if line is not None:
            publish(ChangeKind.PLAYER_NEWS, line.pk)
        return ReportOutcome.DIFFERENT
    confirm_result(current, result)
    return ReportOutcome.CONFIRMED


def _check_may_report(entry: Entry, game: Game, this_round: Round) -> None:
    if entry.pk not in (game.white_id, game.black_id):
        raise ArbiterProblem(_("This is not your board."))
    if not this_round.tournament.players_report_results:
        raise ArbiterProblem(_("In this event the arbiter enters results. Hand in your result slip."))
    if this_round.state != Round.State.PUBLISHED:
        raise ArbiterProblem(_("Round %(round)s is not in progress.") % {"round": this_round.number})


def _write(entry: Entry, game: Game, result: str) -> bool:
    """Save the report, and return False if it was the same before."""
    claim = ResultClaim.objects.filter(game=game, entry=entry).first()
    if claim is not None and claim.result == result:
        return False
    ResultClaim.objects.update_or_create(game=game, entry=entry, defaults={"result": result, "at": timezone.now()})
    return True
