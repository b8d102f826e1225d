"""Jahr's method (Szachy 3/1981): a Swiss procedure whose score groups are ordered by total points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from pairing.engine.paired_round import PairedRound
from pairing.engine.rules.players import PlayerOrder
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems.jahr.point_totals import JAHR_POINT_SYSTEM, jahr_order_from_values, latest_jahr_values
from pairing.engine.systems.jahr.reasons import add_order_reasons

CustomOrderProcedure: TypeAlias = Callable[[TournamentSnapshot, PlayerOrder], PairedRound]
"""A pairing procedure that takes an order of the players in place of their TPNs."""


def pair_next_round(snapshot: TournamentSnapshot, *, procedure: CustomOrderProcedure) -> PairedRound:
    """Pair the next round by the procedure, with Jahr's order inside each score group (article 7).

    The bye scores half a point whatever the snapshot says (article 8). Raises the procedure's own errors.
    """
    snapshot = replace(snapshot, points=JAHR_POINT_SYSTEM)
    values = latest_jahr_values(snapshot)
    order = jahr_order_from_values(values)
    return add_order_reasons(procedure(snapshot, order), order, values, snapshot)
