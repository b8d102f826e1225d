"""Round robin by the Berger tables: see README.md."""

from pairing.engine.systems.round_robin.berger_tables import BergerRow, round_robin_schedule
from pairing.engine.systems.round_robin.withdrawals import without_annulled_games

__all__ = ["BergerRow", "round_robin_schedule", "without_annulled_games"]
