"""Results: entering, correcting, and closing a round."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from common.signals import ChangeKind, publish
from tournaments.audit_log.actions import EventAction, LogAction
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_round_rating
from tournaments.locking import lock_round
from tournaments.models import Game, ResultClaim, Round
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.displayed_game import game_changed_problem
from tournaments.results.result_claims import disputed_boards


@transaction.atomic
def enter_result(game: Game, result: str, *, revision: int, by: User | None, reason: str = "") -> Game:
    """Enter the result of a published round's board (a `Game.Result`; empty takes it back). Returns the board anew.

    Where it is another than before, or than a player has reported, the players are told, with the `reason` if given.

    `revision` is the board's revision when the page was made. If another result has been entered since, ResultConflict
    is raised and nothing changed; the same result entered twice is no error. OtherGame when the board has been paired
    anew; ArbiterProblem when the round is not published or is finished already (see `correct_result`).
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
    """Enter what both players have reported alike; for the one who holds the board (see `player_reporting`)."""
    return _set_result(
        game, result, revision=game.revision, by=None, state=Round.State.PUBLISHED, action=EventAction.RESULT_CONFIRMED
    )


@transaction.atomic
def correct_result(game: Game, result: str, *, revision: int, by: User | None, reason: str = "") -> Game:
    """Change a result of a finished round; the log says what it was. Pairings already made stay as they are.

    Scores, totals and standings follow by themselves: they are computed, not stored; the club's ratings are counted
    anew from the round's month on. Same conflicts as `enter_result`; a result of a finished round cannot be taken back
    to open.
    """
    if result == Game.Result.PENDING:
        raise ArbiterProblem(_("A board of a finished round needs a result; reopen the round first."), games=[game])
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
    """The boards that have no result yet."""
    return list(round.games.filter(result=Game.Result.PENDING).select_related("white", "black"))


@transaction.atomic
def finish_round(round: Round, *, by: User | None) -> Round:
    """Close a published round; ArbiterProblem naming the open boards. Finishing a finished round is no error."""
    current = lock_round(round)
    if current.state == Round.State.FINISHED:
        return current
    if current.state != Round.State.PUBLISHED:
        raise ArbiterProblem(_("Round %(round)s is not published.") % {"round": current.number})
    list(current.games.select_for_update(no_key=True).order_by("pk"))
    if disputed := disputed_boards(current):
        raise ArbiterProblem(
            _("The players of these boards report different results: %(boards)s. Enter what is right first.")
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
    """Open a finished round again; raises ArbiterProblem once the next round is paired (draft included)."""
    current = lock_round(round)
    if current.state != Round.State.FINISHED:
        raise ArbiterProblem(_("Round %(round)s is not finished.") % {"round": current.number})
    later = current.tournament.rounds.filter(number__gt=current.number).exclude(state=Round.State.WAITING)
    if later.exists():
        raise ArbiterProblem(
            _("Round %(round)s is paired already: correct the result instead, or discard the draft.")
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
            _("Board %(board)s has another result meanwhile: %(result)s.")
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
        # The database lets a finished round's result change with this line alone.
        current.correction = line
    current.save(update_fields=["result", "revision", "entered_by", "entered_at", "colours_drawn", "correction"])
    if action != EventAction.RESULT_CONFIRMED and (before or _was_reported_otherwise(current)):
        publish(ChangeKind.PLAYER_NEWS, line.pk)
    if result == Game.Result.PENDING:
        # Whoever takes a result back asks for it anew; old reports would enter it again.
        ResultClaim.objects.filter(game=current).delete()
    return current


def _was_reported_otherwise(game: Game) -> bool:
    """A player of the board has reported another result."""
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
"""Results that leave open whether colours were ever given."""


def _wrong_state(round: Round, wanted: Round.State) -> str:
    if round.state == Round.State.FINISHED:
        return _("Round %(round)s is finished: correct the result instead.") % {"round": round.number}
    if wanted == Round.State.FINISHED:
        return _("Round %(round)s is not finished yet: enter the result.") % {"round": round.number}
    return _("Round %(round)s is not published yet.") % {"round": round.number}


def _set_state(round: Round, state: Round.State, action: LogAction, *, by: User | None) -> Round:
    # The line first: the database lets a round leave "finished" with the line of its reopening alone.
    record_action(round.tournament, action, by=by, round=round)
    round.state = state
    round.save(update_fields=["state"])
    schedule_round_rating(round)
    return round
