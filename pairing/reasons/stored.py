"""Reasons between the engine and the JSON columns that keep them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pairing.engine.paired_round import Reason, ReasonKind


def reasons_to_json(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Reasons as stored in `Game.reasons` and `Bye.reasons`: article, kind, players, facts."""
    return [
        {
            "article": reason.article,
            "kind": reason.kind.value,
            "players": list(reason.players),
            "facts": dict(reason.facts),
        }
        for reason in reasons
    ]


def reasons_from_json(stored: Iterable[dict[str, Any]]) -> tuple[Reason, ...]:
    """Stored reasons as the engine gave them."""
    return tuple(
        Reason(
            article=reason["article"],
            kind=ReasonKind(reason["kind"]),
            players=tuple(reason["players"]),
            facts=tuple(sorted(reason["facts"].items())),
        )
        for reason in stored
    )
