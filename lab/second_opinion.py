"""Compare `dutch-2026` with independent programs, round by round: `python -m lab.second_opinion`.

Events of every regime and size are played by our engine, written as report files and given to other programs, which
pair each round anew from what was before it. The programs are installed from PyPI into a folder of their own
(`var/second_opinion`), by this command only. Prints Markdown; differences stand below the tables, their files are kept.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO

from lab.figures import table
from lab.opinion_events import REGIMES, play
from pairing.engine.acceleration.baku import accelerated_group_size, fictitious_points_in_round
from pairing.engine.pairing_checker import snapshot_before_round
from pairing.engine.snapshot import STANDARD_POINTS, Colour, Result, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import TrfEdition, TrfHeader, read_trf, snapshot_from_trf, trf_from_snapshot, write_trf

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "var" / "second_opinion"
PROGRAMS = ("gacrux", "caissify-pairings")
SYSTEM = "dutch-2026"
SIZES = (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 21, 30, 31, 50, 61, 100, 151, 300)
CAISSIFY_NOT = ("forbidden pairs", "baku")
"""It reads no lines for these from report files."""
CAISSIFY_UP_TO = 31
"""It takes minutes for larger events."""

Pairs = frozenset[tuple[int, int]]
"""White and black of every board; the player and 0 for the bye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A round that another program pairs differently; `explained` names the part of docs that says why, or nothing."""

    path: Path
    program: str
    regime: str
    players: int
    round: int
    ours: Pairs
    theirs: Pairs
    explained: str


class Others:
    """The other programs, in a process of their own."""

    def __init__(self) -> None:
        """Install them if they are missing, and start."""
        folder = FOLDER / "programs"
        python = folder / "bin" / "python"
        if not python.exists():
            venv.create(folder, with_pip=True)
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PROGRAMS], check=True)
        asked, told = subprocess.PIPE, subprocess.PIPE
        self._process = subprocess.Popen(
            [str(python), str(ROOT / "lab" / "opinion_of_others.py")], stdin=asked, stdout=told, text=True
        )

    def rounds(self, program: str, path: Path) -> Mapping[int, Pairs]:
        """A program's result for every round of a report file. Raises RuntimeError if it fails."""
        _pipe(self._process.stdin).write(f"{program} {path}\n")
        _pipe(self._process.stdin).flush()
        told = json.loads(_pipe(self._process.stdout).readline())
        if "error" in told:
            raise RuntimeError(told["error"])
        return {
            int(number): frozenset((white, black) for white, black in pairs) for number, pairs in told["rounds"].items()
        }

    def close(self) -> None:
        """End their process."""
        _pipe(self._process.stdin).close()
        self._process.wait()


def _pipe(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise AssertionError("the process was started with pipes")
    return stream


class Tally:
    """The numbers of rounds compared and rounds that agree, by program, regime and size."""

    def __init__(self) -> None:
        """Start with no comparisons."""
        self.rounds: Counter[tuple[str, str, int]] = Counter()
        self.differences: list[Difference] = []
        self.failures: list[str] = []

    def tables(self) -> str:
        """The agreement by regime and by size."""
        names = [name for name in REGIMES if any(key[1] == name for key in self.rounds)]
        sizes = sorted({players for _, _, players in self.rounds})
        by_regime = [[name, *(self._cell(program, regime=name) for program in PROGRAMS)] for name in names]
        by_size = [[str(size), *(self._cell(program, players=size) for program in PROGRAMS)] for size in sizes]
        in_all = [["all", *(self._cell(program) for program in PROGRAMS)]]
        return "\n\n".join(
            [
                "Rounds compared / paired otherwise / of these not explained:",
                table(["regime", *PROGRAMS], by_regime + in_all),
                table(["players", *PROGRAMS], by_size),
            ]
        )

    def _cell(self, program: str, *, regime: str | None = None, players: int | None = None) -> str:
        def counts(its_program: str, its_regime: str, its_players: int) -> bool:
            return its_program == program and regime in (None, its_regime) and players in (None, its_players)

        rounds = sum(number for key, number in self.rounds.items() if counts(*key))
        others = [one for one in self.differences if counts(one.program, one.regime, one.players)]
        return f"{rounds} / {len(others)} / {sum(not one.explained for one in others)}" if rounds else "-"


def report_file(name: str, event: TournamentSnapshot) -> bytes:
    """An event as a report file that the other programs can read, too."""
    ranks = {card.tpn: card.tpn for card in event.cards}
    text = write_trf(
        trf_from_snapshot(event, header=TrfHeader(tournament=name), ranks=ranks, edition=TrfEdition.TRF16)
    ).decode()
    lines = [line for line in text.splitlines() if not line.startswith("XXP")]
    rounds = event.rounds_announced or 0
    lines += (f"260   1 {rounds:3} {a:4} {b:4}" for a, b in sorted(sorted(pair) for pair in event.forbidden_pairs))
    for number in range(1, rounds + 1) if event.acceleration == "baku" else ():
        points = fictitious_points_in_round(number, rounds)
        if points:
            group = accelerated_group_size(len(event.cards))
            lines.append(f"250  0.0 {points / 2:4.1f} {number:3} {number:3}    1 {group:4}")
    return ("\n".join(lines) + "\n").encode()


def made_in(event: TournamentSnapshot, number: int) -> Pairs:
    """The pairs of a round in the event."""
    made: set[tuple[int, int]] = set()
    for card in event.cards:
        record = card.records[number - 1]
        if record.result is Result.PAIRING_ALLOCATED_BYE:
            made.add((card.tpn, 0))
        elif record.opponent is not None and record.colour is Colour.WHITE:
            made.add((card.tpn, record.opponent))
    return frozenset(made)


def compare(path: Path, regime: str, others: Others, tally: Tally, programs: Sequence[str] = PROGRAMS) -> None:
    """Every round of a report file."""
    event = snapshot_from_trf(read_trf(path.read_bytes(), name=path.name), system=SYSTEM)
    players = len(event.cards)
    differ: dict[tuple[str, int], Pairs] = {}
    asked = []
    for program in programs:
        if program == "caissify-pairings" and (regime in CAISSIFY_NOT or players > CAISSIFY_UP_TO):
            continue
        try:
            rounds = others.rounds(program, path)
        except RuntimeError as failure:
            tally.failures.append(f"{path.name}: {program}: {failure}")
            continue
        asked.append(program)
        for number in range(1, event.rounds_paired + 1):
            tally.rounds[program, regime, players] += 1
            paired = frozenset(pair for pair in rounds.get(number, ()) if pair[1] or _got_bye(event, pair[0], number))
            if paired != made_in(event, number):
                differ[program, number] = paired
    for (program, number), theirs in differ.items():
        ours = made_in(event, number)
        tally.differences.append(
            Difference(
                path=path,
                program=program,
                regime=regime,
                players=players,
                round=number,
                ours=ours,
                theirs=theirs,
                explained=_explained(event, program, number, ours, theirs),
            )
        )


def _got_bye(event: TournamentSnapshot, tpn: int, number: int) -> bool:
    """Whether a bye in a program's answer was allocated by it, not requested."""
    record = next(card for card in event.cards if card.tpn == tpn).records[number - 1]
    return record.result.is_from_pairing


def _explained(event: TournamentSnapshot, program: str, number: int, ours: Pairs, theirs: Pairs) -> str:
    """Return the heading in docs/project/independent-programs.md that explains this kind of difference, or nothing."""
    before = snapshot_before_round(event, number)
    only_ours = ours - theirs
    if {frozenset(pair) for pair in ours} == {frozenset(pair) for pair in theirs}:
        if not any(record.is_played for card in before.cards if _is_in(card.tpn, only_ours) for record in card.records):
            return INITIAL_COLOUR
        if program == "caissify-pairings" and all(_higher_has_larger_number(before, pair) for pair in only_ours):
            return HIGHER_BY_NUMBER
    bye = next((one for one, other in only_ours if not other), None)
    if program == "caissify-pairings" and bye is not None and _was_away(before, bye):
        return BYE_AFTER_ABSENCE
    if program == "caissify-pairings" and any(
        _was_away(before, tpn, rounds=2) for pair in only_ours for tpn in pair if tpn
    ):
        return ABSENCE_AS_FLOAT
    if program == "caissify-pairings" and _unequal(before, theirs) > _unequal(before, ours):
        return MORE_FLOATERS
    return ""


INITIAL_COLOUR = "the initial colour when somebody is absent"
HIGHER_BY_NUMBER = "the higher ranked by number"
BYE_AFTER_ABSENCE = "the bye after an absence"
ABSENCE_AS_FLOAT = "an absence as a float"
MORE_FLOATERS = "more downfloaters"


def _is_in(tpn: int, pairs: Pairs) -> bool:
    return any(tpn in pair for pair in pairs)


def _higher_has_larger_number(before: TournamentSnapshot, pair: tuple[int, int]) -> bool:
    """Whether the player with more points has the larger number, so that the two orders are opposite."""
    points = {
        card.tpn: sum(STANDARD_POINTS.points_for_result(record.result) for record in card.records)
        for card in before.cards
        if card.tpn in pair
    }
    return bool(pair[1]) and points[min(pair)] < points[max(pair)]


def _unequal(before: TournamentSnapshot, pairs: Pairs) -> int:
    """The number of pairs in a round with different points."""
    points = {
        card.tpn: sum(STANDARD_POINTS.points_for_result(record.result) for record in card.records)
        for card in before.cards
    }
    return sum(bool(other) and points[one] != points[other] for one, other in pairs)


def _was_away(before: TournamentSnapshot, tpn: int, rounds: int | None = None) -> bool:
    """Whether the player missed one of the last rounds (default: any), unpaired, without the points of a win."""
    records = next(card.records for card in before.cards if card.tpn == tpn)
    records = records if rounds is None else records[-rounds:]
    return any(record.opponent is None and STANDARD_POINTS.points_for_result(record.result) < WIN for record in records)


WIN = 2


def events(sizes: Sequence[int], seeds: range, regimes: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """The files of events of these regimes, sizes and seeds, made one by one."""
    folder = FOLDER / "events"
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        for players in sizes:
            for regime in regimes:
                path = folder / f"{regime.replace(' ', '-')}-{players}-{seed}.trf"
                path.write_bytes(report_file(path.stem, play(regime, players, seed, SYSTEM, PAIRING_SYSTEMS[SYSTEM])))
                yield regime, path


def main(arguments: list[str] | None = None) -> int:
    """Play, pair with the other programs and compare; 1 if a difference is not explained."""
    parser = argparse.ArgumentParser(prog="python -m lab.second_opinion", description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=lambda text: [int(one) for one in text.split(",")], default=list(SIZES))
    parser.add_argument("--seeds", type=int, default=4, help="events of each size and regime")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--minutes", type=int, default=600, help="begin no further event after so many")
    parser.add_argument("--regime", choices=REGIMES, action="append")
    parser.add_argument("--program", choices=PROGRAMS, action="append")
    parser.add_argument("files", nargs="*", type=Path, help="finished report files to compare instead")
    options = parser.parse_args(arguments)
    others, tally = Others(), Tally()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    listed = [("files", path) for path in options.files] or events(options.sizes, seeds, options.regime or [*REGIMES])
    started = monotonic()
    for regime, path in listed:
        if monotonic() - started > 60 * options.minutes:
            print(f"Stopped before {path.name}.", file=sys.stderr)
            break
        before = len(tally.differences)
        compare(path, regime, others, tally, options.program or PROGRAMS)
        if not options.files and len(tally.differences) == before:
            path.unlink()
    others.close()
    print(tally.tables())
    for one in tally.differences:
        print(
            f"\n{one.path.name}, round {one.round}, {one.program}"
            f"{': ' + one.explained if one.explained else ''}\n"
            f"    ours:   {_spelled(one.ours - one.theirs)}\n    theirs: {_spelled(one.theirs - one.ours)}"
        )
    print(*tally.failures, sep="\n", file=sys.stderr)
    return 1 if any(not one.explained for one in tally.differences) else 0


def _spelled(pairs: Pairs) -> str:
    return " ".join(f"{white}-{black or 'bye'}" for white, black in sorted(pairs)) or "-"


if __name__ == "__main__":
    sys.exit(main())
