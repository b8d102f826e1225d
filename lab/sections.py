"""The sections of the benchmark: each function measures and returns its part of the page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lab.figures import growth_exponent, seconds_text, table
from lab.measuring import (
    PEER_VARIABLE,
    Failed,
    Figures,
    made,
    measure,
    measure_command,
    measure_peer,
    measure_process,
    peer,
)
from lab.peers import PEERS, NotInstalled, installed
from lab.worst_cases import WORST_CASES
from pairing.engine.systems import SWISS_SYSTEMS

ROUNDS = (2, 5, 9)
GROWTH_FROM = 500
BASE = "dutch-1992"
"""The system of ours that other engines, which pair by its successors, are measured against."""
LONG_ENOUGH = 30.0
"""A program that has taken so many CPU seconds is not asked for a larger event."""
ON_REQUEST = frozenset({"peers"})
"""Sections that install something, and run only where they are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much to measure: numbers of players, runs per figure, worst cases (None: all)."""

    ordinary: Sequence[int]
    command: Sequence[int]
    peer: Sequence[int]
    largest: int
    runs: int
    worst: Sequence[str] | None


def ordinary(sizes: Sizes) -> str:
    """The next round of ordinary events, in process."""
    measured = {
        (system, players, number): measure("pair", system, made("ordinary", str(players), str(number)), runs=sizes.runs)
        for players in sizes.ordinary
        for number in ROUNDS
        for system in SWISS_SYSTEMS
    }
    parts = [
        f"## Ordinary events, in process\n\nRounds {' / '.join(map(str, ROUNDS))} of nine. CPU seconds:",
        _by_players(sizes, lambda system, players: _rounds_text(measured, system, players, "cpu")),
        "Wall seconds:",
        _by_players(sizes, lambda system, players: _rounds_text(measured, system, players, "wall")),
        f"Growth exponent of the CPU seconds from {GROWTH_FROM} players on:",
        table(
            ["", *SWISS_SYSTEMS], [["exponent", *(_growth_text(measured, sizes, system) for system in SWISS_SYSTEMS)]]
        ),
        "Peak memory of the process (Python, the file, the snapshot, the round), MB:",
        _by_players(
            sizes,
            lambda system, players: f"{max(measured[system, players, number].peak for number in ROUNDS):.0f}",
        ),
    ]
    return "\n\n".join(parts)


def worst(sizes: Sizes) -> str:
    """The worst cases, in process."""
    rows = []
    for name in sizes.worst or WORST_CASES:
        path = made("worst", name)
        rows.append([name, *(_pairing_text(system, path, sizes.runs) for system in SWISS_SYSTEMS)])
    return f"## Worst cases, in process\n\nCPU (wall) seconds:\n\n{table(['case', *SWISS_SYSTEMS], rows)}"


def command(sizes: Sizes) -> str:
    """`manage.py pair` and similar commands, including their start."""
    bare = measure_process([sys.executable, "-c", "pass"], 4 * sizes.runs, {})
    rows, memory = [], []
    for players in sizes.command:
        path = made("ordinary", str(players), "5")
        figures = [measure_command(system, path, runs=sizes.runs) for system in SWISS_SYSTEMS]
        rows.append([f"{players:,}", *map(str, figures)])
        memory.append([f"{players:,}", *(f"{one.peak:.0f}" for one in figures)])
    return "\n\n".join(
        [
            "## `manage.py pair`, the whole process\n\nRound 5, nothing cold but the first run. "
            f"A bare interpreter: {bare.cpu:.4f} ({bare.wall:.4f}). CPU (wall) seconds:",
            table(["players", *SWISS_SYSTEMS], rows),
            "Peak memory, MB:",
            table(["players", *SWISS_SYSTEMS], memory),
            f"Other commands, {_MADE_BY}; simulated: nine rounds. CPU (wall) seconds; times a bare interpreter:",
            table(["players", *_OTHERS], [_other_commands(players, bare, sizes.runs) for players in sizes.command[:2]]),
        ]
    )


_MADE_BY = "fide-1989"
"""The system by which the bench's events are made, so that a check of them finds no difference."""
_OTHERS: Mapping[str, Callable[[str, int], list[str]]] = {
    "check_pairings": lambda path, _players: ["check_pairings", "--system", _MADE_BY, path],
    "standings": lambda path, _players: ["standings", "--system", _MADE_BY, path],
    "simulate": lambda path, players: [
        *("simulate", "--system", _MADE_BY, "--players", str(players), "--rounds", "9", "--seed", "1"),
        *("--output", f"{path}.simulated"),
    ],
}


def _other_commands(players: int, bare: Figures, runs: int) -> list[str]:
    path = made("ordinary", str(players), "5")
    figures = [
        measure_process([sys.executable, "manage.py", *make(path, players)], runs, {}) for make in _OTHERS.values()
    ]
    return [f"{players:,}", *(f"{one}; {one.cpu / bare.cpu:.1f}" for one in figures)]


def around(sizes: Sizes) -> str:
    """Report files, standings, import and the round page, each of the largest event."""
    players = str(sizes.largest)
    before_last, after = made("ordinary", players, "9"), made("finished", players)
    tasks = [
        (f"read a report file of {sizes.largest:,} players, 8 rounds", "read", before_last),
        ("write it", "write", before_last),
        (f"standings of {sizes.largest:,} players after 9 rounds, six tie-breaks", "standings", after),
        ("import that report file into a club (SQLite)", "import", after),
        (f"the page of round 2, paired and published, {sizes.largest // 2:,} boards less byes (SQLite)", "page", ""),
    ]
    rows = []
    for what, task, path in tasks:
        try:
            figures = measure(task, path or made("ordinary", players, "2"), runs=sizes.runs)
            rows.append([what, str(figures), f"{figures.peak:.0f}"])
        except Failed as failed:
            rows.append([what, str(failed), "-"])
    return f"## Around the pairing\n\n{table(['', 'CPU (wall) seconds', 'peak MB'], rows)}"


def compared(sizes: Sizes) -> str:
    """Another engine on the same files in the same run, as whole processes."""
    if not peer():
        return f"## Another engine\n\n`{PEER_VARIABLE}` names none."
    rows = []
    for players in sizes.peer:
        for number in ROUNDS:
            path = made("ordinary", str(players), str(number))
            rows.append([f"{players:,}", str(number), *_beside_peer(path, sizes.runs)])
    head = ["players", "round", "the other engine", *(f"{system}: CPU (wall), ratio" for system in SWISS_SYSTEMS)]
    return (
        "## Another engine\n\nWhole processes, CPU (wall) seconds; the ratio is the other engine's CPU seconds by ours."
        f"\n\n{table(head, rows)}"
    )


def beside_peers(sizes: Sizes) -> str:
    """The engines of `lab.peers` on the same files in the same run, as whole processes."""
    try:
        installed()
    except NotInstalled as failed:
        return f"## Engines from PyPI\n\nThey could not be installed: {failed}"
    programs: dict[str, Callable[[str], Figures]] = {
        system: partial(measure_command, system, runs=sizes.runs) for system in SWISS_SYSTEMS
    }
    for name, one in PEERS.items():
        programs[name] = partial(_measure_other, one.command, sizes.runs)
    if peer():
        programs[Path(peer()[0]).name] = partial(measure_peer, runs=sizes.runs)
    measured: dict[str, dict[int, Figures]] = {name: {} for name in programs}
    for players in sizes.peer:
        path = made("ordinary", str(players), "5")
        for name, measured_by in programs.items():
            before = list(measured[name].values())
            if len(before) < sizes.peer.index(players) or any(one.cpu > LONG_ENOUGH for one in before):
                continue
            with suppress(Failed):
                measured[name][players] = measured_by(path)
    return "## Engines from PyPI\n\n" + table(
        ["", *(f"{players:,}: CPU s, times {BASE}, MB" for players in sizes.peer), "exponent"],
        [[name, *_cells(name, measured, sizes)] for name in programs],
    )


def _cells(name: str, measured: Mapping[str, Mapping[int, Figures]], sizes: Sizes) -> list[str]:
    cells = []
    for players in sizes.peer:
        one, base = measured[name].get(players), measured[BASE].get(players)
        shown = one and base and f"{seconds_text(one.cpu)}, {one.cpu / base.cpu:.1f}, {one.peak:.0f}"
        cells.append(shown or "-")
    exponent = growth_exponent({players: one.cpu for players, one in measured[name].items()})
    return [*cells, "-" if exponent is None else f"{exponent:.2f}"]


def _measure_other(command: Callable[[str], list[str]], runs: int, path: str) -> Figures:
    return measure_process(command(path), runs, {})


SECTIONS: Mapping[str, Callable[[Sizes], str]] = {
    "ordinary": ordinary,
    "worst": worst,
    "command": command,
    "around": around,
    "peer": compared,
    "peers": beside_peers,
}


def _beside_peer(path: str, runs: int) -> list[str]:
    ours = [measure_command(system, path, runs=runs) for system in SWISS_SYSTEMS]
    try:
        theirs = measure_peer(path, runs=runs)
    except Failed as failed:
        return [str(failed), *(f"{one}, -" for one in ours)]
    return [str(theirs), *(f"{one}, {theirs.cpu / one.cpu:.1f}" for one in ours)]


def _pairing_text(system: str, path: str, runs: int) -> str:
    """The figures of pairing a file in process, or its error."""
    try:
        return str(measure("pair", system, path, runs=runs))
    except Failed as failed:
        return str(failed)


def _by_players(sizes: Sizes, cell: Callable[[str, int], str]) -> str:
    rows = [[f"{players:,}", *(cell(system, players) for system in SWISS_SYSTEMS)] for players in sizes.ordinary]
    return table(["players", *SWISS_SYSTEMS], rows)


def _rounds_text(measured: Mapping[tuple[str, int, int], Figures], system: str, players: int, kind: str) -> str:
    return " / ".join(seconds_text(getattr(measured[system, players, number], kind)) for number in ROUNDS)


def _growth_text(measured: Mapping[tuple[str, int, int], Figures], sizes: Sizes, system: str) -> str:
    exponents = []
    for number in ROUNDS:
        large = {n: measured[system, n, number].cpu for n in sizes.ordinary if n >= GROWTH_FROM}
        exponent = growth_exponent(large)
        exponents.append("-" if exponent is None else f"{exponent:.2f}")
    return " / ".join(exponents)
