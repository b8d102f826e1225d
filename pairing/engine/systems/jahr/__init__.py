"""Jahr's method: see README.md."""

from pairing.engine.systems.jahr.point_totals import JahrRound, JahrValues, jahr_order, jahr_values, to_decimal_points
from pairing.engine.systems.jahr.system import pair_next_round

__all__ = ["JahrRound", "JahrValues", "jahr_order", "jahr_values", "pair_next_round", "to_decimal_points"]
