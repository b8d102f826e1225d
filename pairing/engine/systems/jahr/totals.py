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

from pairing.engine.readings import EXACT, READINGS
from pairing.engine.snapshot import (
    PLAYED,
    HalfPoints,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
    worth_of,
)

Hundredths: TypeAlias = int
"""Points counted in hundredths: 361 stands for 3.61."""

UNROUNDED = READINGS[EXACT].other

POINTS = PointSystem(pairing_allocated_bye=1)
"""The points of the game, as the method counts them: the pairing-allocated bye is half a point (article 8)."""

_WORTH = worth_of(POINTS)


class JahrRound(NamedTuple):
    """One row of a modified start card (article 10): what a round brought, and the values after it.

    `counted` are the total points whose tenth is added: the opponent's when the game began, the player's own in
    the round of his pairing-allocated bye; None where nothing is added (forfeits, byes asked for, absences), and
    then `tenth` is None too. `result` is what the round brought to the game points. `exact` counts in units of ten to
    the power of -`decimals`, and `exact_counted` is what the round added to it.
    """

    number: int
    record: RoundRecord
    counted: Hundredths | None
    tenth: Hundredths | None
    result: HalfPoints
    game_points: HalfPoints
    total: Hundredths
    exact: int
    exact_counted: int
    decimals: int = 2

    @property
    def auxiliary(self) -> Hundredths:
        """Auxiliary points so far: the total without the points of the games."""
        return self.total - 50 * self.game_points


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
    def total(self) -> Hundredths:
        """T: game points and auxiliary points."""
        return self.rounds[-1].total if self.rounds else 0

    @property
    def auxiliary(self) -> Hundredths:
        """A: the rounded tenths."""
        return self.rounds[-1].auxiliary if self.rounds else 0

    @property
    def exact(self) -> int:
        """E: the opponents' totals themselves, neither divided nor rounded (article 6), in units of `decimals`."""
        return self.rounds[-1].exact if self.rounds else 0

    @property
    def decimals(self) -> int:
        """How many places E has: 2, or all that tenths never rounded need."""
        return self.rounds[-1].decimals if self.rounds else 2

    @property
    def exact_hundredths(self) -> Hundredths:
        """E to the hundredth, for a card with no room for more."""
        return int(Decimal(self.exact).scaleb(2 - self.decimals).to_integral_value(ROUND_HALF_EVEN))


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


def latest_values(snapshot: TournamentSnapshot) -> dict[PairingNumber, JahrValues]:
    """The same, each with his latest round alone: all that an order of the players asks for."""
    latest: Mapping[PairingNumber, JahrRound] = {}
    for of_round in _rounds(snapshot):
        latest = of_round
    return {card.tpn: JahrValues(tpn=card.tpn, rounds=(latest[card.tpn],) if latest else ()) for card in snapshot.cards}


def tenth(points: Hundredths) -> Hundredths:
    """Articles 2 and 4: a tenth, to 0.01; thousandths below five down, above five up, five to the even hundredth."""
    hundredths, thousandths = divmod(points, 10)
    if thousandths == 5:
        return hundredths + hundredths % 2
    return hundredths + (thousandths > 5)


def as_points(value: int, decimals: int = 2) -> Decimal:
    """Hundredths, or the units of an exact value, as points with so many decimals."""
    return Decimal(value).scaleb(-decimals)


def _rounds(snapshot: TournamentSnapshot) -> Iterator[Mapping[PairingNumber, JahrRound]]:
    """What round 1, 2, ... brought every player."""
    unrounded = _unrounded_totals(snapshot) if snapshot.reading(EXACT) == UNROUNDED else None
    latest: dict[PairingNumber, JahrRound] = {}
    totals = {card.tpn: 0 for card in snapshot.cards}
    for number in range(1, snapshot.rounds_paired + 1):
        latest = {card.tpn: _round_of(card, number, latest.get(card.tpn), totals, unrounded) for card in snapshot.cards}
        totals = {tpn: row.total for tpn, row in latest.items()}
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
    added = None if counted is None else tenth(counted)
    result = _WORTH[record.result]
    exact_counted = counted or 0
    if unrounded and counted is not None:
        exact_counted = _counted(card.tpn, record, unrounded.before[number - 1]) or 0
    return JahrRound(
        number=number,
        record=record,
        counted=counted,
        tenth=added,
        result=result,
        game_points=result + (before.game_points if before else 0),
        total=totals_before[card.tpn] + (added or 0) + 50 * result,
        exact=exact_counted + (before.exact if before else 0),
        exact_counted=exact_counted,
        decimals=unrounded.decimals if unrounded else 2,
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
    if record.result in PLAYED and record.opponent is not None:
        return totals_before[record.opponent]
    return None
