"""Runs commands without the web framework: the engine only needs Python and starts much faster."""

from __future__ import annotations

import gc
import os
import sys
from argparse import SUPPRESS, ArgumentParser, HelpFormatter
from collections.abc import Callable, Sequence
from typing import NoReturn

from pairing.cli.command import NOT_INSTALLED_STATUS, CommandConsole, CommandFailed, ReasonFormatter
from pairing.cli.command_registry import COMMAND_NAMES, load_command

BROKEN_PIPE_STATUS = 141
"""Exit status: the reader (`head`, a pager) has closed the pipe; 128 and the number of the signal, as in a shell."""
COLLECTION_THRESHOLD = 100_000
"""How many new objects before Python's garbage collector looks for cycles; the engine makes none."""


def run_command_line(arguments: Sequence[str]) -> int:
    """Run the command in the arguments (program, command, its arguments), and return the exit status."""
    program, *rest = arguments
    parser = ArgumentParser(prog=os.path.basename(program), description="Pair Swiss events from their report files.")
    parser.add_argument("command", choices=COMMAND_NAMES)
    return run_command(program, parser.parse_args(rest[:1]).command, rest[1:])


def run_command(
    program: str,
    name: str,
    arguments: Sequence[str],
    *,
    load_sentences: Callable[[], ReasonFormatter] | None = None,
) -> int:
    """Run one command, as `PROGRAM NAME ARGUMENTS`, and return the exit status."""
    gc.set_threshold(COLLECTION_THRESHOLD, 50, 100)
    wanted = load_command(name)
    parser = ArgumentParser(
        prog=f"{os.path.basename(program)} {name}", description=wanted.help, formatter_class=_formatter
    )
    wanted.add_arguments(parser)
    _accept_the_frameworks(parser)
    options = vars(parser.parse_args(arguments))
    console = CommandConsole(sys.stdout.write, sys.stdout.flush, _complain, load_sentences or _sentences)
    try:
        wanted.run(options, console)
        sys.stdout.flush()
    except CommandFailed as failed:
        _complain(f"CommandError: {failed.message}")
        return failed.status
    except BrokenPipeError:
        # Stop Python from trying to write the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE_STATUS
    return 0


def exit_immediately(status: int) -> NoReturn:
    """End the process at once. Freeing the engine's memory would take a tenth of the run time for a small file."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _formatter(prog: str) -> HelpFormatter:
    """Return argparse's formatter without the imports that find the terminal's width."""
    columns = os.environ.get("COLUMNS", "")
    try:
        width = int(columns) if columns.isdecimal() and int(columns) else os.get_terminal_size().columns
    except OSError:
        width = 80
    return HelpFormatter(prog, width=width - 2)


def _accept_the_frameworks(parser: ArgumentParser) -> None:
    """Accept options that all of the framework's commands take. They have no effect here."""
    parser.add_argument("-v", "--verbosity", type=int, choices=range(4), help=SUPPRESS)
    for option in ("--settings", "--pythonpath"):
        parser.add_argument(option, help=SUPPRESS)
    for option in ("--traceback", "--no-color", "--force-color", "--skip-checks"):
        parser.add_argument(option, action="store_true", help=SUPPRESS)


def _complain(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _sentences() -> ReasonFormatter:
    """Start the framework after all, which the sentences need."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        import django
    except ImportError as error:
        raise CommandFailed(
            "--explain needs all of Clubnight, which this Python doesn't have. After ./dev setup, run "
            "`.venv/bin/python clubnight pair ...`",
            NOT_INSTALLED_STATUS,
        ) from error
    django.setup()
    from pairing.explanations.reason_sentences import reason_sentence

    return reason_sentence
