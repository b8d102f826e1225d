"""The Dubov Swiss system of 1997: see README.md."""

from pairing.engine.systems.dubov_1997.averages import average_ratings, mixed_number, to_one_decimal
from pairing.engine.systems.dubov_1997.system import pair

__all__ = ["average_ratings", "mixed_number", "pair", "to_one_decimal"]
