"""What a command is, what it may say, and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from pairing.engine.paired_round import PairingReason
    from pairing.engine.snapshot import PairingNumber

UNREADABLE_FILE_STATUS = 2
"""Exit status: the file, or what is asked of it, cannot be understood."""
NOT_INSTALLED_STATUS = 1
"""Exit status: what is asked needs more of Clubnight than this Python has."""
NO_LEGAL_ROUND_STATUS = 3
"""Exit status: no legal round exists."""

ReasonFormatter: TypeAlias = "Callable[[PairingReason, dict[PairingNumber, str]], str]"
"""A reason in words."""


class CommandFailed(Exception):
    """A command ends with a message on standard error and an exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class CommandConsole(NamedTuple):
    """Where a command speaks: text on standard output, lines on standard error, and the sentences for reasons.

    `load_reason_formatter` is called only where reasons are wanted in words, which the web part has; it may raise
    CommandFailed.
    """

    write: Callable[[str], object]
    flush: Callable[[], object]
    write_error_line: Callable[[str], object]
    load_reason_formatter: Callable[[], ReasonFormatter]


class CliCommand(NamedTuple):
    """A command: what it does in a sentence, its arguments, and the work, by the options as argparse read them."""

    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[dict[str, Any], CommandConsole], None]
