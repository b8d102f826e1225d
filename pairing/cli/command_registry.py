"""Which commands on event files there are; each is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairing.cli.command import CliCommand

COMMAND_NAMES = ("check_pairings", "conformance", "pair", "simulate", "standings")


def load_command(name: str) -> CliCommand:
    """One of `COMMAND_NAMES`, imported when it is asked for."""
    found: CliCommand = import_module(f"pairing.cli.{name}").COMMAND
    return found
