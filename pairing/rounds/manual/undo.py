"""Undo, redo, and going back to a pairing that was kept, as long as the round is not published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from pairing.models import Cause, PairingStep, RestorePoint
from pairing.rounds.lifecycle import editing_sessions, steps
from pairing.rounds.lifecycle.seen_version import require_version
from tournaments.audit_log.lines import record
from tournaments.locking import hold_round
from tournaments.models import Round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What can be undone and done again, and the pairings that were kept, the latest first."""

    undoable: PairingStep | None
    redoable: PairingStep | None
    restore_points: Sequence[RestorePoint]
    undo_leaves_a_draft: bool = False
    """Undoing takes a change of the pairing back, not the pairing as a whole."""


def history_of(round: Round) -> History:
    """How far a round's pairing can go back and forth; a published one not at all."""
    if round.state in steps.PUBLIC:
        return History(undoable=None, redoable=None, restore_points=())
    current = steps.current_step(round)
    kept = tuple(round.restore_points.select_related("by").defer("boards", "scores", "numbers"))
    if current is None:
        return History(undoable=None, redoable=None, restore_points=kept)
    before = round.steps.filter(number__lt=current.number).defer("boards").last()
    return History(
        undoable=current if before else None,
        redoable=round.steps.filter(number__gt=current.number).defer("boards").first(),
        restore_points=kept,
        undo_leaves_a_draft=before is not None and before.is_paired,
    )


@transaction.atomic
def undo(round: Round, *, by: User, version: int) -> PairingStep:
    """Take the latest step back; returns it.

    PairingChanged when the pairing is no longer the version seen, EditedElsewhere while somebody else changes it by
    hand, ArbiterProblem when there is nothing to undo.
    """
    current = _held(round, by=by, version=version)
    step = steps.current_step(current)
    wanted = current.steps.filter(number__lt=step.number).last() if step else None
    if step is None or wanted is None:
        raise ArbiterProblem(_("There is nothing to undo."))
    _go_to(current, wanted)
    record(
        current.tournament, PairingAction.STEP_UNDONE, by=by, round=current, step=step.cause, version=current.version
    )
    return step


@transaction.atomic
def redo(round: Round, *, by: User, version: int) -> PairingStep:
    """Do the step again that was undone last; returns it. Raises as `undo`."""
    current = _held(round, by=by, version=version)
    step = steps.current_step(current)
    wanted = current.steps.filter(number__gt=step.number).first() if step else None
    if wanted is None:
        raise ArbiterProblem(_("There is nothing to do again."))
    _go_to(current, wanted)
    record(
        current.tournament,
        PairingAction.STEP_DONE_AGAIN,
        by=by,
        round=current,
        step=wanted.cause,
        version=current.version,
    )
    return wanted


@transaction.atomic
def restore(point: RestorePoint, *, by: User, version: int) -> Round:
    """Make the pairing again what it was at a restore point: a new step, which can be undone. Raises as `undo`."""
    current = _held(point.round, by=by, version=version)
    bring_back(current, point, by=by)
    record(current.tournament, PairingAction.PAIRING_RESTORED, by=by, round=current, version=current.version)
    return current


def bring_back(round: Round, point: RestorePoint, *, by: User) -> None:
    """`restore` on a held round, without its line in the log."""
    beside = steps.noted_beside(round)
    steps.take_stock(round)
    steps.make_so(round, point, beside=beside)
    _end_without_a_draft(round)
    steps.record_step(round, cause=Cause.RESTORED, by=by, unpaired=point.unpaired)


@transaction.atomic
def finish_editing(round: Round, *, by: User, version: int, keep: bool) -> None:
    """End one's session: keep what was changed, or go back to the pairing it began with.

    A session that is over already is no error. PairingChanged when the pairing is no longer the version seen.
    """
    current = hold_round(round)
    session = current.editing_sessions.filter(ended_at=None, by=by).select_related("began_from").first()
    if session is None:
        return
    require_version(current, version)
    if not keep and session.began_from is not None and not steps.stands_as(current, session.began_from):
        bring_back(current, session.began_from, by=by)
    editing_sessions.end(current)
    record(current.tournament, PairingAction.EDITING_ENDED, by=by, round=current, version=current.version, kept=keep)


def _held(round: Round, *, by: User, version: int) -> Round:
    current = hold_round(round)
    if current.state in steps.PUBLIC:
        raise ArbiterProblem(
            _("Round %(round)s is published: its pairing is not undone. Take it back first.")
            % {"round": current.number}
        )
    found = editing_sessions.session_of(current)
    if found is not None:
        editing_sessions.enter(current, by=by)
    require_version(current, version)
    return current


def _go_to(round: Round, wanted: PairingStep) -> None:
    beside = steps.noted_beside(round)
    left = steps.take_stock(round)
    steps.make_so(round, wanted, beside=beside)
    if left is not None:
        round.steps.filter(pk=left.pk).update(is_current=False)
    round.steps.filter(pk=wanted.pk).update(is_current=True)
    _end_without_a_draft(round)


def _end_without_a_draft(round: Round) -> None:
    """A waiting round has nothing that could be changed by hand."""
    if round.state == Round.State.WAITING:
        editing_sessions.end(round)
