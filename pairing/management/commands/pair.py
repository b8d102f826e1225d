"""`manage.py pair`: the next round of report files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pairing.engine.paired_round import PairedRound, Reason
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems import SYSTEMS
from pairing.engine.trf import TrfFile
from pairing.management.event_files import (
    UNREADABLE,
    FileProblem,
    Problems,
    add_system_options,
    print_out,
    problems_of,
    read_file,
    take_snapshot,
)
from pairing.reasons.explanations import sentence


class Command(BaseCommand):
    help = "Pair the next round of tournament report files (TRF) and print the boards."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_system_options(parser)
        parser.add_argument("--format", default="text", choices=("text", "json"))
        parser.add_argument("--explain", action="store_true", help="print under each pair the rules that made it")
        parser.add_argument("--output-dir", type=Path, metavar="DIR", help="write each answer to DIR/FILE.pairs")
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *, files: list[str], **options: Any) -> None:
        output_dir: Path | None = options["output_dir"]
        if output_dir:
            _prepare(output_dir, files)
        problems = Problems(files=len(files), stderr=self.stderr)
        for path in files:
            with problems.noted():
                answer = self._answer(path, options)
                if output_dir:
                    _write(output_dir / f"{Path(path).name}.pairs", answer)
                else:
                    headed = len(files) > 1 and options["format"] == "text"
                    print_out(self.stdout, f"{path}:\n{answer}" if headed else answer)
        problems.raise_worst()

    def _answer(self, path: str, options: dict[str, Any]) -> str:
        trf = read_file(path)
        snapshot = take_snapshot(trf, options)
        self._warn(trf, snapshot)
        with problems_of(path):
            if not any(card.unavailable is None for card in snapshot.cards):
                raise FileProblem(f"{path}: nobody is to be paired in round {snapshot.round_number}", UNREADABLE)
            paired = SYSTEMS[snapshot.system](snapshot)
        if options["format"] == "json":
            return json.dumps(_as_json(paired), ensure_ascii=False) + "\n"
        names = {
            card.tpn: f"{card.name} ({card.tpn})" if card.name else f"number {card.tpn}" for card in snapshot.cards
        }
        return "".join(f"{line}\n" for line in _as_text(paired, names if options["explain"] else None))

    def _warn(self, trf: TrfFile, snapshot: TournamentSnapshot) -> None:
        """What does not stop the pairing is said, but not on the standard output."""
        for warning in trf.warnings:
            self.stderr.write(f"{trf.name}: warning: {warning}", style_func=str)
        announced = snapshot.rounds_announced
        if announced is not None and snapshot.round_number > announced:
            message = f"round {snapshot.round_number} is paired, but only {announced} rounds are announced"
            self.stderr.write(f"{trf.name}: warning: {message}", style_func=str)


def _prepare(output_dir: Path, files: list[str]) -> None:
    """The folder for the answers, which must have a name of its own for each."""
    names = [Path(path).name for path in files]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise CommandError(f"two files with one name: {', '.join(sorted(twice))}", returncode=UNREADABLE)
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{output_dir}: cannot be written: {error.strerror}", returncode=UNREADABLE) from error


def _write(path: Path, answer: str) -> None:
    try:
        path.write_text(answer, encoding="utf-8")
    except OSError as error:
        raise FileProblem(f"{path}: cannot be written: {error.strerror}", UNREADABLE) from error


def _as_text(paired: PairedRound, names: dict[PairingNumber, str] | None) -> list[str]:
    """The number of pairs and a line a pair; with `names`, the reasons under each."""
    lines = [str(len(paired.games) + (paired.bye is not None))]
    for game in paired.games:
        lines.append(f"{game.white} {game.black}")
        lines += _reason_lines(game.reasons, names)
    if paired.bye:
        lines.append(f"{paired.bye.player} 0")
        lines += _reason_lines(paired.bye.reasons, names)
    return lines


def _reason_lines(reasons: tuple[Reason, ...], names: dict[PairingNumber, str] | None) -> list[str]:
    if names is None:
        return []
    return [f"    {reason.article}: {sentence(reason, names)}" for reason in reasons]


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
                "pairing_score": _points(player.pairing),
            }
            for player in paired.scores
        ],
    }


def _reason_as_json(reason: Reason) -> dict[str, Any]:
    return {
        "article": reason.article,
        "kind": reason.kind,
        "players": list(reason.players),
        "facts": dict(reason.facts),
    }


def _points(half_points: HalfPoints) -> float:
    return half_points / 2
