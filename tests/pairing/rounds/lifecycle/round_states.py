"""How the pairing of a round stands, and the ways on and back, for the tests of steps and of changes by hand."""

from __future__ import annotations

from typing import Any

from clubs.models import User
from pairing.rounds.lifecycle import steps
from pairing.rounds.lifecycle.saving_boards import away_in, seats_in
from pairing.rounds.manual.arrangement import Operation
from pairing.rounds.manual.changes import change_by_hand
from pairing.rounds.manual.undo import redo, undo
from tests.factories import round_of
from tournaments.models import Round


def now(this_round: Round) -> Round:
    return round_of(this_round.tournament, this_round.number)


def change(this_round: Round, operation: Operation, by: User) -> Round:
    change_by_hand(this_round, operation, by=by, version=now(this_round).version)
    return now(this_round)


def back(this_round: Round, by: User) -> Round:
    undo(this_round, by=by, version=now(this_round).version)
    return now(this_round)


def forth(this_round: Round, by: User) -> Round:
    redo(this_round, by=by, version=now(this_round).version)
    return now(this_round)


def everything(this_round: Round) -> dict[str, Any]:
    """All that a step may change of a round, but its version."""
    current = now(this_round)
    return {
        "state": current.state,
        "scores": current.scores,
        "boards": seats_in(current),
        "byes": away_in(current),
        "unpaired": steps.unpaired_keys(current),
        "numbers": dict(current.tournament.entries.values_list("pk", "tpn")),
        "upper": current.tournament.accelerated_players,
    }
