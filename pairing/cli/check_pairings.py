"""`manage.py check_pairings`: pair every round of report files again and compare."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pairing.cli.command import UNREADABLE_FILE_STATUS, CliCommand, CommandConsole, CommandFailed
from pairing.cli.trf_files import (
    FailedReportFiles,
    add_system_options,
    convert_engine_errors,
    print_file_warnings,
    read_report_file,
    snapshot_from_options,
    tie_break_edition_of_file,
    write_to_stdout,
)
from pairing.engine.legality import RuleBreach, RuleBreachKind
from pairing.engine.paired_round import PairedRound
from pairing.engine.pairing_checker import (
    RoundCheck,
    RoundVerdict,
    SeatedPair,
    check_event_pairings,
    infer_first_colour,
)
from pairing.engine.snapshot import Colour, TournamentSnapshot
from pairing.engine.standings import (
    TieBreakCode,
    TieBreaksNeedStandardPoints,
    UnknownTieBreak,
    WrongRank,
    find_wrong_ranks,
    parse_tie_breaks,
    rank_players,
)
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import EarlierPairingSystem, TrfFile, forbidden_pairs_in_round, read_earlier_systems
from pairing.engine.trf.event_directives import read_directives
from pairing.engine.trf.regulations import read_tie_break_codes


def add_arguments(parser: ArgumentParser) -> None:
    add_system_options(parser)
    parser.add_argument("--format", default="text", choices=("text", "json"), help="output format (default: text)")
    parser.add_argument(
        "--tiebreaks",
        metavar="LIST",
        help="check the ranks by these tie-breaks, separated by commas (default: those in the file, line 212 or 202)",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="report files, or folders of them")


def check_report_files(options: dict[str, Any], console: CommandConsole) -> None:
    files = options["files"]
    try:
        _codes(options["tiebreaks"] or "")
    except UnknownTieBreak as error:
        raise CommandFailed(str(error), UNREADABLE_FILE_STATUS) from error
    files = list(_files_in_folders(files))
    problems = FailedReportFiles(files=len(files), console=console)
    status = 0
    verdicts: Counter[RoundVerdict] = Counter()
    for path in files:
        with problems.collect_failure():
            status = max(status, _check(path, options, console, verdicts))
    if len(files) > 1:
        counts = f"{verdicts[RoundVerdict.AGREES]} agree, {verdicts[RoundVerdict.DIFFERS]} differ"
        counts += f", {verdicts[RoundVerdict.ILLEGAL]} illegal"
        console.write_error_line(f"{len(files)} files, {verdicts.total()} rounds: {counts}")
    problems.exit_if_any_failed(status)


def _files_in_folders(paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths, and for each folder its report files by name. Raises CommandFailed for a folder without any."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        names = sorted(name for name in os.listdir(path) if name.lower().endswith(".trf"))
        if not names:
            raise CommandFailed(f"{path}: no report files (.trf) in this folder", UNREADABLE_FILE_STATUS)
        yield from (os.path.join(path, name) for name in names)


def _check(path: str, options: dict[str, Any], console: CommandConsole, verdicts: Counter[RoundVerdict]) -> int:
    trf = read_report_file(path)
    event = snapshot_from_options(trf, options)
    print_file_warnings(trf, console)
    with convert_engine_errors(path):
        way: dict[str, Any] = {
            "forbidden_in": partial(forbidden_pairs_in_round, trf),
            "earlier": _known_systems(trf),
        }
        origin = "file"
        if read_directives(trf).first_colour is None and event.rounds_paired:
            inferred = infer_first_colour(event, _pair, **way)
            origin = "round 1" if inferred else "assumed"
            event = replace(event, first_colour=inferred or event.first_colour)
        checks = []
        for check in check_event_pairings(event, _pair, **way):
            checks.append(check)
            verdicts[check.verdict] += 1
            if options["format"] == "text":
                write_to_stdout(console, f"{path}: round {check.round_number}: {format_check_as_text(check)}\n")
        if origin in _SAYS_OF_COLOUR:
            console.write_error_line(f"{path}: {_SAYS_OF_COLOUR[origin].format(_NAMES[event.first_colour])}")
        standings = _check_standings(trf, event, options["tiebreaks"], console)
        if options["format"] == "json":
            colour = {"colour": _NAMES[event.first_colour], "from": origin}
            write_to_stdout(console, format_checks_as_json(path, event.system, checks, colour, standings))
        elif standings:
            write_to_stdout(console, f"{path}: standings: {format_standings_check_as_text(standings)}\n")
    has_wrong_ranks = standings is not None and standings.wrong
    return max(exit_status_of_checks(checks), DIFFERENT_ROUND_STATUS if has_wrong_ranks else 0)


_NAMES = {Colour.WHITE: "white", Colour.BLACK: "black"}
_SAYS_OF_COLOUR = {
    "round 1": "the initial colour is missing, so it is taken from round 1: {}",
    "assumed": "the initial colour is missing, and round 1 doesn't show it: {} is assumed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsCheck:
    """The check of a file's ranks against a list of tie-breaks."""

    codes: tuple[TieBreakCode, ...]
    wrong: tuple[WrongRank, ...]


def _check_standings(
    trf: TrfFile, event: TournamentSnapshot, asked: str | None, console: CommandConsole
) -> StandingsCheck | None:
    """Check the ranks in a file. None if it has no ranks, or no list of tie-breaks is known."""
    stated = any(trf.first_value_for_code(code) for code in ("212", "202"))
    ranks = {player.tpn: player.rank for player in trf.players if player.rank is not None}
    if not ranks or (asked is None and not stated):
        return None
    try:
        codes = _codes(",".join(read_tie_break_codes(trf)) if asked is None else asked)
        table = rank_players(event, map(str, codes), edition=tie_break_edition_of_file(trf))
    except UnknownTieBreak as error:
        console.write_error_line(f"{trf.name}: standings aren't checked: there is no tie-break {error.code}")
        return None
    except TieBreaksNeedStandardPoints as error:
        console.write_error_line(f"{trf.name}: standings aren't checked: {error}")
        return None
    return StandingsCheck(codes=codes, wrong=find_wrong_ranks(ranks, table))


def _codes(texts: str) -> tuple[TieBreakCode, ...]:
    return parse_tie_breaks(filter(None, map(str.strip, texts.split(","))))


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
    """Format a verdict on one line: `differs: file 2-3 4-1; rebuilt 1-2 3-4`. Pairs are WHITE-BLACK, a bye TPN-0."""
    parts = []
    if check.breaches:
        parts.append(", ".join(f"{breach.article} ({_says(breach)})" for breach in check.breaches))
    if not check.is_identical:
        parts.append(f"file {_pairs(check.only_actual)}")
        lost = f"no legal pairing, {check.impossible_reason}"
        parts.append(f"rebuilt: {lost}" if check.impossible_reason else f"rebuilt {_pairs(check.only_expected)}")
    verdict = str(check.verdict)
    if check.is_as_last_round:
        verdict += " (legal if this was the last round)" if parts else " if this was the last round"
    return f"{verdict}: {'; '.join(parts)}" if parts else verdict


def format_standings_check_as_text(check: StandingsCheck) -> str:
    """Format a verdict on one line: `differ by PTS, SB: player 1 has rank 2 instead of 1`."""
    if not check.wrong:
        return "agree"
    wrong = "; ".join(
        f"player {each.tpn} has rank {each.given} instead of "
        + (str(each.first) if each.first == each.last else f"{each.first} to {each.last}")
        for each in check.wrong
    )
    return f"differ by {', '.join(['PTS', *map(str, check.codes)])}: {wrong}"


def format_checks_as_json(
    path: str,
    system: str,
    checks: Sequence[RoundCheck],
    first_colour: Mapping[str, str],
    standings: StandingsCheck | None,
) -> str:
    """Format a file's rounds and standings as one JSON object on one line."""
    told = {
        "file": path,
        "system": system,
        "initial_colour": first_colour,
        "rounds": [_round(check) for check in checks],
        "standings": standings
        and {
            "tie_breaks": [str(code) for code in standings.codes],
            "differ": [
                {"player": each.tpn, "file": each.given, "expected": [each.first, each.last]}
                for each in standings.wrong
            ],
        },
    }
    return json.dumps(told, ensure_ascii=False) + "\n"


def _round(check: RoundCheck) -> dict[str, Any]:
    return {
        "round": check.round_number,
        "verdict": str(check.verdict),
        "if_last": check.is_as_last_round,
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
