"""The command `manage.py pair`: see `pairing.cli`."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="pair"):
    """Pair a round."""
