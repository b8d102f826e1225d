"""Round robin by the Berger tables: see README.md."""

from pairing.engine.systems.round_robin.system import (
    BergerRow,
    annulled_players,
    round_robin_schedule,
    without_annulled_games,
)

__all__ = ["BergerRow", "annulled_players", "round_robin_schedule", "without_annulled_games"]
