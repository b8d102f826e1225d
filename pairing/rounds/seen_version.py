"""Asking whether a held round may still be changed from the page the arbiter has seen."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Round
from tournaments.problems import ArbiterProblem, PairingChanged


def require_draft(round: Round) -> None:
    """ArbiterProblem unless the round is a draft."""
    if round.state != Round.State.DRAFT:
        raise ArbiterProblem(
            _("Round %(round)s is not a draft (%(state)s).")
            % {"round": round.number, "state": round.get_state_display()}
        )


def require_version(round: Round, version: int) -> None:
    """PairingChanged unless the pairing is still the one that was seen."""
    if round.version != version:
        raise PairingChanged(
            _("The pairing of round %(round)s has been changed meanwhile: look at it again.") % {"round": round.number}
        )
