"""Jahr's order (Szachy 3/1981, articles 6 and 7), inside score groups and for the final places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pairing.engine.rules.player_order import PlayerOrder
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.jahr.point_totals import Hundredths, JahrValues, latest_jahr_values


class JahrRank(NamedTuple):
    """A player's sort key: smaller is better, earlier fields decide. Points are negative."""

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
    """Order the players by values already known."""
    ranking = sorted(values.values(), key=jahr_rank)
    return PlayerOrder(system="jahr", positions={values.tpn: place for place, values in enumerate(ranking, start=1)})


def jahr_rank(values: JahrValues) -> JahrRank:
    """Return the sort key of article 6."""
    return JahrRank(
        game_points=-values.game_points, total=-values.total_points, exact=-values.exact_value, tpn=values.tpn
    )
