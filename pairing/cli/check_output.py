"""The output of `check_pairings` for a round, as text and JSON, and its exit status."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pairing.engine.legality import RuleBreach, RuleBreachKind
from pairing.engine.pairing_checker import RoundCheck, RoundVerdict, SeatedPair

DIFFERENT_ROUND_STATUS = 1
"""Exit status: a round is legal but not what the rules give."""
ILLEGAL_ROUND_STATUS = 3
"""Exit status: a round breaks an article that no pairing may break."""

_STATUS = {
    RoundVerdict.AGREES: 0,
    RoundVerdict.DIFFERS: DIFFERENT_ROUND_STATUS,
    RoundVerdict.ILLEGAL: ILLEGAL_ROUND_STATUS,
}

_SAYS = {
    RuleBreachKind.MET: "{0} and {1} already met in round {round}",
    RuleBreachKind.FORBIDDEN: "a rule of the event keeps {0} and {1} apart",
    RuleBreachKind.SAME_ABSOLUTE_COLOUR: "{0} and {1} both had to have the same colour",
    RuleBreachKind.WRONG_COLOUR: "{0} had to have the other colour",
    RuleBreachKind.BYE_BARRED: "{0} can't have the bye after round {round}",
}


def exit_status_of_checks(checks: Sequence[RoundCheck]) -> int:
    """Return the worst exit status of several rounds."""
    return max((_STATUS[check.verdict] for check in checks), default=0)


def format_check_as_text(check: RoundCheck) -> str:
    """A verdict in one line: `differs: file 2-3 4-1; rebuilt 1-2 3-4`. Pairs are WHITE-BLACK; a bye is TPN-0."""
    parts = []
    if check.breaches:
        parts.append(", ".join(f"{breach.article} ({_says(breach)})" for breach in check.breaches))
    if not check.is_identical:
        parts.append(f"file {_pairs(check.only_actual)}")
        lost = f"no legal pairing, {check.impossible_reason}"
        parts.append(f"rebuilt: {lost}" if check.impossible_reason else f"rebuilt {_pairs(check.only_expected)}")
    return f"{check.verdict}: {'; '.join(parts)}" if parts else str(check.verdict)


def format_checks_as_json(path: str, system: str, checks: Sequence[RoundCheck]) -> str:
    """Format a file's rounds as one JSON object on one line."""
    told = {"file": path, "system": system, "rounds": [_round(check) for check in checks]}
    return json.dumps(told, ensure_ascii=False) + "\n"


def _round(check: RoundCheck) -> dict[str, Any]:
    return {
        "round": check.round_number,
        "verdict": str(check.verdict),
        "file": [list(pair) for pair in check.only_actual],
        "rebuilt": [list(pair) for pair in check.only_expected],
        "impossible": check.impossible_reason or None,
        "breaches": [
            {
                "article": breach.article,
                "kind": str(breach.kind),
                "players": list(breach.players),
                "round": breach.round_number,
            }
            for breach in check.breaches
        ],
    }


def _says(breach: RuleBreach) -> str:
    if breach.kind is RuleBreachKind.SEVERAL_BYES:
        return f"{' and '.join(map(str, breach.players))} all had the bye"
    return _SAYS[breach.kind].format(*breach.players, round=breach.round_number)


def _pairs(pairs: tuple[SeatedPair, ...]) -> str:
    return " ".join(f"{white}-{black}" for white, black in pairs) or "nothing"
