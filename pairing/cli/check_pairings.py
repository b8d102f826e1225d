"""`manage.py check_pairings`: every round of report files, paired anew and compared."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from pairing.cli.check_reports import as_json, as_text, status_of
from pairing.cli.command import Command, Console
from pairing.cli.event_files import (
    Problems,
    add_system_options,
    print_out,
    problems_of,
    read_file,
    take_snapshot,
    warn,
)
from pairing.engine.checker import check_event
from pairing.engine.paired_round import PairedRound
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import SYSTEMS
from pairing.engine.trf import EarlierSystem, TrfFile, earlier_systems_of, forbidden_pairs


def add_arguments(parser: ArgumentParser) -> None:
    add_system_options(parser)
    parser.add_argument("--format", default="text", choices=("text", "json"))
    parser.add_argument("files", nargs="+", metavar="FILE")


def run(options: dict[str, Any], console: Console) -> None:
    files = options["files"]
    problems = Problems(files=len(files), console=console)
    status = 0
    for path in files:
        with problems.noted():
            status = max(status, _check(path, options, console))
    problems.raise_worst(status)


def _check(path: str, options: dict[str, Any], console: Console) -> int:
    trf = read_file(path)
    event = take_snapshot(trf, options)
    warn(trf, console)
    with problems_of(path):
        checks = []
        for check in check_event(event, _pair, forbidden_in=partial(forbidden_pairs, trf), earlier=_known_systems(trf)):
            checks.append(check)
            if options["format"] == "text":
                print_out(console, f"{path}: round {check.round_number}: {as_text(check)}\n")
        if options["format"] == "json":
            print_out(console, as_json(path, event.system, checks))
    return status_of(checks)


def _pair(snapshot: TournamentSnapshot) -> PairedRound:
    return SYSTEMS[snapshot.system](snapshot)


def _known_systems(trf: TrfFile) -> list[EarlierSystem]:
    """The systems that the file says paired its first rounds; one that is not known here is left to the option."""
    return [each for each in earlier_systems_of(trf) if each.system in SYSTEMS]


COMMAND = Command(
    "Rebuild every round of tournament report files from the rounds before it, and compare.", add_arguments, run
)
