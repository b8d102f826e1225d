"""Converts reasons between the engine and their JSON columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pairing.engine.paired_round import PairingReason, ReasonFact, ReasonKind


def reasons_to_json(reasons: Iterable[PairingReason]) -> list[dict[str, Any]]:
    """Convert reasons to JSON for `Game.reasons` and `Bye.reasons`: article, kind, players, facts."""
    return [
        {
            "article": reason.article,
            "kind": reason.kind.value,
            "players": list(reason.players),
            "facts": reason_facts_to_json(reason),
        }
        for reason in reasons
    ]


def reasons_from_json(stored: Iterable[dict[str, Any]]) -> tuple[PairingReason, ...]:
    """Convert stored reasons back to the engine's reasons."""
    return tuple(
        PairingReason(
            article=reason["article"],
            kind=ReasonKind(reason["kind"]),
            players=tuple(reason["players"]),
            facts=tuple(sorted((name, _fact(value)) for name, value in reason["facts"].items())),
        )
        for reason in stored
    )


def reason_facts_to_json(reason: PairingReason) -> dict[str, Any]:
    """Convert a reason's facts to JSON. Numbers stay numbers, and several values become a list."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in reason.facts}


def _fact(value: Any) -> ReasonFact:
    return tuple(value) if isinstance(value, list) else value
