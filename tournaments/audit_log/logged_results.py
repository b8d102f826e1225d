"""The results and rounds according to an event's log, for checking against the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.audit_log.actions import EventAction

PROPOSAL_ADOPTED_ACTION = "trial pairing adopted"
"""The action (`pairing.log_actions`) by which boards of a published round may have moved with their results."""


@dataclass(slots=True, kw_only=True)
class LoggedResults:
    """The state in the log: `results` by round and board ("" if withdrawn), and whether rounds are `finished`.

    In `rounds_without_moves`, boards were moved before the log recorded where to.
    """

    results: dict[tuple[int, int], str] = field(default_factory=dict)
    finished: dict[int, bool] = field(default_factory=dict)
    rounds_without_moves: set[int] = field(default_factory=set)


def results_from_log(lines: Iterable[Mapping[str, Any]]) -> LoggedResults:
    """Return the final state according to all of an event's log lines in order (`action`, `details`, `round_id`)."""
    told = LoggedResults()
    for line in lines:
        details, this_round = line["details"], line["round_id"]
        if "after" in details and "board" in details:
            told.results[this_round, details["board"]] = details["after"]
        elif line["action"] == EventAction.ROUND_FINISHED.value:
            told.finished[this_round] = True
        elif line["action"] == EventAction.ROUND_REOPENED.value:
            told.finished[this_round] = False
        elif line["action"] == PROPOSAL_ADOPTED_ACTION:
            if "moved" in details:
                _move(told, this_round, dict(details["moved"]))
            else:
                told.rounds_without_moves.add(this_round)
    return told


def _move(told: LoggedResults, this_round: int, moved: Mapping[int, int]) -> None:
    results = {board: told.results.pop((this_round, board), "") for board in moved}
    told.results.update({(this_round, moved[board]): result for board, result in results.items()})
