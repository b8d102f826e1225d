"""Jahr's values (Szachy 3/1981, articles 2 to 6, 8 and 9): what each round adds for each player.

Game points are half points. Values with auxiliary points are whole hundredths, so only article 4 rounds them. The exact
value is also in hundredths, unless article 6 is read so that its tenths are never rounded. Then a second account with
enough decimal places is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import NamedTuple, TypeAlias

from pairing.engine.rule_interpretations import EXACT_TOTALS, RULE_INTERPRETATIONS
from pairing.engine.rules.players import PlayerOrder
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
"""Points in hundredths: 361 is 3.61."""

UNROUNDED_TENTHS = RULE_INTERPRETATIONS[EXACT_TOTALS].alternative_value

JAHR_POINT_SYSTEM = PointSystem(pairing_allocated_bye=1)
"""The game points of this method: the pairing-allocated bye scores half a point (article 8)."""

_WORTH = points_by_result(JAHR_POINT_SYSTEM)


class JahrRound(NamedTuple):
    """A row of a modified start card (article 10): what a round added, and the values after it.

    `counted_total` is the total whose tenth is added: the opponent's before the game, or the player's own for a
    pairing-allocated bye. It is None where nothing is added (forfeits, requested byes, absences), and so is
    `added_tenth`. `result` is the round's game points. `exact_value` is in units of ten to the power of
    -`exact_decimals`; `exact_counted` is what the round added to it.
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
        """Auxiliary points so far: the total without the game points."""
        return self.total_points - 50 * self.game_points


@dataclass(frozen=True, slots=True, kw_only=True)
class JahrValues:
    """A player's rounds and values. All values are 0 before round 1."""

    tpn: PairingNumber
    rounds: tuple[JahrRound, ...]

    @property
    def game_points(self) -> HalfPoints:
        """G: points from games, forfeits and byes."""
        return self.rounds[-1].game_points if self.rounds else 0

    @property
    def total_points(self) -> Hundredths:
        """T: game points plus auxiliary points."""
        return self.rounds[-1].total_points if self.rounds else 0

    @property
    def auxiliary_points(self) -> Hundredths:
        """A: the sum of the rounded tenths."""
        return self.rounds[-1].auxiliary_points if self.rounds else 0

    @property
    def exact_value(self) -> int:
        """E: the sum of the opponents' totals, not divided or rounded (article 6), in units of `exact_decimals`."""
        return self.rounds[-1].exact_value if self.rounds else 0

    @property
    def exact_decimals(self) -> int:
        """The decimal places of E: 2, or as many as unrounded tenths need."""
        return self.rounds[-1].exact_decimals if self.rounds else 2

    @property
    def exact_value_in_hundredths(self) -> Hundredths:
        """E rounded to the hundredth, for a card with limited space."""
        return int(Decimal(self.exact_value).scaleb(2 - self.exact_decimals).to_integral_value(ROUND_HALF_EVEN))


def jahr_values(snapshot: TournamentSnapshot) -> dict[PairingNumber, JahrValues]:
    """Return the values of every listed player after the rounds in the snapshot.

    Each round uses the totals before it. So the order of players and games does not matter, and a corrected result
    corrects everything after it.
    """
    rows: dict[PairingNumber, list[JahrRound]] = {card.tpn: [] for card in snapshot.cards}
    for of_round in _rounds(snapshot):
        for tpn, row in of_round.items():
            rows[tpn].append(row)
    return {tpn: JahrValues(tpn=tpn, rounds=tuple(rounds)) for tpn, rounds in rows.items()}


def latest_jahr_values(snapshot: TournamentSnapshot) -> dict[PairingNumber, JahrValues]:
    """Return every player's values with only their latest round, which is enough to order them."""
    latest: Mapping[PairingNumber, JahrRound] = {}
    for of_round in _rounds(snapshot):
        latest = of_round
    return {card.tpn: JahrValues(tpn=card.tpn, rounds=(latest[card.tpn],) if latest else ()) for card in snapshot.cards}


def rounded_tenth(points: Hundredths) -> Hundredths:
    """Round a tenth to 0.01, halves to even (articles 2 and 4)."""
    hundredths, thousandths = divmod(points, 10)
    if thousandths == 5:
        return hundredths + hundredths % 2
    return hundredths + (thousandths > 5)


def to_decimal_points(value: int, decimals: int = 2) -> Decimal:
    """Convert hundredths, or the units of an exact value, to points."""
    return Decimal(value).scaleb(-decimals)


def _rounds(snapshot: TournamentSnapshot) -> Iterator[Mapping[PairingNumber, JahrRound]]:
    """Yield the rows of all players for rounds 1, 2, ...."""
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
    """Add a tenth of the opponent's total and the result to the total before (article 5)."""
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
    """Totals whose tenths are never rounded: everyone's before round 1, 2, ..., and their decimal places."""

    before: Sequence[Mapping[PairingNumber, int]]
    decimals: int


def _unrounded_totals(snapshot: TournamentSnapshot) -> _Unrounded:
    """Return totals by article 5 without article 4, the other interpretation of 6. Each round adds a decimal place."""
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
    """Return the total that counts (articles 3, 8, 9): the opponent's in a played game, the player's own in a bye.

    None in a forfeit.
    """
    if record.result is Result.PAIRING_ALLOCATED_BYE:
        return totals_before[tpn]
    if record.result in PLAYED_RESULTS and record.opponent is not None:
        return totals_before[record.opponent]
    return None


class JahrRank(NamedTuple):
    """A player's sort key: smaller is better, earlier fields count first. Points are stored as negative numbers."""

    game_points: HalfPoints
    total: Hundredths
    exact: int
    tpn: PairingNumber


def jahr_order(snapshot: TournamentSnapshot) -> PlayerOrder:
    """Order the starting list by game points, total points, exact value, then TPN (articles 6 and 7).

    Before round 1 all values are 0, so the TPN decides.
    """
    return jahr_order_from_values(latest_jahr_values(snapshot))


def jahr_order_from_values(values: Mapping[PairingNumber, JahrValues]) -> PlayerOrder:
    """Order the players by values that are already calculated."""
    ranking = sorted(values.values(), key=jahr_rank)
    return PlayerOrder(system="jahr", positions={values.tpn: place for place, values in enumerate(ranking, start=1)})


def jahr_rank(values: JahrValues) -> JahrRank:
    """Return the sort key of article 6."""
    return JahrRank(
        game_points=-values.game_points, total=-values.total_points, exact=-values.exact_value, tpn=values.tpn
    )
