"""What the commands on event files share: their options, reading a file, and ending with the right status."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser, OutputWrapper

from pairing.engine.acceleration import ACCELERATIONS
from pairing.engine.acceleration.progressive import USUAL_LIMITS, LimitsDoNotFit, group_sizes, nearest_limits
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot
from pairing.engine.systems import ORDERED_PROCEDURES, SYSTEMS
from pairing.engine.trf import TrfError, TrfFile, read_trf, to_snapshot

UNREADABLE = 2
"""Exit status: the file, or what is asked of it, cannot be understood."""
IMPOSSIBLE = 3
"""Exit status: no legal round exists."""


class FileProblem(Exception):
    """What is wrong with one file, and the exit status it makes."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class Problems:
    """The files that failed; the rest are dealt with all the same, and the worst status is the command's."""

    def __init__(self, *, files: int, stderr: OutputWrapper) -> None:
        self._files = files
        self._stderr = stderr
        self._found: list[FileProblem] = []

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note a FileProblem raised inside, and go on."""
        try:
            yield
        except FileProblem as problem:
            self._found.append(problem)
            if self._files > 1:
                self._stderr.write(problem.message)

    def raise_worst(self) -> None:
        """End with the worst status, if any file failed."""
        if not self._found:
            return
        status = max(problem.status for problem in self._found)
        message = self._found[0].message if self._files == 1 else f"{len(self._found)} of {self._files} files failed"
        raise CommandError(message, returncode=status)


def add_system_options(parser: CommandParser) -> None:
    """The options that say how an event is paired."""
    parser.add_argument("--system", required=True, choices=sorted(SYSTEMS), help="the pairing system")
    parser.add_argument(
        "--procedure", choices=sorted(ORDERED_PROCEDURES), help="the procedure under Jahr's order (default: fide-1989)"
    )
    parser.add_argument("--acceleration", default="none", choices=("none", *sorted(ACCELERATIONS)))
    parser.add_argument(
        "--groups",
        type=_groups,
        metavar="A,C|auto",
        help="progressive acceleration: group A from the first rating up, C below the second (default: 2000,1600)",
    )
    parser.add_argument(
        "--rounds", type=positive_number, metavar="N", help="number of rounds, for a file that does not say it"
    )


def read_file(path: str) -> TrfFile:
    """A report file. FileProblem when it cannot be read."""
    try:
        return read_trf(Path(path).read_bytes(), name=path)
    except OSError as error:
        raise FileProblem(f"{path}: cannot be read: {error.strerror}", UNREADABLE) from error
    except TrfError as error:
        raise FileProblem(str(error), UNREADABLE) from error


def take_snapshot(trf: TrfFile, options: dict[str, Any]) -> TournamentSnapshot:
    """The event before its next round, by the options of `add_system_options`."""
    if options["procedure"] and options["system"] != "jahr":
        raise FileProblem(f"{trf.name}: --procedure goes with --system jahr alone", UNREADABLE)
    if options["groups"] and options["acceleration"] != "progressive":
        raise FileProblem(f"{trf.name}: --groups goes with --acceleration progressive alone", UNREADABLE)
    with problems_of(trf.name):
        snapshot = to_snapshot(
            trf,
            system=options["system"],
            procedure=options["procedure"],
            acceleration=options["acceleration"],
            rounds=options["rounds"],
        )
        return replace(snapshot, group_limits=_limits(snapshot, options["groups"]))


@contextmanager
def problems_of(path: str) -> Iterator[None]:
    """What the engine refuses, as the problem of this file."""
    try:
        yield
    except TrfError as error:
        raise FileProblem(str(error), UNREADABLE) from error
    except InvalidSnapshot as error:
        raise FileProblem(f"{path}: {error}", UNREADABLE) from error
    except PairingImpossible as error:
        raise FileProblem(f"{path}: {error}", IMPOSSIBLE) from error


def print_out(stdout: OutputWrapper, text: str) -> None:
    """Print on the standard output, at once; letters it has no code for as their numbers.

    CommandError when it cannot be written, as on a full disk. A reader that has enough stays a BrokenPipeError.
    """
    try:
        try:
            stdout.write(text, ending="")
        except UnicodeEncodeError as error:
            stdout.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding), ending="")
        stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # Python must not try once more to write the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise CommandError(f"the output cannot be written: {error.strerror}", returncode=UNREADABLE) from error


def positive_number(text: str) -> int:
    """A whole number from 1, for argparse."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {text!r}")
    return int(text)


def _groups(text: str) -> tuple[int, int] | str:
    """`auto`, or two ratings."""
    if text == "auto":
        return text
    match = re.fullmatch("([0-9]{1,5}),([0-9]{1,5})", text)
    if not match:
        raise argparse.ArgumentTypeError(f"expected two ratings such as 2000,1600, or auto, found {text!r}")
    limits = int(match[1]), int(match[2])
    if limits[0] <= limits[1]:
        raise argparse.ArgumentTypeError(f"expected two ratings, the higher one first, found {text!r}")
    return limits


def _limits(snapshot: TournamentSnapshot, groups: tuple[int, int] | str | None) -> tuple[int, int] | None:
    if groups != "auto":
        return groups if isinstance(groups, tuple) else None
    ratings = [card.rating for card in snapshot.cards]
    nearest = nearest_limits(ratings, USUAL_LIMITS)
    if nearest is None:
        raise LimitsDoNotFit(USUAL_LIMITS, group_sizes(USUAL_LIMITS, ratings), None)
    return nearest
