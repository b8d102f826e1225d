"""`manage.py pair`: pair the next round of report files."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from pairing.cli.command import UNREADABLE_FILE_STATUS, CliCommand, CommandConsole, CommandFailed
from pairing.cli.trf_files import (
    FailedReportFiles,
    ReportFileFailed,
    add_system_options,
    convert_engine_errors,
    print_file_warnings,
    read_report_file,
    snapshot_from_options,
    write_to_stdout,
)
from pairing.engine.paired_round import PairedRound, PairingReason
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import TrfFile
from pairing.explanations.reason_json import reason_facts_to_json

ExplanationFormatter: TypeAlias = Callable[[Sequence[PairingReason], tuple[PairingNumber, ...]], Iterable[str]]
"""Formats the reasons for the game of two players, or for the bye of one, as lines."""


def add_arguments(parser: ArgumentParser) -> None:
    add_system_options(parser)
    parser.add_argument("--format", default="text", choices=("text", "json"), help="output format (default: text)")
    parser.add_argument("--explain", action="store_true", help="show the rules behind each pair")
    parser.add_argument("--steps", action="store_true", help="show step by step how the round was paired")
    parser.add_argument("--output-dir", metavar="DIR", help="write each result to DIR/FILE.pairs")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a report file")


def pair_report_files(options: dict[str, Any], console: CommandConsole) -> None:
    files: list[str] = options["files"]
    output_dir: str | None = options["output_dir"]
    if output_dir:
        _prepare(output_dir, files)
    problems = FailedReportFiles(files=len(files), console=console)
    for path in files:
        with problems.collect_failure():
            answer = _answer(path, options, console)
            if output_dir:
                _write(os.path.join(output_dir, f"{_name(path)}.pairs"), answer)
            else:
                headed = len(files) > 1 and options["format"] == "text"
                write_to_stdout(console, f"{path}:\n{answer}" if headed else answer)
    problems.exit_if_any_failed()


def _answer(path: str, options: dict[str, Any], console: CommandConsole) -> str:
    trf = read_report_file(path)
    snapshot = snapshot_from_options(trf, options)
    _warn(trf, snapshot, console)
    with convert_engine_errors(path):
        if not any(card.unavailable is None for card in snapshot.cards):
            raise ReportFileFailed(
                f"{path}: no players to pair in round {snapshot.round_number}", UNREADABLE_FILE_STATUS
            )
        paired = PAIRING_SYSTEMS[snapshot.system](snapshot)
    if options["format"] == "json":
        import json

        return json.dumps(_as_json(paired), ensure_ascii=False) + "\n"
    if options["steps"]:
        return "".join(f"{line}\n" for line in _steps(paired, snapshot, console))
    wording = _wording(paired, snapshot, console) if options["explain"] else None
    return "".join(f"{line}\n" for line in _as_text(paired, wording))


def _wording(paired: PairedRound, snapshot: TournamentSnapshot, console: CommandConsole) -> ExplanationFormatter:
    """Return a formatter for reasons with the event's names: in short, then one line per reason with its article."""
    console.load_reason_formatter()
    from pairing.engine.pairing_trace import steps_by_players, trace_pairing_steps
    from pairing.explanations.step_sentences import reason_sentence_with_group
    from pairing.explanations.summary_sentences import summary_text

    names, steps = _names(snapshot), steps_by_players(trace_pairing_steps(paired))

    def lines(reasons: Sequence[PairingReason], players: tuple[PairingNumber, ...]) -> Iterator[str]:
        if summary := summary_text(reasons, names):
            yield summary
        step = steps.get(frozenset(players))
        for reason in reasons:
            yield f"{reason.article}: {reason_sentence_with_group(reason, step, names)}"

    return lines


def _steps(paired: PairedRound, snapshot: TournamentSnapshot, console: CommandConsole) -> Iterator[str]:
    """Return how the round was paired, in the sentences of the web pages, which `sentences` loads."""
    console.load_reason_formatter()
    from pairing.cli.step_output import format_trace_steps

    return format_trace_steps(paired, _names(snapshot))


def _names(snapshot: TournamentSnapshot) -> dict[PairingNumber, str]:
    return {card.tpn: f"{card.name} ({card.tpn})" if card.name else f"number {card.tpn}" for card in snapshot.cards}


def _warn(trf: TrfFile, snapshot: TournamentSnapshot, console: CommandConsole) -> None:
    print_file_warnings(trf, console)
    announced = snapshot.rounds_announced
    if announced is not None and snapshot.round_number > announced:
        message = f"round {snapshot.round_number} will be paired, but the file states only {announced} rounds"
        console.write_error_line(f"{trf.name}: warning: {message}")


def _prepare(output_dir: str, files: list[str]) -> None:
    """Create the output folder. Every answer needs its own name."""
    names = [_name(path) for path in files]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise CommandFailed(f"these files have the same name: {', '.join(sorted(twice))}", UNREADABLE_FILE_STATUS)
    try:
        os.makedirs(output_dir, exist_ok=True)
    except OSError as error:
        raise CommandFailed(f"{output_dir}: can't be written: {error.strerror}", UNREADABLE_FILE_STATUS) from error


def _name(path: str) -> str:
    """Return the last part of a path. Importing pathlib would take as long as pairing a club's evening."""
    return os.path.basename(os.path.normpath(path))


def _write(path: str, answer: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(answer)
    except OSError as error:
        raise ReportFileFailed(f"{path}: can't be written: {error.strerror}", UNREADABLE_FILE_STATUS) from error


def _as_text(paired: PairedRound, wording: ExplanationFormatter | None) -> list[str]:
    """Return the number of pairs and one line per pair. With `wording`, its explanation under each."""
    lines = [str(len(paired.games) + (paired.bye is not None))]
    for game in paired.games:
        lines.append(f"{game.white} {game.black}")
        lines += _reason_lines(game.reasons, (game.white, game.black), wording)
    if paired.bye:
        lines.append(f"{paired.bye.player} 0")
        lines += _reason_lines(paired.bye.reasons, (paired.bye.player,), wording)
    return lines


def _reason_lines(
    reasons: Sequence[PairingReason], players: tuple[PairingNumber, ...], wording: ExplanationFormatter | None
) -> list[str]:
    if wording is None:
        return []
    return [f"    {line}" for line in wording(reasons, players)]


def _as_json(paired: PairedRound) -> dict[str, Any]:
    return {
        "system": paired.system,
        "acceleration": paired.acceleration,
        "round": paired.round_number,
        "boards": [
            {
                "board": game.board,
                "white": game.white,
                "black": game.black,
                "reasons": [_reason_as_json(reason) for reason in game.reasons],
            }
            for game in paired.games
        ],
        "bye": paired.bye.player if paired.bye else None,
        "bye_reasons": [_reason_as_json(reason) for reason in paired.bye.reasons] if paired.bye else [],
        "players": [
            {
                "tpn": player.tpn,
                "score": _points(player.score),
                "fictitious": _points(player.fictitious),
                "pairing_score": _points(player.pairing_score),
            }
            for player in paired.scores
        ],
    }


def _reason_as_json(reason: PairingReason) -> dict[str, Any]:
    return {
        "article": reason.article,
        "kind": reason.kind,
        "players": list(reason.players),
        "facts": reason_facts_to_json(reason),
    }


def _points(half_points: HalfPoints) -> float:
    return half_points / 2


COMMAND = CliCommand(
    "Pair the next round of tournament report files (TRF) and print the boards.", add_arguments, pair_report_files
)
