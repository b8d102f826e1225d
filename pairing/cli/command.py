"""Commands: their definition, output and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from pairing.engine.paired_round import PairingReason
    from pairing.engine.snapshot import PairingNumber

UNREADABLE_FILE_STATUS = 2
"""Exit status: the file or the request is not valid."""
NOT_INSTALLED_STATUS = 1
"""Exit status: the request needs parts of Clubnight that are not installed."""
NO_LEGAL_ROUND_STATUS = 3
"""Exit status: no legal round exists."""

ReasonFormatter: TypeAlias = "Callable[[PairingReason, dict[PairingNumber, str]], str]"
"""Formats a reason in words."""


class CommandFailed(Exception):
    """Raised to end a command with a message on standard error and an exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class CommandConsole(NamedTuple):
    """A command's output: text on standard output, lines on standard error, and reasons as sentences.

    `load_reason_formatter` is called only if reasons are wanted in words. It needs the web part and may raise
    CommandFailed.
    """

    write: Callable[[str], object]
    flush: Callable[[], object]
    write_error_line: Callable[[str], object]
    load_reason_formatter: Callable[[], ReasonFormatter]


class CliCommand(NamedTuple):
    """A command: its summary, its arguments, and the function to call with the parsed options."""

    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[dict[str, Any], CommandConsole], None]
