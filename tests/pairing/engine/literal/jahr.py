"""Ulrich Jahr's method ("Szachy" 3/1981), transcribed literally: ordered by game points, total points and E."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal

from pairing.engine.snapshot import Result, TournamentSnapshot
from tests.pairing.engine.literal import dutch_1992, fide_1989
from tests.pairing.engine.literal.acceleration import fictitious_points
from tests.pairing.engine.literal.facts import Facts, Pairing, is_played, points

BYE_WORTH = 1
"""Art. 8: the bye is half a point."""


@dataclass(frozen=True)
class JahrValues:
    """Game points, total points, and the exact value before rounding."""

    game: Decimal = Decimal(0)
    total: Decimal = Decimal(0)
    exact: Decimal = Decimal(0)
    unrounded: Decimal = field(default=Decimal(0), compare=False)
    """The total if article 4 were not applied: for the other reading of article 6."""


def pair(snapshot: TournamentSnapshot) -> Pairing:
    """The round by Jahr's order, under the rules of 1989 or those of 1992; raises NoLegalRound."""
    facts = Facts(snapshot, fictitious_points(snapshot, BYE_WORTH), BYE_WORTH)
    if snapshot.procedure == "dutch-1992":
        return dutch_1992.Procedure(facts, number=positions(snapshot)).paired_round()
    return fide_1989.Procedure(facts, number=positions(snapshot), maxi=False).paired_round()


def positions(snapshot: TournamentSnapshot) -> dict[int, int]:
    """Art. 6, 7: every player's place in the order G, T, E, TPN, including absent players."""
    value = values(snapshot)
    order = sorted(value, key=lambda tpn: (-value[tpn].game, -value[tpn].total, -value[tpn].exact, tpn))
    return {tpn: place for place, tpn in enumerate(order, start=1)}


def values(snapshot: TournamentSnapshot) -> dict[int, JahrValues]:
    """Every player's values after the recorded rounds, each round from the state before it (art. 3, 5)."""
    before = {card.tpn: JahrValues() for card in snapshot.cards}
    read_otherwise = ("jahr:6", "unrounded") in snapshot.interpretations
    for index in range(snapshot.rounds_paired):
        after = {}
        for card in snapshot.cards:
            record = card.records[index]
            own = before[card.tpn]
            result = Decimal(points(record, BYE_WORTH)) / 2
            source = JahrValues()
            if is_played(record):
                assert record.opponent is not None
                source = before[record.opponent]  # art. 2
            elif record.result is Result.PAIRING_ALLOCATED_BYE:
                source = own  # art. 8
            after[card.tpn] = JahrValues(
                game=own.game + result,
                total=own.total + article_4_tenth(source.total) + result,
                exact=own.exact + (source.unrounded if read_otherwise else source.total),
                unrounded=own.unrounded + source.unrounded / 10 + result,
            )
        before = after
    return before


def article_4_tenth(total: Decimal) -> Decimal:
    """Art. 4: 10 % of a total, to 0.01; exact halves go to the even hundredth."""
    return (total / 10).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)
