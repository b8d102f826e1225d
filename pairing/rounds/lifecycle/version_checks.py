"""Asking whether a held round may still be changed from the page the arbiter has seen."""

from __future__ import annotations

from django.http import QueryDict
from django.utils.translation import gettext as _

from clubs.request_types import parse_key
from tournaments.models import Round
from tournaments.problems import ArbiterProblem, PairingChanged


def require_draft(round: Round) -> None:
    """ArbiterProblem unless the round is a draft."""
    if round.state != Round.State.DRAFT:
        raise ArbiterProblem(
            _("Round %(round)s is not a draft (%(state)s).")
            % {"round": round.number, "state": round.get_state_display()}
        )


def parse_seen_version(sent: QueryDict) -> int:
    """The version of the pairing on the page a press came from; what is no number is never the current one."""
    text = sent.get("version", "")
    return parse_key(text) if text == "0" or parse_key(text) else -1


def require_current_version(round: Round, version: int | None) -> None:
    """PairingChanged unless the pairing is still the one that was seen; None: nobody had to see it."""
    if version is not None and round.version != version:
        raise PairingChanged(
            _("The pairing of round %(round)s has been changed meanwhile: look at it again.") % {"round": round.number}
        )
