"""Jahr's values (Szachy 3/1981, articles 2 to 6, 8 and 9): what every round adds to every player.

Points of the game are half points; everything with auxiliary points in it is in whole hundredths of a point, so
that no value is ever rounded but where article 4 says so. The exact value is in hundredths, too, unless article 6 is
read so that tenths are never rounded for it: then in the units of a second account that holds all their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import NamedTuple, TypeAlias

from pairing.engine.rule_interpretations import EXACT_TOTALS, RULE_INTERPRETATIONS
from pairing.engine.snapshot import (
    PLAYED_RESULTS,
    HalfPoints,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
    points_by_result,
)

Hundredths: TypeAlias = int
"""Points counted in hundredths: 361 stands for 3.61."""

UNROUNDED_TENTHS = RULE_INTERPRETATIONS[EXACT_TOTALS].alternative_value

JAHR_POINT_SYSTEM = PointSystem(pairing_allocated_bye=1)
"""The points of the game, as the method counts them: the pairing-allocated bye is half a point (article 8)."""

_WORTH = points_by_result(JAHR_POINT_SYSTEM)


class JahrRound(NamedTuple):
    """One row of a modified start card (article 10): what a round brought, and the values after it.

    `counted` are the total points whose tenth is added: the opponent's when the game began, the player's own in
    the round of his pairing-allocated bye; None where nothing is added (forfeits, byes asked for, absences), and
    then `rounded_tenth` is None too. `result` is what the round brought to the game points. `exact_value` counts in
    units of ten to the power of -`decimals`, and `exact_counted` is what the round added to it.
    """

    number: int
    record: RoundRecord
    counted_total: Hundredths | None
    added_tenth: Hundredths | None
    result: HalfPoints
    game_points: HalfPoints
    total_points: Hundredths
    exact_value: int
    exact_counted: int
    exact_decimals: int = 2

    @property
    def auxiliary_points(self) -> Hundredths:
        """Auxiliary points so far: the total without the points of the games."""
        return self.total_points - 50 * self.game_points


@dataclass(frozen=True, slots=True, kw_only=True)
class JahrValues:
    """A player's rounds and where they have brought him; all values are 0 before round 1."""

    tpn: PairingNumber
    rounds: tuple[JahrRound, ...]

    @property
    def game_points(self) -> HalfPoints:
        """G: what games, forfeits and byes brought."""
        return self.rounds[-1].game_points if self.rounds else 0

    @property
    def total_points(self) -> Hundredths:
        """T: game points and auxiliary points."""
        return self.rounds[-1].total_points if self.rounds else 0

    @property
    def auxiliary_points(self) -> Hundredths:
        """A: the rounded tenths."""
        return self.rounds[-1].auxiliary_points if self.rounds else 0

    @property
    def exact_value(self) -> int:
        """E: the opponents' totals themselves, neither divided nor rounded (article 6), in units of `decimals`."""
        return self.rounds[-1].exact_value if self.rounds else 0

    @property
    def exact_decimals(self) -> int:
        """How many places E has: 2, or all that tenths never rounded need."""
        return self.rounds[-1].exact_decimals if self.rounds else 2

    @property
    def exact_value_in_hundredths(self) -> Hundredths:
        """E to the hundredth, for a card with no room for more."""
        return int(Decimal(self.exact_value).scaleb(2 - self.exact_decimals).to_integral_value(ROUND_HALF_EVEN))


def jahr_values(snapshot: TournamentSnapshot) -> dict[PairingNumber, JahrValues]:
    """The values of every player of the starting list after the rounds in the snapshot.

    Each round is worked out from the totals before it, so neither the order of the players nor that of the games
    matters, and a corrected result corrects everything after it.
    """
    rows: dict[PairingNumber, list[JahrRound]] = {card.tpn: [] for card in snapshot.cards}
    for of_round in _rounds(snapshot):
        for tpn, row in of_round.items():
            rows[tpn].append(row)
    return {tpn: JahrValues(tpn=tpn, rounds=tuple(rounds)) for tpn, rounds in rows.items()}


def latest_jahr_values(snapshot: TournamentSnapshot) -> dict[PairingNumber, JahrValues]:
    """The same, each with his latest round alone: all that an order of the players asks for."""
    latest: Mapping[PairingNumber, JahrRound] = {}
    for of_round in _rounds(snapshot):
        latest = of_round
    return {card.tpn: JahrValues(tpn=card.tpn, rounds=(latest[card.tpn],) if latest else ()) for card in snapshot.cards}


def rounded_tenth(points: Hundredths) -> Hundredths:
    """Articles 2 and 4: a tenth, to 0.01; thousandths below five down, above five up, five to the even hundredth."""
    hundredths, thousandths = divmod(points, 10)
    if thousandths == 5:
        return hundredths + hundredths % 2
    return hundredths + (thousandths > 5)


def to_decimal_points(value: int, decimals: int = 2) -> Decimal:
    """Hundredths, or the units of an exact value, as points with so many decimals."""
    return Decimal(value).scaleb(-decimals)


def _rounds(snapshot: TournamentSnapshot) -> Iterator[Mapping[PairingNumber, JahrRound]]:
    """What round 1, 2, ... brought every player."""
    unrounded = (
        _unrounded_totals(snapshot) if snapshot.chosen_interpretation(EXACT_TOTALS) == UNROUNDED_TENTHS else None
    )
    latest: dict[PairingNumber, JahrRound] = {}
    totals = {card.tpn: 0 for card in snapshot.cards}
    for number in range(1, snapshot.rounds_paired + 1):
        latest = {card.tpn: _round_of(card, number, latest.get(card.tpn), totals, unrounded) for card in snapshot.cards}
        totals = {tpn: row.total_points for tpn, row in latest.items()}
        yield latest


def _round_of(
    card: PairingCard,
    number: int,
    before: JahrRound | None,
    totals_before: Mapping[PairingNumber, Hundredths],
    unrounded: _Unrounded | None,
) -> JahrRound:
    """Article 5: the total before, a tenth of the opponent's, and the result."""
    record = card.records[number - 1]
    counted = _counted(card.tpn, record, totals_before)
    added = None if counted is None else rounded_tenth(counted)
    result = _WORTH[record.result]
    exact_counted = counted or 0
    if unrounded and counted is not None:
        exact_counted = _counted(card.tpn, record, unrounded.before[number - 1]) or 0
    return JahrRound(
        number=number,
        record=record,
        counted_total=counted,
        added_tenth=added,
        result=result,
        game_points=result + (before.game_points if before else 0),
        total_points=totals_before[card.tpn] + (added or 0) + 50 * result,
        exact_value=exact_counted + (before.exact_value if before else 0),
        exact_counted=exact_counted,
        exact_decimals=unrounded.decimals if unrounded else 2,
    )


class _Unrounded(NamedTuple):
    """A second account whose tenths are never rounded: everyone's total before round 1, 2, ..., with its places."""

    before: Sequence[Mapping[PairingNumber, int]]
    decimals: int


def _unrounded_totals(snapshot: TournamentSnapshot) -> _Unrounded:
    """6, read otherwise: totals as article 5 makes them, without article 4. Every round adds one place."""
    decimals = snapshot.rounds_paired + 2
    half = 5 * 10 ** (decimals - 1)
    totals = {card.tpn: 0 for card in snapshot.cards}
    before = [totals]
    for index in range(snapshot.rounds_paired):
        totals = {
            card.tpn: totals[card.tpn]
            + (_counted(card.tpn, card.records[index], totals) or 0) // 10
            + half * _WORTH[card.records[index].result]
            for card in snapshot.cards
        }
        before.append(totals)
    return _Unrounded(before, decimals)


def _counted(
    tpn: PairingNumber, record: RoundRecord, totals_before: Mapping[PairingNumber, Hundredths]
) -> Hundredths | None:
    """Articles 3, 8 and 9: the opponent's total in a played game, the player's own in a bye, nothing in a forfeit."""
    if record.result is Result.PAIRING_ALLOCATED_BYE:
        return totals_before[tpn]
    if record.result in PLAYED_RESULTS and record.opponent is not None:
        return totals_before[record.opponent]
    return None
