"""`manage.py check_pairings`: pair every round of report files again and compare."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from typing import Any

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
from pairing.engine.legality import RuleBreach, RuleBreachKind
from pairing.engine.paired_round import PairedRound
from pairing.engine.pairing_checker import RoundCheck, RoundVerdict, SeatedPair, check_event_pairings
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import EarlierPairingSystem, TrfFile, forbidden_pairs_in_round, read_earlier_systems


def add_arguments(parser: ArgumentParser) -> None:
    add_system_options(parser)
    parser.add_argument("--format", default="text", choices=("text", "json"), help="output format (default: text)")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a report file")


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
    """Return the systems of a file's first rounds. Unknown ones are left to the option."""
    return [each for each in read_earlier_systems(trf) if each.system in PAIRING_SYSTEMS]


COMMAND = CliCommand(
    "Pair each round of tournament report files (TRF) again from the rounds before it, and show the differences.",
    add_arguments,
    check_report_files,
)


DIFFERENT_ROUND_STATUS = 1
"""Exit status: a round is legal but not what the rules give."""
ILLEGAL_ROUND_STATUS = 3
"""Exit status: a round breaks an article that no pairing may break."""

_STATUS = {
    RoundVerdict.AGREES: 0,
    RoundVerdict.DIFFERS: DIFFERENT_ROUND_STATUS,
    RoundVerdict.ILLEGAL: ILLEGAL_ROUND_STATUS,
}

_SAYS = {
    RuleBreachKind.MET: "{0} and {1} already met in round {round}",
    RuleBreachKind.FORBIDDEN: "a rule of the event keeps {0} and {1} apart",
    RuleBreachKind.SAME_ABSOLUTE_COLOUR: "{0} and {1} both had to have the same colour",
    RuleBreachKind.WRONG_COLOUR: "{0} had to have the other colour",
    RuleBreachKind.BYE_BARRED: "{0} can't have the bye after round {round}",
}


def exit_status_of_checks(checks: Sequence[RoundCheck]) -> int:
    """Return the worst exit status of several rounds."""
    return max((_STATUS[check.verdict] for check in checks), default=0)


def format_check_as_text(check: RoundCheck) -> str:
    """A verdict in one line: `differs: file 2-3 4-1; rebuilt 1-2 3-4`. Pairs are WHITE-BLACK, and a bye is TPN-0."""
    parts = []
    if check.breaches:
        parts.append(", ".join(f"{breach.article} ({_says(breach)})" for breach in check.breaches))
    if not check.is_identical:
        parts.append(f"file {_pairs(check.only_actual)}")
        lost = f"no legal pairing, {check.impossible_reason}"
        parts.append(f"rebuilt: {lost}" if check.impossible_reason else f"rebuilt {_pairs(check.only_expected)}")
    return f"{check.verdict}: {'; '.join(parts)}" if parts else str(check.verdict)


def format_checks_as_json(path: str, system: str, checks: Sequence[RoundCheck]) -> str:
    """Format a file's rounds as one JSON object on one line."""
    told = {"file": path, "system": system, "rounds": [_round(check) for check in checks]}
    return json.dumps(told, ensure_ascii=False) + "\n"


def _round(check: RoundCheck) -> dict[str, Any]:
    return {
        "round": check.round_number,
        "verdict": str(check.verdict),
        "file": [list(pair) for pair in check.only_actual],
        "rebuilt": [list(pair) for pair in check.only_expected],
        "impossible": check.impossible_reason or None,
        "breaches": [
            {
                "article": breach.article,
                "kind": str(breach.kind),
                "players": list(breach.players),
                "round": breach.round_number,
            }
            for breach in check.breaches
        ],
    }


def _says(breach: RuleBreach) -> str:
    if breach.kind is RuleBreachKind.SEVERAL_BYES:
        return f"{' and '.join(map(str, breach.players))} all had the bye"
    return _SAYS[breach.kind].format(*breach.players, round=breach.round_number)


def _pairs(pairs: tuple[SeatedPair, ...]) -> str:
    return " ".join(f"{white}-{black}" for white, black in pairs) or "nothing"
