"""`manage.py conformance`, through the framework."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="conformance"):
    """Without a word of its own."""
