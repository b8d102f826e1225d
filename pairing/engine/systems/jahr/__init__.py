"""Jahr's method: see README.md."""

from pairing.engine.systems.jahr.order import jahr_order
from pairing.engine.systems.jahr.system import pair
from pairing.engine.systems.jahr.totals import JahrRound, JahrValues, as_points, jahr_values

__all__ = ["JahrRound", "JahrValues", "as_points", "jahr_order", "jahr_values", "pair"]
