"""Undo, redo and restore points of a round that is not published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from pairing.models import PairingCause, PairingStep, RestorePoint
from pairing.rounds.lifecycle import editing_sessions, pairing_history
from pairing.rounds.lifecycle.draft_checks import require_current_version
from tournaments.access import lock_round
from tournaments.audit_log.recorder import record_action
from tournaments.models import Round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoHistory:
    """The step to undo, the step to redo, and the restore points, the latest first."""

    undoable: PairingStep | None
    redoable: PairingStep | None
    restore_points: Sequence[RestorePoint]
    undo_leaves_a_draft: bool = False
    """True if undoing reverts a change of the pairing, not the pairing as a whole."""


def undo_history(round: Round) -> UndoHistory:
    """Return the step to undo, the step to redo, and the restore points. A published round has none of these."""
    if round.state in pairing_history.PUBLIC_STATES:
        return UndoHistory(undoable=None, redoable=None, restore_points=())
    current = pairing_history.current_pairing_step(round)
    kept = tuple(round.restore_points.select_related("by").defer("boards", "scores", "numbers"))
    if current is None:
        return UndoHistory(undoable=None, redoable=None, restore_points=kept)
    before = round.steps.filter(number__lt=current.number).defer("boards").last()
    return UndoHistory(
        undoable=current if before else None,
        redoable=round.steps.filter(number__gt=current.number).defer("boards").first(),
        restore_points=kept,
        undo_leaves_a_draft=before is not None and before.is_paired,
    )


@transaction.atomic
def undo_step(round: Round, *, by: User, version: int) -> PairingStep:
    """Undo the latest step and return it.

    Raises PairingChanged if the version seen is no longer current. Raises DraftEditedByOtherUser while somebody else is
    editing the draft. Raises ArbiterProblem if there is nothing to undo.
    """
    current = _held(round, by=by, version=version)
    step = pairing_history.current_pairing_step(current)
    wanted = current.steps.filter(number__lt=step.number).last() if step else None
    if step is None or wanted is None:
        raise ArbiterProblem(_("Nothing to undo."))
    _go_to(current, wanted)
    record_action(
        current.tournament, PairingAction.STEP_UNDONE, by=by, round=current, step=step.cause, version=current.version
    )
    return step


@transaction.atomic
def redo_step(round: Round, *, by: User, version: int) -> PairingStep:
    """Redo the last undone step, and return it. Raises the same errors as `undo_step`."""
    current = _held(round, by=by, version=version)
    step = pairing_history.current_pairing_step(current)
    wanted = current.steps.filter(number__gt=step.number).first() if step else None
    if wanted is None:
        raise ArbiterProblem(_("Nothing to redo."))
    _go_to(current, wanted)
    record_action(
        current.tournament,
        PairingAction.STEP_REDONE,
        by=by,
        round=current,
        step=wanted.cause,
        version=current.version,
    )
    return wanted


@transaction.atomic
def restore_pairing(point: RestorePoint, *, by: User, version: int) -> Round:
    """Restore the pairing in a restore point, as a new step that can be undone.

    Raises the same errors as `undo_step`.
    """
    current = _held(point.round, by=by, version=version)
    apply_restore_point(current, point, by=by)
    record_action(current.tournament, PairingAction.PAIRING_RESTORED, by=by, round=current, version=current.version)
    return current


def apply_restore_point(round: Round, point: RestorePoint, *, by: User) -> None:
    """Do the work of `restore_pairing` on a locked round, without a log entry."""
    beside = pairing_history.byes_since_current_step(round)
    pairing_history.refresh_current_step(round)
    pairing_history.restore_state(round, point, later_byes=beside)
    _end_without_a_draft(round)
    pairing_history.record_pairing_step(round, cause=PairingCause.RESTORED, by=by, unpaired=point.unpaired)


@transaction.atomic
def finish_editing_session(round: Round, *, by: User, version: int, keep: bool) -> None:
    """End the user's own session: keep the changes, or restore the pairing from when it began.

    Nothing happens if the session is already over. Raises PairingChanged if the version seen is no longer current.
    """
    current = lock_round(round)
    session = current.editing_sessions.filter(ended_at=None, by=by).select_related("began_from").first()
    if session is None:
        return
    require_current_version(current, version)
    if (
        not keep
        and session.began_from is not None
        and not pairing_history.is_in_pairing_state(current, session.began_from)
    ):
        apply_restore_point(current, session.began_from, by=by)
    editing_sessions.end_editing_session(current)
    record_action(
        current.tournament, PairingAction.EDITING_ENDED, by=by, round=current, version=current.version, kept=keep
    )


def _held(round: Round, *, by: User, version: int) -> Round:
    current = lock_round(round)
    if current.state in pairing_history.PUBLIC_STATES:
        raise ArbiterProblem(
            _("Round %(round)s is published. Unpublish it first, then undo.") % {"round": current.number}
        )
    found = editing_sessions.active_editing_session(current)
    if found is not None:
        editing_sessions.ensure_editing_session(current, by=by)
    require_current_version(current, version)
    return current


def _go_to(round: Round, wanted: PairingStep) -> None:
    beside = pairing_history.byes_since_current_step(round)
    left = pairing_history.refresh_current_step(round)
    pairing_history.restore_state(round, wanted, later_byes=beside)
    if left is not None:
        round.steps.filter(pk=left.pk).update(is_current=False)
    round.steps.filter(pk=wanted.pk).update(is_current=True)
    _end_without_a_draft(round)


def _end_without_a_draft(round: Round) -> None:
    """End the editing session of a waiting round, which has nothing to edit."""
    if round.state == Round.State.WAITING:
        editing_sessions.end_editing_session(round)
