"""`manage.py check_pairings`, through the framework."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="check_pairings"):
    """Without a word of its own."""
