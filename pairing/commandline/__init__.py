"""The commands on event files: pure functions over files and the engine, which start without the web framework.

Two doors lead to them: `pairing.commandline.alone` (`./clubnight`, and `manage.py` before it imports Django) and
Django's own commands in `pairing/management/commands`, which list them in `manage.py help` and take calls from code.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairing.commandline.command import Command

NAMES = ("check_pairings", "pair", "simulate", "standings")


def named(name: str) -> Command:
    """One of `NAMES`, imported when it is asked for."""
    found: Command = import_module(f"pairing.commandline.{name}").COMMAND
    return found
