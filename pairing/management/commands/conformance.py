"""The command `manage.py conformance`: see `pairing.cli`."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="conformance"):
    """Check conformance."""
