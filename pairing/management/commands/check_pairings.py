"""The command `manage.py check_pairings`: see `pairing.cli`."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="check_pairings"):
    """Check pairings."""
