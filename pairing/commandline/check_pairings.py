"""`manage.py check_pairings`: every round of report files, paired anew and compared."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from pairing.commandline.command import Command, Console
from pairing.commandline.event_files import (
    Problems,
    add_system_options,
    print_out,
    problems_of,
    read_file,
    take_snapshot,
)
from pairing.engine.checker import RoundCheck, SeatedPair, check_event
from pairing.engine.systems import SYSTEMS
from pairing.engine.trf import forbidden_pairs


def add_arguments(parser: ArgumentParser) -> None:
    add_system_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE")


def run(options: dict[str, Any], console: Console) -> None:
    files = options["files"]
    problems = Problems(files=len(files), console=console)
    for path in files:
        with problems.noted():
            _check(path, options, console)
    problems.raise_worst()


def _check(path: str, options: dict[str, Any], console: Console) -> None:
    trf = read_file(path)
    event = take_snapshot(trf, options)
    with problems_of(path):
        for check in check_event(event, SYSTEMS[event.system], forbidden_in=partial(forbidden_pairs, trf)):
            print_out(console, f"{path}: round {check.round_number}: {_verdict(check)}\n")


def _verdict(check: RoundCheck) -> str:
    if check.agrees:
        return "agrees"
    made = f"differs: file {_pairs(check.only_made)}"
    if check.impossible:
        return f"{made}; rebuilt: no legal round, {check.impossible}"
    return f"{made}; rebuilt {_pairs(check.only_rebuilt)}"


def _pairs(pairs: tuple[SeatedPair, ...]) -> str:
    """Pairs as WHITE-BLACK; a bye is TPN-0."""
    return " ".join(f"{white}-{black}" for white, black in pairs) or "nothing"


COMMAND = Command(
    "Rebuild every round of tournament report files from the rounds before it, and compare.", add_arguments, run
)
