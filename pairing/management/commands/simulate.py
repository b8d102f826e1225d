"""`manage.py simulate`: see `pairing.commandline.simulate`."""

from __future__ import annotations

from pairing.management.engine_command import EngineCommand


class Command(EngineCommand, name="simulate"):
    """Without a word of its own."""
