"""`manage.py simulate`, through the framework."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="simulate"):
    """Without a word of its own."""
