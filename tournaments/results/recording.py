"""Entering and correcting results, and finishing a round."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from common.signals import ChangeKind, publish
from tournaments.access import lock_round
from tournaments.audit_log.actions import EventAction, LogAction
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_round_rating
from tournaments.models import Game, ResultClaim, Round
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.displayed_game import game_changed_problem
from tournaments.results.result_claims import disputed_boards


@transaction.atomic
def enter_result(game: Game, result: str, *, revision: int, by: User | None, reason: str = "") -> Game:
    """Enter the result of a published round's board (a `Game.Result`; empty withdraws it). Returns the reloaded board.

    Players are notified if it differs from before or from a report, with the `reason` if given. `revision` is the
    board's revision when the page was made; entering the same result twice is not an error.

    Raises ResultConflict, and changes nothing, if a different result has been entered since. Raises GameReplaced if the
    board was paired again. Raises ArbiterProblem if the round is not published or is already finished (see
    `correct_result`).
    """
    return _set_result(
        game,
        result,
        revision=revision,
        by=by,
        state=Round.State.PUBLISHED,
        action=EventAction.RESULT_ENTERED,
        reason=reason,
    )


@transaction.atomic
def confirm_result(game: Game, result: str) -> Game:
    """Enter the result that both players reported. The caller has locked the board (see `player_reporting`)."""
    return _set_result(
        game, result, revision=game.revision, by=None, state=Round.State.PUBLISHED, action=EventAction.RESULT_CONFIRMED
    )


@transaction.atomic
def correct_result(game: Game, result: str, *, revision: int, by: User | None, reason: str = "") -> Game:
    """Change a result of a finished round. The log keeps the old one. Existing pairings are not changed.

    Scores and standings are computed, not stored, so they follow. The club's ratings are recalculated from the round's
    month onwards. Raises the same errors as `enter_result`, and ArbiterProblem if the result is empty.
    """
    if result == Game.Result.PENDING:
        raise ArbiterProblem(_("Every board of a finished round needs a result. Reopen the round first."), games=[game])
    corrected = _set_result(
        game,
        result,
        revision=revision,
        by=by,
        state=Round.State.FINISHED,
        action=EventAction.RESULT_CORRECTED,
        reason=reason,
    )
    schedule_round_rating(corrected.round)
    return corrected


def boards_without_result(round: Round) -> list[Game]:
    """Return the boards without a result."""
    return list(round.games.filter(result=Game.Result.PENDING).select_related("white", "black"))


@transaction.atomic
def finish_round(round: Round, *, by: User | None) -> Round:
    """Finish a published round. Raises ArbiterProblem listing open boards. Does nothing if it is already finished."""
    current = lock_round(round)
    if current.state == Round.State.FINISHED:
        return current
    if current.state != Round.State.PUBLISHED:
        raise ArbiterProblem(_("Round %(round)s isn't published.") % {"round": current.number})
    list(current.games.select_for_update(no_key=True).order_by("pk"))
    if disputed := disputed_boards(current):
        raise ArbiterProblem(
            _("The players on these boards reported different results: %(boards)s. Enter the correct results first.")
            % {"boards": ", ".join(str(game.board) for game in disputed)},
            games=disputed,
        )
    if missing := boards_without_result(current):
        raise ArbiterProblem(
            _("Round %(round)s has boards without a result: %(boards)s.")
            % {"round": current.number, "boards": ", ".join(str(game.board) for game in missing)},
            games=missing,
        )
    return _set_state(current, Round.State.FINISHED, EventAction.ROUND_FINISHED, by=by)


@transaction.atomic
def reopen_round(round: Round, *, by: User | None) -> Round:
    """Reopen a finished round. Raises ArbiterProblem if the next round is paired, even as a draft."""
    current = lock_round(round)
    if current.state != Round.State.FINISHED:
        raise ArbiterProblem(_("Round %(round)s is not finished.") % {"round": current.number})
    later = current.tournament.rounds.filter(number__gt=current.number).exclude(state=Round.State.WAITING)
    if later.exists():
        raise ArbiterProblem(
            _("Round %(round)s is already paired. Correct the result instead, or discard the draft.")
            % {"round": current.number + 1}
        )
    return _set_state(current, Round.State.PUBLISHED, EventAction.ROUND_REOPENED, by=by)


def _set_result(
    game: Game, result: str, *, revision: int, by: User | None, state: Round.State, action: LogAction, **details: str
) -> Game:
    if result not in Game.Result.values:
        raise ValueError(f"not a result: {result!r}")
    # The board's own row is the lock, so that two boards never wait for each other; `finish_round` takes them all.
    held = Game.objects.select_for_update(no_key=True, of=("self",)).select_related("white", "black")
    current = held.filter(pk=game.pk).first()
    if current is None:
        raise game_changed_problem(None)
    current.round = Round.objects.select_related("tournament").get(pk=current.round_id)
    if current.result == result:
        return current
    if current.round.state != state:
        raise ArbiterProblem(_wrong_state(current.round, state), games=[current])
    if current.revision != revision:
        raise ResultConflict(
            _("Board %(board)s now has a different result: %(result)s.")
            % {"board": current.board, "result": current.get_result_display()},
            game=current,
            wanted=result,
        )
    before, current.result = current.result, result
    current.revision += 1
    current.entered_by, current.entered_at = by, timezone.now()
    if Game.Result(result) not in _FORFEITS:
        current.colours_drawn = True
    line = record_action(
        current.round.tournament,
        action,
        by=by,
        round=current.round,
        board=current.board,
        before=before,
        after=result,
        **{name: text for name, text in details.items() if text},
    )
    if state == Round.State.FINISHED:
        # The database allows a change to a finished round's result only with this line.
        current.correction = line
    current.save(update_fields=["result", "revision", "entered_by", "entered_at", "colours_drawn", "correction"])
    if action != EventAction.RESULT_CONFIRMED and (before or _was_reported_otherwise(current)):
        publish(ChangeKind.PLAYER_NEWS, line.pk)
    if result == Game.Result.PENDING:
        # After a withdrawn result players report again; old reports would enter it again.
        ResultClaim.objects.filter(game=current).delete()
    return current


def _was_reported_otherwise(game: Game) -> bool:
    """Return True if a player at the board has reported a different result."""
    if not game.round.tournament.players_report_results:
        return False
    return ResultClaim.objects.filter(game=game).exclude(result=game.result).exists()


_FORFEITS = frozenset(
    {
        Game.Result.PENDING,
        Game.Result.WHITE_WINS_FORFEIT,
        Game.Result.BLACK_WINS_FORFEIT,
        Game.Result.DOUBLE_FORFEIT,
    }
)
"""Results that do not show whether colours were ever given."""


def _wrong_state(round: Round, wanted: Round.State) -> str:
    if round.state == Round.State.FINISHED:
        return _("Round %(round)s is finished. Correct the result instead.") % {"round": round.number}
    if wanted == Round.State.FINISHED:
        return _("Round %(round)s is not finished yet. Enter the result instead.") % {"round": round.number}
    return _("Round %(round)s is not published yet.") % {"round": round.number}


def _set_state(round: Round, state: Round.State, action: LogAction, *, by: User | None) -> Round:
    # Write the line first: the database lets a round leave "finished" only with its reopening line.
    record_action(round.tournament, action, by=by, round=round)
    round.state = state
    round.save(update_fields=["state"])
    schedule_round_rating(round)
    return round
