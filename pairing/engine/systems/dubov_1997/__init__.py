"""The Dubov Swiss system of 1997: see README.md."""

from pairing.engine.systems.dubov_1997.players import (
    average_opponent_ratings,
    format_mixed_number,
    round_to_one_decimal,
)
from pairing.engine.systems.dubov_1997.system import pair_next_round

__all__ = ["average_opponent_ratings", "format_mixed_number", "pair_next_round", "round_to_one_decimal"]
