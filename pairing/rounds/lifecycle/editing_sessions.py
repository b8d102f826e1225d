"""Sessions for changing a pairing manually, so that two secretaries do not overwrite each other's changes."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from pairing.models import EditingSession, PairingCause
from pairing.rounds.lifecycle import pairing_history
from pairing.rounds.lifecycle.draft_checks import require_draft
from tournaments.access import lock_round
from tournaments.audit_log.recorder import record_action
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

SESSION_TIMEOUT = timedelta(minutes=10)
"""A session without a change for this long no longer blocks other users."""


class DraftEditedByOtherUser(ArbiterProblem):
    """Raised if somebody else is editing this pairing. `session` has their name and the start time."""

    def __init__(self, message: str, *, session: EditingSession) -> None:
        super().__init__(message)
        self.session = session


def active_editing_session(round: Round) -> EditingSession | None:
    """Return the open session of a round, unless it has timed out."""
    found = round.editing_sessions.filter(ended_at=None).select_related("by", "began_from").first()
    return None if found is None or _is_left_alone(found) else found


@transaction.atomic
def start_editing_session(round: Round, *, by: User) -> EditingSession:
    """Start or continue a session on a draft. Raises DraftEditedByOtherUser if somebody else has one."""
    current = lock_round(round)
    require_draft(current)
    return ensure_editing_session(current, by=by)


@transaction.atomic
def take_over_editing_session(round: Round, *, by: User) -> EditingSession:
    """Start a session on a draft that somebody else is editing. Their session ends, and their changes are kept."""
    current = lock_round(round)
    require_draft(current)
    found = active_editing_session(current)
    if found is None or found.by_id == by.pk:
        return ensure_editing_session(current, by=by)
    end_editing_session(current, taken_over_by=by)
    record_action(
        current.tournament, PairingAction.EDITING_TAKEN_OVER, by=by, round=current, name=user_display_name(found.by)
    )
    return _begin(current, by=by)


def ensure_editing_session(round: Round, *, by: User) -> EditingSession:
    """Return this user's session on a locked draft, starting one if there is none.

    Raises DraftEditedByOtherUser if somebody else has one.
    """
    found = active_editing_session(round)
    if found is not None and found.by_id != by.pk:
        raise DraftEditedByOtherUser(_elsewhere(round, found, by), session=found)
    if found is None:
        end_editing_session(round)
        record_action(round.tournament, PairingAction.EDITING_BEGUN, by=by, round=round)
        return _begin(round, by=by)
    found.last_seen_at = timezone.now()
    found.save(update_fields=["last_seen_at"])
    return found


def end_editing_session(round: Round, *, taken_over_by: User | None = None) -> None:
    """End the session on this locked round. Its restore point is deleted if nothing has changed."""
    found = round.editing_sessions.filter(ended_at=None).select_related("began_from").first()
    if found is None:
        return
    found.ended_at, found.taken_over_by = timezone.now(), taken_over_by
    found.save(update_fields=["ended_at", "taken_over_by"])
    if found.began_from is not None and pairing_history.is_in_pairing_state(round, found.began_from):
        found.began_from.delete()


def user_display_name(user: User) -> str:
    """Return a user's name for the page."""
    return user.get_full_name() or user.get_username()


def _begin(round: Round, *, by: User) -> EditingSession:
    pairing_history.refresh_current_step(round)
    began_from = pairing_history.create_restore_point(round, cause=PairingCause.SESSION, by=by)
    return EditingSession.objects.create(round=round, by=by, last_seen_at=timezone.now(), began_from=began_from)


def _is_left_alone(session: EditingSession) -> bool:
    return session.last_seen_at < timezone.now() - SESSION_TIMEOUT


def _elsewhere(round: Round, session: EditingSession, by: User) -> str:
    told = {
        "name": user_display_name(session.by),
        "time": time_format(timezone.localtime(session.began_at), "TIME_FORMAT"),
    }
    mine = round.editing_sessions.filter(by=by).order_by("pk").last()
    if mine is not None and mine.taken_over_by_id == session.by_id:
        return (
            _(
                "%(name)s took over at %(time)s. Your last change wasn't saved, but the earlier ones "
                "are. Take over again to continue."
            )
            % told
        )
    return _("%(name)s has been editing these pairings since %(time)s. Take over to edit them yourself.") % told
