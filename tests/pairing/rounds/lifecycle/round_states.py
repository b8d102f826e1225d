"""The states of a round's pairing, for tests of history and of manual changes."""

from __future__ import annotations

from typing import Any

from clubs.models import User
from pairing.rounds.lifecycle import pairing_history
from pairing.rounds.lifecycle.board_storage import stored_boards, stored_byes
from pairing.rounds.manual.arrangement import Operation
from pairing.rounds.manual.changes import change_draft_manually
from pairing.rounds.manual.undo import redo_step, undo_step
from tests.factories import round_of
from tournaments.models import Round


def now(this_round: Round) -> Round:
    return round_of(this_round.tournament, this_round.number)


def change(this_round: Round, operation: Operation, by: User) -> Round:
    change_draft_manually(this_round, operation, by=by, version=now(this_round).version)
    return now(this_round)


def back(this_round: Round, by: User) -> Round:
    undo_step(this_round, by=by, version=now(this_round).version)
    return now(this_round)


def forth(this_round: Round, by: User) -> Round:
    redo_step(this_round, by=by, version=now(this_round).version)
    return now(this_round)


def everything(this_round: Round) -> dict[str, Any]:
    """Everything that a step can change in a round, except its version."""
    current = now(this_round)
    return {
        "state": current.state,
        "scores": current.scores,
        "boards": stored_boards(current),
        "byes": stored_byes(current),
        "unpaired": pairing_history.unpaired_entry_ids(current),
        "numbers": dict(current.tournament.entries.values_list("pk", "tpn")),
        "upper": current.tournament.accelerated_players,
    }
