"""`manage.py conformance`: run any pairing program against the conformance kit."""

from __future__ import annotations

import json
import shlex
import subprocess
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairing.cli.command import UNREADABLE_FILE_STATUS, CliCommand, CommandConsole, CommandFailed
from pairing.cli.trf_files import parse_positive_number, write_to_stdout
from pairing.engine.systems import PAIRING_SYSTEMS


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        required=True,
        metavar="COMMAND",
        help="command to run for each case, with {file} for the event file. {system} and {options} are optional.",
    )
    parser.add_argument("--system", choices=sorted(PAIRING_SYSTEMS), help="run only the cases of this system")
    parser.add_argument(
        "--kit", type=Path, default=KIT_FOLDER, metavar="DIR", help="folder with the cases (default: docs/conformance)"
    )
    parser.add_argument(
        "--timeout",
        type=parse_positive_number,
        default=20,
        metavar="SECONDS",
        help="time limit for each case (default: 20)",
    )


def run_conformance_kit(options: dict[str, Any], console: CommandConsole) -> None:
    try:
        cases = read_conformance_cases(options["kit"], system=options["system"])
        outcomes = list(run_conformance_cases(cases, options["engine"], timeout=options["timeout"]))
    except ConformanceKitError as problem:
        raise CommandFailed(str(problem), UNREADABLE_FILE_STATUS) from problem
    for line in format_conformance_report(outcomes):
        write_to_stdout(console, f"{line}\n")
    if not all(outcome.has_passed for outcome in outcomes):
        raise SystemExit(1)


COMMAND = CliCommand(
    "Test a pairing program with the conformance cases in docs/conformance.", add_arguments, run_conformance_kit
)


KIT_FOLDER = Path(__file__).resolve().parents[2] / "docs" / "conformance"


class ConformanceKitError(Exception):
    """The kit or the command cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceCase:
    """One case of the kit. `pairs` are White and Black, `bye` is the player with the bye."""

    id: str
    system: str
    article: str
    file: Path
    acceleration: str
    groups: tuple[int, int] | None
    procedure: str | None
    readings: tuple[str, ...]
    pairs: frozenset[tuple[int, int]]
    bye: int | None

    @property
    def expected_pairs(self) -> frozenset[tuple[int, int]]:
        """The pairs, with the bye as a pair with 0."""
        return self.pairs | ({(self.bye, 0)} if self.bye else frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceResult:
    """A program's result for a case. `problem` says why there is none."""

    case: ConformanceCase
    found: frozenset[tuple[int, int]] | None
    problem: str = ""

    @property
    def has_passed(self) -> bool:
        return self.found == self.case.expected_pairs


def read_conformance_cases(kit: Path = KIT_FOLDER, *, system: str | None = None) -> list[ConformanceCase]:
    """Read the cases of the kit's index, or of one system. Raises ConformanceKitError."""
    try:
        index = json.loads((kit / "index.json").read_text(encoding="utf-8"))
        cases = [_case(kit, entry) for entry in index["cases"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConformanceKitError(f"{kit / 'index.json'}: can't be read: {error}") from error
    return [case for case in cases if system in (None, case.system)]


def run_conformance_cases(cases: list[ConformanceCase], command: str, *, timeout: int) -> Iterator[ConformanceResult]:
    """Run each case with the command. Skip a case if the command has no placeholder for its options.

    `{file}` stands for the event; `{system}`, and `{options}` (acceleration, procedure and readings as our own `pair`
    takes them), where the command has them. Raises KitProblem for a command without `{file}`.
    """
    if "{file}" not in command:
        raise ConformanceKitError("the command needs {file}, which is replaced by the event's file")
    for case in cases:
        if _options(case) and "{options}" not in command:
            continue
        yield _run(case, command, timeout)


def format_conformance_report(outcomes: list[ConformanceResult]) -> Iterator[str]:
    """Format one line per failure, then one line per system."""
    for outcome in outcomes:
        if not outcome.has_passed:
            found = outcome.problem or f"found {_spelled(outcome.found or frozenset())}"
            yield f"{outcome.case.id}: {outcome.case.system} {outcome.case.article}: expected " + (
                f"{_spelled(outcome.case.expected_pairs)}; {found}"
            )
    for system in sorted({outcome.case.system for outcome in outcomes}):
        of_system = [outcome for outcome in outcomes if outcome.case.system == system]
        yield f"{system}: {sum(outcome.has_passed for outcome in of_system)} of {len(of_system)} cases"


def _run(case: ConformanceCase, command: str, timeout: int) -> ConformanceResult:
    words = {"{file}": [str(case.file)], "{system}": [case.system], "{options}": _options(case)}
    arguments: list[str] = []
    for word in shlex.split(command):
        if word in words:
            arguments += words[word]
        else:
            arguments.append(word.replace("{file}", str(case.file)).replace("{system}", case.system))
    try:
        ended = subprocess.run(  # noqa: S603 - the command is the user's own, and no shell reads it
            arguments, capture_output=True, timeout=timeout, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return ConformanceResult(case=case, found=None, problem=f"no answer: {error}")
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        return ConformanceResult(
            case=case, found=None, problem=f"exited with status {ended.returncode}: {said[-1] if said else ''}"
        )
    try:
        return ConformanceResult(case=case, found=_answer(ended.stdout.decode(errors="replace")))
    except ValueError as error:
        return ConformanceResult(case=case, found=None, problem=str(error))


def _answer(text: str) -> frozenset[tuple[int, int]]:
    """The pairs of an answer: their number, then WHITE BLACK a line. The bye is TPN 0 or 0 TPN."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if not rows or len(rows[0]) != 1 or not (rows[0][0].isascii() and rows[0][0].isdigit()):
        raise ValueError("the answer doesn't start with the number of pairs")
    pairs = set()
    for row in rows[1:]:
        if len(row) != 2 or not all(word.isascii() and word.isdigit() for word in row):
            raise ValueError(f"not a pair: {' '.join(row)}")
        white, black = map(int, row)
        pairs.add((black, 0) if white == 0 else (white, black))
    if len(rows) - 1 != int(rows[0][0]):
        raise ValueError(f"the answer states {rows[0][0]} pairs but has {len(rows) - 1}")
    return frozenset(pairs)


def _options(case: ConformanceCase) -> list[str]:
    options = []
    if case.acceleration != "none":
        options += ["--acceleration", case.acceleration]
    if case.groups:
        options += ["--groups", f"{case.groups[0]},{case.groups[1]}"]
    if case.procedure:
        options += ["--procedure", case.procedure]
    for reading in case.readings:
        options += ["--reading", reading]
    return options


def _case(kit: Path, entry: dict[str, Any]) -> ConformanceCase:
    return ConformanceCase(
        id=entry["id"],
        system=entry["system"],
        article=entry["article"],
        file=kit / entry["file"],
        acceleration=entry["acceleration"],
        groups=tuple(entry["groups"]) if entry["groups"] else None,
        procedure=entry["procedure"],
        readings=tuple(entry["readings"]),
        pairs=frozenset((white, black) for white, black in entry["pairs"]),
        bye=entry["bye"],
    )


def _spelled(pairs: frozenset[tuple[int, int]]) -> str:
    return " ".join(f"{white}-{black}" for white, black in sorted(pairs))
