"""Jahr's order (Szachy 3/1981, articles 6 and 7): inside a score group, and of the final places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pairing.engine.rules.player_order import PlayerOrder
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.jahr.point_totals import Hundredths, JahrValues, latest_jahr_values


class JahrRank(NamedTuple):
    """A player's place; smaller is better, the earlier field decides. Points stand with a minus sign."""

    game_points: HalfPoints
    total: Hundredths
    exact: int
    tpn: PairingNumber


def jahr_order(snapshot: TournamentSnapshot) -> PlayerOrder:
    """Articles 6 and 7: the whole starting list by game points, total points, exact value; the TPN at the last.

    Before round 1 all values are nought, which leaves the order of the TPNs.
    """
    return jahr_order_from_values(latest_jahr_values(snapshot))


def jahr_order_from_values(values: Mapping[PairingNumber, JahrValues]) -> PlayerOrder:
    """The same, where the values are known."""
    ranking = sorted(values.values(), key=jahr_rank)
    return PlayerOrder(system="jahr", positions={values.tpn: place for place, values in enumerate(ranking, start=1)})


def jahr_rank(values: JahrValues) -> JahrRank:
    """Article 6: what decides a player's place."""
    return JahrRank(
        game_points=-values.game_points, total=-values.total_points, exact=-values.exact_value, tpn=values.tpn
    )
