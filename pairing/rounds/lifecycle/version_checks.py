"""Checks that a locked round may still be changed from the page the arbiter has seen."""

from __future__ import annotations

from django.http import QueryDict
from django.utils.translation import gettext as _

from clubs.request_types import parse_key
from tournaments.models import Round
from tournaments.problems import ArbiterProblem, PairingChanged


def require_draft(round: Round) -> None:
    """Raise ArbiterProblem if the round is not a draft."""
    if round.state != Round.State.DRAFT:
        raise ArbiterProblem(
            _("Round %(round)s isn't a draft (%(state)s).")
            % {"round": round.number, "state": round.get_state_display()}
        )


def parse_seen_version(sent: QueryDict) -> int:
    """Return the version of the pairing on the submitted page.

    Anything but a number gives -1, which is never current.
    """
    text = sent.get("version", "")
    return parse_key(text) if text == "0" or parse_key(text) else -1


def require_current_version(round: Round, version: int | None) -> None:
    """Raise PairingChanged if the pairing is no longer the version seen. None skips the check."""
    if version is not None and round.version != version:
        raise PairingChanged(
            _("The pairings of round %(round)s have changed. Check them again.") % {"round": round.number}
        )
