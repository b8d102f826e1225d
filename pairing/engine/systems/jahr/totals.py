"""Jahr's values (Szachy 3/1981, articles 2 to 6, 8 and 9): what every round adds to every player.

Points of the game are half points; everything with auxiliary points in it is in whole hundredths of a point, so
that no value is ever rounded but where article 4 says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from pairing.engine.snapshot import HalfPoints, PairingCard, PairingNumber, Result, RoundRecord, TournamentSnapshot

Hundredths: TypeAlias = int
"""Points counted in hundredths: 361 stands for 3.61."""

BYE: HalfPoints = 1
"""The pairing-allocated bye (article 8): half a point of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JahrRound:
    """One row of a modified start card (article 10): what a round brought, and the values after it.

    `counted` are the total points whose tenth is added: the opponent's when the game began, the player's own in
    the round of his pairing-allocated bye; None where nothing is added (forfeits, byes asked for, absences), and
    then `tenth` is None too. `result` is what the round brought to the game points.
    """

    number: int
    record: RoundRecord
    counted: Hundredths | None
    tenth: Hundredths | None
    result: HalfPoints
    game_points: HalfPoints
    total: Hundredths
    exact: Hundredths

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
    def exact(self) -> Hundredths:
        """E: the opponents' totals themselves, neither divided nor rounded (article 6)."""
        return self.rounds[-1].exact if self.rounds else 0


def jahr_values(snapshot: TournamentSnapshot) -> dict[PairingNumber, JahrValues]:
    """The values of every player of the starting list after the rounds in the snapshot.

    Each round is worked out from the totals before it, so neither the order of the players nor that of the games
    matters, and a corrected result corrects everything after it.
    """
    rows: dict[PairingNumber, list[JahrRound]] = {card.tpn: [] for card in snapshot.cards}
    totals = dict.fromkeys(rows, 0)
    for number in range(1, snapshot.rounds_paired + 1):
        totals_before = dict(totals)
        for card in snapshot.cards:
            row = _round_of(card, number, rows[card.tpn], totals_before)
            rows[card.tpn].append(row)
            totals[card.tpn] = row.total
    return {tpn: JahrValues(tpn=tpn, rounds=tuple(rounds)) for tpn, rounds in rows.items()}


def tenth(points: Hundredths) -> Hundredths:
    """Articles 2 and 4: a tenth, to 0.01; thousandths below five down, above five up, five to the even hundredth."""
    hundredths, thousandths = divmod(points, 10)
    if thousandths == 5:
        return hundredths + hundredths % 2
    return hundredths + (thousandths > 5)


def as_points(value: Hundredths) -> Decimal:
    """Hundredths as points with two decimals."""
    return Decimal(value).scaleb(-2)


def _round_of(
    card: PairingCard, number: int, rows: list[JahrRound], totals_before: Mapping[PairingNumber, Hundredths]
) -> JahrRound:
    """Article 5: the total before, a tenth of the opponent's, and the result."""
    record = card.records[number - 1]
    counted = _counted(card.tpn, record, totals_before)
    added = None if counted is None else tenth(counted)
    result = record.result.half_points(pairing_allocated_bye=BYE)
    before = rows[-1] if rows else None
    return JahrRound(
        number=number,
        record=record,
        counted=counted,
        tenth=added,
        result=result,
        game_points=result + (before.game_points if before else 0),
        total=totals_before[card.tpn] + (added or 0) + 50 * result,
        exact=(counted or 0) + (before.exact if before else 0),
    )


def _counted(
    tpn: PairingNumber, record: RoundRecord, totals_before: Mapping[PairingNumber, Hundredths]
) -> Hundredths | None:
    """Articles 3, 8 and 9: the opponent's total in a played game, the player's own in a bye, nothing in a forfeit."""
    if record.result is Result.PAIRING_ALLOCATED_BYE:
        return totals_before[tpn]
    if record.is_played and record.opponent is not None:
        return totals_before[record.opponent]
    return None
