"""What the arbiter says on the screen in the hall."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from pairing.models import HallMessage
from tournaments.audit_log.lines import record
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

MINUTES = (5, 15, 30, 60, 240)
"""For how long a message can be shown."""
LONGEST = 160
"""Characters: what can be read from the back of a hall."""


@transaction.atomic
def show_message(tournament: Tournament, text: str, minutes: int, *, by: User) -> HallMessage:
    """Put a line on the screen for so many of `MINUTES`, in place of the one there is. Raises ArbiterProblem."""
    text = " ".join(text.split())
    if not text:
        raise ArbiterProblem(_("Write what is to stand on the screen."))
    if len(text) > LONGEST or minutes not in MINUTES:
        raise ArbiterProblem(_("A message has at most %(most)d characters.") % {"most": LONGEST})
    until = timezone.now() + timedelta(minutes=minutes)
    message, _is_new = HallMessage.objects.update_or_create(
        tournament=tournament, defaults={"text": text, "until": until}
    )
    at = f"{timezone.localtime(until):%H:%M}"
    record(tournament, PairingAction.HALL_MESSAGE_SHOWN, by=by, text=text, until=at)
    return message


@transaction.atomic
def end_message(tournament: Tournament, *, by: User) -> None:
    """Take it off the screen. Ending what is not shown any more is no error."""
    found = message_of(tournament)
    if found is not None:
        found.delete()
        record(tournament, PairingAction.HALL_MESSAGE_ENDED, by=by)


def message_of(tournament: Tournament) -> HallMessage | None:
    """The message on the screen now."""
    found = HallMessage.objects.filter(tournament=tournament).first()
    return found if found is not None and found.is_shown else None
