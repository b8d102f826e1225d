"""Jahr's method (Szachy 3/1981): a Swiss procedure whose score groups are ordered by total points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from pairing.engine.paired_round import PairedRound
from pairing.engine.rules.order import Order
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems.jahr.explaining import with_order
from pairing.engine.systems.jahr.order import order_of
from pairing.engine.systems.jahr.totals import POINTS, latest_values

Procedure: TypeAlias = Callable[[TournamentSnapshot, Order], PairedRound]
"""A pairing procedure that takes an order of the players in place of their TPNs."""


def pair(snapshot: TournamentSnapshot, *, procedure: Procedure) -> PairedRound:
    """Article 7: the procedure is not changed, only the order it finds inside each score group.

    The bye counts half a point whatever the snapshot says (article 8). Raises what the procedure raises.
    """
    snapshot = replace(snapshot, points=POINTS)
    values = latest_values(snapshot)
    order = order_of(values)
    return with_order(procedure(snapshot, order), order, values, snapshot)
