"""Shared parts of the commands on event files: options, reading a file, and exit status."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pairing.cli.command import NO_LEGAL_ROUND_STATUS, UNREADABLE_FILE_STATUS, CommandConsole, CommandFailed
from pairing.engine.acceleration import ACCELERATIONS
from pairing.engine.acceleration.progressive import (
    DEFAULT_GROUP_LIMITS,
    GroupLimitsError,
    count_group_sizes,
    nearest_valid_limits,
)
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.rule_interpretations import (
    RULE_INTERPRETATIONS,
    ChosenInterpretations,
    InvalidInterpretation,
    non_default_interpretations,
    parse_interpretation,
)
from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot
from pairing.engine.standings import TieBreakEdition
from pairing.engine.systems import CUSTOM_ORDER_PROCEDURES, PAIRING_SYSTEMS
from pairing.engine.trf import TrfError, TrfFile, read_trf, snapshot_from_trf


class ReportFileFailed(CommandFailed):
    """Raised if a file cannot be processed, with the problem and the exit status."""


class FailedReportFiles:
    """The files that failed. The others are still processed, and the worst status becomes the command's status."""

    def __init__(self, *, files: int, console: CommandConsole) -> None:
        self._files = files
        self._console = console
        self._found: list[ReportFileFailed] = []

    @contextmanager
    def collect_failure(self) -> Iterator[None]:
        """Record a ReportFileFailed raised in the block, and continue."""
        try:
            yield
        except ReportFileFailed as problem:
            self._found.append(problem)
            if self._files > 1:
                self._console.write_error_line(problem.message)

    def exit_if_any_failed(self, status: int = 0) -> None:
        """Exit with the worst status, if there was any failure."""
        if not self._found:
            if status:
                raise SystemExit(status)
            return
        status = max(status, *(problem.status for problem in self._found))
        message = self._found[0].message if self._files == 1 else f"{len(self._found)} of {self._files} files failed"
        raise CommandFailed(message, status)


def add_system_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how to pair an event."""
    parser.add_argument("--system", required=True, choices=sorted(PAIRING_SYSTEMS), help="the pairing system")
    parser.add_argument(
        "--procedure",
        choices=sorted(CUSTOM_ORDER_PROCEDURES),
        help="pairing procedure for Jahr's order (default: fide-1989)",
    )
    parser.add_argument("--acceleration", default="none", choices=("none", *sorted(ACCELERATIONS)))
    parser.add_argument(
        "--groups",
        type=_groups,
        metavar="A,C|auto",
        help="progressive acceleration: lowest rating of group A, and the rating below which group C "
        "begins (default: 2000,1600)",
    )
    parser.add_argument(
        "--rounds", type=parse_positive_number, metavar="N", help="number of rounds, if the file doesn't state it"
    )
    add_keizer_options(parser)
    add_interpretation_options(parser)


def add_keizer_options(parser: argparse.ArgumentParser) -> None:
    """Add `--option NAME=VALUE`, which can be repeated."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="keizer_options",
        help="an option of a Keizer season, such as gap=6",
    )


def with_keizer_options(snapshot: TournamentSnapshot, texts: Sequence[str]) -> TournamentSnapshot:
    """Return the event with these Keizer options. Raises InvalidSnapshot for unknown ones or another system."""
    if not texts:
        return snapshot
    from pairing.engine.systems.keizer import parse_keizer_options

    if snapshot.system != "keizer":
        raise InvalidSnapshot("use --option only with --system keizer")
    parse_keizer_options(texts)
    return replace(snapshot, options=tuple(texts))


def read_report_file(path: str) -> TrfFile:
    """Read a report file. Raises ReportFileFailed if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return read_trf(file.read(), name=path)
    except OSError as error:
        raise ReportFileFailed(f"{path}: can't be read: {error.strerror}", UNREADABLE_FILE_STATUS) from error
    except TrfError as error:
        raise ReportFileFailed(str(error), UNREADABLE_FILE_STATUS) from error


def print_file_warnings(trf: TrfFile, console: CommandConsole) -> None:
    """Print a file's warnings on standard error."""
    for warning in trf.warnings:
        console.write_error_line(f"{trf.name}: warning: {warning}")


def snapshot_from_options(trf: TrfFile, options: dict[str, Any]) -> TournamentSnapshot:
    """Return the event before its next round, as set by the options of `add_system_options`."""
    if options["procedure"] and options["system"] != "jahr":
        raise ReportFileFailed(f"{trf.name}: use --procedure only with --system jahr", UNREADABLE_FILE_STATUS)
    if options["groups"] and options["acceleration"] != "progressive":
        raise ReportFileFailed(f"{trf.name}: use --groups only with --acceleration progressive", UNREADABLE_FILE_STATUS)
    with convert_engine_errors(trf.name):
        snapshot = snapshot_from_trf(
            trf,
            system=options["system"],
            procedure=options["procedure"],
            acceleration=options["acceleration"],
            rounds=options["rounds"],
        )
        readings = merge_interpretation_options(
            snapshot.interpretations, options["readings"], system=snapshot.system, procedure=snapshot.procedure
        )
        snapshot = with_keizer_options(snapshot, options["keizer_options"])
        return replace(snapshot, group_limits=_limits(snapshot, options["groups"]), interpretations=readings)


@contextmanager
def convert_engine_errors(path: str) -> Iterator[None]:
    """Convert the engine's errors to ReportFileFailed."""
    try:
        yield
    except TrfError as error:
        raise ReportFileFailed(str(error), UNREADABLE_FILE_STATUS) from error
    except (InvalidSnapshot, InvalidInterpretation) as error:
        raise ReportFileFailed(f"{path}: {error}", UNREADABLE_FILE_STATUS) from error
    except PairingImpossible as error:
        raise ReportFileFailed(f"{path}: {error}", NO_LEGAL_ROUND_STATUS) from error


def write_to_stdout(console: CommandConsole, text: str) -> None:
    """Write to standard output and flush. Characters it cannot encode become escapes such as `\\u0142`.

    Raises CommandFailed if it cannot be written, as on a full disk. BrokenPipeError passes through.
    """
    try:
        try:
            console.write(text)
        except UnicodeEncodeError as error:
            console.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))
        console.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # Stop Python from trying to write the rest when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise CommandFailed(f"can't write the output: {error.strerror}", UNREADABLE_FILE_STATUS) from error


def parse_positive_number(text: str) -> int:
    """Parse a whole number of 1 or more, for argparse."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {text!r}")
    return int(text)


def _groups(text: str) -> tuple[int, int] | str:
    """Parse `auto`, or two ratings."""
    if text == "auto":
        return text
    match = re.fullmatch("([0-9]{1,5}),([0-9]{1,5})", text)
    if not match:
        raise argparse.ArgumentTypeError(f"expected 2 ratings such as 2000,1600, or auto, found {text!r}")
    limits = int(match[1]), int(match[2])
    if limits[0] <= limits[1]:
        raise argparse.ArgumentTypeError(f"expected 2 ratings, the higher one first, found {text!r}")
    return limits


def _limits(snapshot: TournamentSnapshot, groups: tuple[int, int] | str | None) -> tuple[int, int] | None:
    if groups != "auto":
        return groups if isinstance(groups, tuple) else None
    ratings = [card.rating for card in snapshot.cards]
    nearest = nearest_valid_limits(ratings, DEFAULT_GROUP_LIMITS)
    if nearest is None:
        raise GroupLimitsError(DEFAULT_GROUP_LIMITS, count_group_sizes(DEFAULT_GROUP_LIMITS, ratings), None)
    return nearest


def add_interpretation_options(parser: argparse.ArgumentParser) -> None:
    """Add `--reading ID=VALUE`, which can be repeated, and `--readings`, which lists them and exits."""
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        type=_reading,
        metavar="ID=VALUE",
        dest="readings",
        help="use another interpretation of a rule, such as fide-1989:8.2=next-round",
    )
    parser.add_argument("--readings", nargs=0, action=_ListReadings, help="list the rule interpretations and exit")


def merge_interpretation_options(
    of_file: ChosenInterpretations, asked: Iterable[tuple[str, str]], *, system: str, procedure: str | None
) -> ChosenInterpretations:
    """Override a file's interpretations with the options. Raises InvalidInterpretation if one is for another system."""
    asked = list(asked)
    for name, _ in asked:
        if not RULE_INTERPRETATIONS[name].applies_to_system(system, procedure):
            raise InvalidInterpretation(f"interpretation {name} is not used in events of the system {system}")
    return non_default_interpretations([*of_file, *asked])


def list_rule_interpretations() -> str:
    """List all interpretations with their articles, descriptions, values and defaults."""
    lines = []
    for reading in RULE_INTERPRETATIONS.values():
        default, other = reading.options
        lines += [
            f"{reading.id}  {reading.system} {reading.article}: “{reading.article_text}”",
            f"    {default.value}: {default.meaning} (default)",
            f"    {other.value}: {other.meaning}",
            f"    Why the default: {reading.default_rationale}",
        ]
    return "".join(f"{line}\n" for line in lines)


class _ListReadings(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        print(list_rule_interpretations(), end="")
        parser.exit()


def _reading(text: str) -> tuple[str, str]:
    try:
        return parse_interpretation(text)
    except InvalidInterpretation as error:
        raise argparse.ArgumentTypeError(str(error)) from error


_DAYS = (
    re.compile(r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{2})[-/.](?P<day>[0-9]{2})"),
    re.compile(r"(?P<year>[0-9]{2})/(?P<month>[0-9]{2})/(?P<day>[0-9]{2})(?![0-9])"),
    re.compile(r"(?P<day>[0-9]{2})[./](?P<month>[0-9]{2})[./](?P<year>[0-9]{4})"),
)
"""How report files write a day in numbers; two digits of a year are of this century."""


def tie_break_edition_of_file(trf: TrfFile) -> TieBreakEdition:
    """Return the edition in force when the event began (line 042), or the newest if the date is not numeric."""
    for pattern in _DAYS:
        if written := pattern.match(trf.first_value_for_code("042")):
            year = f"20{written['year']}"[-4:]
            return TieBreakEdition.edition_for_date(f"{year}-{written['month']}-{written['day']}")
    return TieBreakEdition.edition_for_date("")
