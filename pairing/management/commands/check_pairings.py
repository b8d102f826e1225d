"""`manage.py check_pairings`: every round of report files, paired anew and compared."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from pairing.engine.checker import RoundCheck, SeatedPair, check_event
from pairing.engine.systems import SYSTEMS
from pairing.engine.trf import forbidden_pairs
from pairing.management.event_files import (
    Problems,
    add_system_options,
    print_out,
    problems_of,
    read_file,
    take_snapshot,
)


class Command(BaseCommand):
    help = "Rebuild every round of tournament report files from the rounds before it, and compare."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_system_options(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *, files: list[str], **options: Any) -> None:
        problems = Problems(files=len(files), stderr=self.stderr)
        for path in files:
            with problems.noted():
                self._check(path, options)
        problems.raise_worst()

    def _check(self, path: str, options: dict[str, Any]) -> None:
        trf = read_file(path)
        event = take_snapshot(trf, options)
        with problems_of(path):
            for check in check_event(event, SYSTEMS[event.system], forbidden_in=partial(forbidden_pairs, trf)):
                print_out(self.stdout, f"{path}: round {check.round_number}: {_verdict(check)}\n")


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
