"""Jahr's method, and progressive acceleration, with an article broken."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.conformance.mutant import Mutant
from tests.pairing.engine.literal import acceleration, facts, jahr


def _tenth_half_up(total: Decimal) -> Decimal:
    return (total / 10).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


_values = jahr.values


def _without_exact(snapshot: TournamentSnapshot) -> Any:
    values = _values(snapshot)
    return {tpn: jahr.JahrValues(game=one.game, total=one.total) for tpn, one in values.items()}


def _by_number(snapshot: TournamentSnapshot) -> dict[int, int]:
    return {card.tpn: card.tpn for card in snapshot.cards}


def _played_or_forfeit(record: Any) -> bool:
    return facts.is_played(record) or (record.opponent is not None and record.result.value in "+-")


OF_JAHR = (
    Mutant("jahr", "2", ((jahr, "article_4_tenth", lambda total: Decimal(0)),)),
    Mutant("jahr", "4", ((jahr, "article_4_tenth", _tenth_half_up),)),
    Mutant("jahr", "6", ((jahr, "values", _without_exact),)),
    Mutant("jahr", "7", ((jahr, "positions", _by_number),)),
    Mutant("jahr", "8", ((jahr, "BYE_WORTH", 2),)),
    Mutant("jahr", "9", ((jahr, "is_played", _played_or_forfeit),)),
)


def _shifted(**change: int) -> Callable[..., Any]:
    plain = acceleration.progressive

    def progressive(snapshot: TournamentSnapshot, card: Any, round_number: int, worth: int) -> int:
        rounds = snapshot.rounds_announced or 0
        if "end" in change and round_number >= rounds - 1:
            earlier = max(1, rounds - 2)
            return int(plain(snapshot, card, min(round_number, earlier), worth))
        found = int(plain(snapshot, card, round_number, worth))
        return change.get(str(found), found) if "end" not in change else found

    return progressive


OF_PROGRESSIVE = (
    Mutant("dutch-1992", "group A", ((acceleration, "progressive", _shifted(**{"4": 2})),), "", "progressive"),
    Mutant("dutch-1992", "group B", ((acceleration, "progressive", _shifted(**{"2": 0})),), "", "progressive"),
    Mutant(
        "dutch-1992", "half points", ((acceleration, "progressive", _shifted(**{"1": 0, "3": 2})),), "", "progressive"
    ),
    Mutant("dutch-1992", "the end", ((acceleration, "progressive", _shifted(end=1)),), "", "progressive"),
)
