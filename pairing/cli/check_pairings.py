"""`manage.py check_pairings`: pair every round of report files again and compare."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from pairing.cli.check_output import exit_status_of_checks, format_check_as_text, format_checks_as_json
from pairing.cli.command import CliCommand, CommandConsole
from pairing.cli.trf_files import (
    FailedReportFiles,
    add_system_options,
    convert_engine_errors,
    print_file_warnings,
    read_report_file,
    snapshot_from_options,
    write_to_stdout,
)
from pairing.engine.paired_round import PairedRound
from pairing.engine.pairing_checker import check_event_pairings
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import EarlierPairingSystem, TrfFile, forbidden_pairs_in_round, read_earlier_systems


def add_arguments(parser: ArgumentParser) -> None:
    add_system_options(parser)
    parser.add_argument("--format", default="text", choices=("text", "json"))
    parser.add_argument("files", nargs="+", metavar="FILE")


def check_report_files(options: dict[str, Any], console: CommandConsole) -> None:
    files = options["files"]
    problems = FailedReportFiles(files=len(files), console=console)
    status = 0
    for path in files:
        with problems.collect_failure():
            status = max(status, _check(path, options, console))
    problems.raise_worst_failure(status)


def _check(path: str, options: dict[str, Any], console: CommandConsole) -> int:
    trf = read_report_file(path)
    event = snapshot_from_options(trf, options)
    print_file_warnings(trf, console)
    with convert_engine_errors(path):
        checks = []
        for check in check_event_pairings(
            event, _pair, forbidden_in=partial(forbidden_pairs_in_round, trf), earlier=_known_systems(trf)
        ):
            checks.append(check)
            if options["format"] == "text":
                write_to_stdout(console, f"{path}: round {check.round_number}: {format_check_as_text(check)}\n")
        if options["format"] == "json":
            write_to_stdout(console, format_checks_as_json(path, event.system, checks))
    return exit_status_of_checks(checks)


def _pair(snapshot: TournamentSnapshot) -> PairedRound:
    return PAIRING_SYSTEMS[snapshot.system](snapshot)


def _known_systems(trf: TrfFile) -> list[EarlierPairingSystem]:
    """Return the systems of a file's first rounds; unknown ones are left to the option."""
    return [each for each in read_earlier_systems(trf) if each.system in PAIRING_SYSTEMS]


COMMAND = CliCommand(
    "Pair every round of tournament report files again from the rounds before it, and compare.",
    add_arguments,
    check_report_files,
)
