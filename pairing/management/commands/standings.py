"""The command `manage.py standings`: see `pairing.cli.standings`."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="standings"):
    """Print standings."""
