"""Published pairings that may still change until a given time, or until declared final."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from tournaments.access import lock_round
from tournaments.audit_log.recorder import record_action
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

_LONGEST = timedelta(hours=12)
"""A time further ahead than this was meant for today and has passed."""


def parse_provisional_until(text: str, *, now: datetime) -> datetime | None:
    """Return the next occurrence of a time such as `18:30` (or `18.30`). None for an empty string (final at once).

    `now` is aware, and its time zone is used. Raises ArbiterProblem if the text is not a time, or if that time has
    passed.
    """
    if not text.strip():
        return None
    try:
        wanted = datetime.strptime(text.strip().replace(".", ":"), "%H:%M").time()
    except ValueError as error:
        raise ArbiterProblem(
            _("“%(text)s” isn't a time. Enter hours and minutes, such as 18:30.") % {"text": text}
        ) from error
    moment = datetime.combine(now.date(), wanted, tzinfo=now.tzinfo)
    if moment <= now:
        moment += timedelta(days=1)
    if moment - now > _LONGEST:
        raise ArbiterProblem(
            _(
                "It's already %(now)s, so the pairings can't be provisional until %(time)s. Enter a later "
                "time or leave it empty."
            )
            % {"now": f"{now:%H:%M}", "time": f"{wanted:%H:%M}"}
        )
    return moment


@transaction.atomic
def declare_pairing_final(round: Round, *, by: User | None) -> Round:
    """Declare a provisional pairing final. Does nothing if it is already final."""
    current = lock_round(round)
    if not current.is_public:
        raise ArbiterProblem(_("Round %(round)s isn't published.") % {"round": current.number})
    if current.is_provisional:
        current.provisional_until = None
        current.save(update_fields=["provisional_until"])
        record_action(
            current.tournament,
            PairingAction.PAIRING_DECLARED_FINAL,
            by=by,
            round=current,
            version=current.publications,
        )
    return current
