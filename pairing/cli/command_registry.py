"""The commands on event files. Each is imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairing.cli.command import CliCommand

COMMAND_NAMES = ("check_pairings", "conformance", "pair", "simulate", "standings")


def load_command(name: str) -> CliCommand:
    """Import one of `COMMAND_NAMES`."""
    found: CliCommand = import_module(f"pairing.cli.{name}").COMMAND
    return found
