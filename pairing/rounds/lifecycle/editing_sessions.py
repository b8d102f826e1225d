"""Changing a pairing by hand has a beginning and an end, so that two secretaries do not work against each other."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from pairing.models import Cause, EditingSession
from pairing.rounds.lifecycle import steps
from pairing.rounds.lifecycle.seen_version import require_draft
from tournaments.audit_log.lines import record
from tournaments.locking import hold_round
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

LEFT_ALONE = timedelta(minutes=10)
"""A session without a change for so long holds nobody up any more."""


class EditedElsewhere(ArbiterProblem):
    """Somebody else is changing this pairing; `session` says who, since when."""

    def __init__(self, message: str, *, session: EditingSession) -> None:
        super().__init__(message)
        self.session = session


def session_of(round: Round) -> EditingSession | None:
    """The open session of a round, unless it has been left alone."""
    found = round.editing_sessions.filter(ended_at=None).select_related("by", "began_from").first()
    return None if found is None or _is_left_alone(found) else found


@transaction.atomic
def begin(round: Round, *, by: User) -> EditingSession:
    """Begin to change a draft by hand, or go on with it. EditedElsewhere when somebody else is at it."""
    current = hold_round(round)
    require_draft(current)
    return enter(current, by=by)


@transaction.atomic
def take_over(round: Round, *, by: User) -> EditingSession:
    """Begin to change a draft by hand although somebody else is at it: his session ends, his changes stay."""
    current = hold_round(round)
    require_draft(current)
    found = session_of(current)
    if found is None or found.by_id == by.pk:
        return enter(current, by=by)
    end(current, taken_over_by=by)
    record(current.tournament, PairingAction.EDITING_TAKEN_OVER, by=by, round=current, name=name_of(found.by))
    return _begin(current, by=by)


def enter(round: Round, *, by: User) -> EditingSession:
    """The session of whoever is about to change this held draft, begun where there is none."""
    found = session_of(round)
    if found is not None and found.by_id != by.pk:
        raise EditedElsewhere(_elsewhere(round, found, by), session=found)
    if found is None:
        end(round)
        record(round.tournament, PairingAction.EDITING_BEGUN, by=by, round=round)
        return _begin(round, by=by)
    found.last_seen_at = timezone.now()
    found.save(update_fields=["last_seen_at"])
    return found


def end(round: Round, *, taken_over_by: User | None = None) -> None:
    """Nobody changes this held round by hand any more; what was kept only for going back goes, if nothing changed."""
    found = round.editing_sessions.filter(ended_at=None).select_related("began_from").first()
    if found is None:
        return
    found.ended_at, found.taken_over_by = timezone.now(), taken_over_by
    found.save(update_fields=["ended_at", "taken_over_by"])
    if found.began_from is not None and steps.stands_as(round, found.began_from):
        found.began_from.delete()


def name_of(user: User) -> str:
    """How the page names a secretary."""
    return user.get_full_name() or user.get_username()


def _begin(round: Round, *, by: User) -> EditingSession:
    steps.take_stock(round)
    began_from = steps.keep_restore_point(round, cause=Cause.SESSION, by=by)
    return EditingSession.objects.create(round=round, by=by, last_seen_at=timezone.now(), began_from=began_from)


def _is_left_alone(session: EditingSession) -> bool:
    return session.last_seen_at < timezone.now() - LEFT_ALONE


def _elsewhere(round: Round, session: EditingSession, by: User) -> str:
    told = {"name": name_of(session.by), "time": time_format(timezone.localtime(session.began_at), "TIME_FORMAT")}
    mine = round.editing_sessions.filter(by=by).order_by("pk").last()
    if mine is not None and mine.taken_over_by_id == session.by_id:
        return (
            _(
                "%(name)s has taken over at %(time)s. Your last press has changed nothing; what you did before is "
                "saved and stands below. Take over again to go on."
            )
            % told
        )
    return _("%(name)s has been changing this pairing by hand since %(time)s. Take over to change it yourself.") % told
