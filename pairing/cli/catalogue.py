"""Which commands on event files there are; each is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairing.cli.command import Command

NAMES = ("check_pairings", "conformance", "pair", "simulate", "standings")


def named(name: str) -> Command:
    """One of `NAMES`, imported when it is asked for."""
    found: Command = import_module(f"pairing.cli.{name}").COMMAND
    return found
