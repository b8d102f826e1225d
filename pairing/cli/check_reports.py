"""What `check_pairings` says of a round, in words and as JSON, and with what status it ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pairing.engine.checker import RoundCheck, SeatedPair, Verdict
from pairing.engine.legality import Breach, BreachKind

DIFFERENT = 1
"""Exit status: a round is not what the rules give, but legal."""
ILLEGAL = 3
"""Exit status: a round breaks an article that no pairing may break."""

_STATUS = {Verdict.AGREES: 0, Verdict.DIFFERS: DIFFERENT, Verdict.ILLEGAL: ILLEGAL}

_SAYS = {
    BreachKind.MET: "{0} and {1} had met in round {round}",
    BreachKind.FORBIDDEN: "a rule of the event keeps {0} and {1} apart",
    BreachKind.SAME_ABSOLUTE_COLOUR: "{0} and {1} both had to have the same colour",
    BreachKind.WRONG_COLOUR: "{0} had to have the other colour",
    BreachKind.BYE_BARRED: "{0} may not have the bye after round {round}",
}


def status_of(checks: Sequence[RoundCheck]) -> int:
    """The worst of several rounds, as an exit status."""
    return max((_STATUS[check.verdict] for check in checks), default=0)


def as_text(check: RoundCheck) -> str:
    """A verdict in one line: `differs: file 2-3 4-1; rebuilt 1-2 3-4`. Pairs are WHITE-BLACK; a bye is TPN-0."""
    parts = []
    if check.breaches:
        parts.append(", ".join(f"{breach.article} ({_says(breach)})" for breach in check.breaches))
    if not check.agrees:
        parts.append(f"file {_pairs(check.only_made)}")
        lost = f"no legal round, {check.impossible}"
        parts.append(f"rebuilt: {lost}" if check.impossible else f"rebuilt {_pairs(check.only_rebuilt)}")
    return f"{check.verdict}: {'; '.join(parts)}" if parts else str(check.verdict)


def as_json(path: str, system: str, checks: Sequence[RoundCheck]) -> str:
    """A file's rounds as one JSON object in one line."""
    told = {"file": path, "system": system, "rounds": [_round(check) for check in checks]}
    return json.dumps(told, ensure_ascii=False) + "\n"


def _round(check: RoundCheck) -> dict[str, Any]:
    return {
        "round": check.round_number,
        "verdict": str(check.verdict),
        "file": [list(pair) for pair in check.only_made],
        "rebuilt": [list(pair) for pair in check.only_rebuilt],
        "impossible": check.impossible or None,
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


def _says(breach: Breach) -> str:
    if breach.kind is BreachKind.SEVERAL_BYES:
        return f"{' and '.join(map(str, breach.players))} all had the bye"
    return _SAYS[breach.kind].format(*breach.players, round=breach.round_number)


def _pairs(pairs: tuple[SeatedPair, ...]) -> str:
    return " ".join(f"{white}-{black}" for white, black in pairs) or "nothing"
