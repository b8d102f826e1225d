"""Round robin by the Berger tables: see README.md."""

from pairing.engine.systems.round_robin.standing import without_annulled
from pairing.engine.systems.round_robin.tables import Row, schedule

__all__ = ["Row", "schedule", "without_annulled"]
