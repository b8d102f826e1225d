"""Jahr's order (Szachy 3/1981, articles 6 and 7): inside a score group, and of the final places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pairing.engine.rules.order import Order
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.jahr.totals import Hundredths, JahrValues, latest_values


class JahrRank(NamedTuple):
    """A player's place; smaller is better, the earlier field decides. Points stand with a minus sign."""

    game_points: HalfPoints
    total: Hundredths
    exact: int
    tpn: PairingNumber


def jahr_order(snapshot: TournamentSnapshot) -> Order:
    """Articles 6 and 7: the whole starting list by game points, total points, exact value; the TPN at the last.

    Before round 1 all values are nought, which leaves the order of the TPNs.
    """
    return order_of(latest_values(snapshot))


def order_of(values: Mapping[PairingNumber, JahrValues]) -> Order:
    """The same, where the values are known."""
    ranking = sorted(values.values(), key=jahr_rank)
    return Order(system="jahr", positions={values.tpn: place for place, values in enumerate(ranking, start=1)})


def jahr_rank(values: JahrValues) -> JahrRank:
    """Article 6: what decides a player's place."""
    return JahrRank(game_points=-values.game_points, total=-values.total, exact=-values.exact, tpn=values.tpn)
