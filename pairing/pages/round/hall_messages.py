"""The arbiter's message on the hall screen."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.log_actions import PairingAction
from pairing.models import HallMessage
from tournaments.audit_log.recorder import record_action
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

MESSAGE_MINUTES = (5, 15, 30, 60, 240)
"""The possible display times of a message, in minutes."""
MAX_MESSAGE_LENGTH = 160
"""The most characters that can be read from the back of a hall."""


@transaction.atomic
def show_hall_message(tournament: Tournament, text: str, minutes: int, *, by: User) -> HallMessage:
    """Show a message on the hall screen for one of `MESSAGE_MINUTES`. It replaces the current one.

    Raises ArbiterProblem if the text is empty or too long, or if the time is not offered.
    """
    text = " ".join(text.split())
    if not text:
        raise ArbiterProblem(_("Enter a message for the hall screen."))
    if len(text) > MAX_MESSAGE_LENGTH:
        raise ArbiterProblem(_("A message can have up to %(most)d characters.") % {"most": MAX_MESSAGE_LENGTH})
    if minutes not in MESSAGE_MINUTES:
        raise ArbiterProblem(_("Choose how long to show the message."))
    until = timezone.now() + timedelta(minutes=minutes)
    message, _is_new = HallMessage.objects.update_or_create(
        tournament=tournament, defaults={"text": text, "until": until}
    )
    at = f"{timezone.localtime(until):%H:%M}"
    record_action(tournament, PairingAction.HALL_MESSAGE_SHOWN, by=by, text=text, until=at)
    return message


@transaction.atomic
def end_hall_message(tournament: Tournament, *, by: User) -> None:
    """Remove the message from the screen. Does nothing if there is none."""
    found = current_hall_message(tournament)
    if found is not None:
        found.delete()
        record_action(tournament, PairingAction.HALL_MESSAGE_ENDED, by=by)


def current_hall_message(tournament: Tournament) -> HallMessage | None:
    """Return the message that is on the screen now."""
    found = HallMessage.objects.filter(tournament=tournament).first()
    return found if found is not None and found.is_shown else None
