"""Measurements of tasks in a worker, of whole commands and of other engines, always as medians."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from lab.children import Child, run
from lab.figures import seconds_text

PEER_VARIABLE = "CLUBNIGHT_PEER"
MOST_SECONDS = 600.0
"""A process that takes longer is stopped."""
ENOUGH = 60.0
"""No further run of a command is begun after so many seconds."""


class Failed(Exception):
    """A process failed; the message says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Medians in seconds, the peak memory of the process in MB, and the task's own note."""

    cpu: float
    wall: float
    peak: float
    note: str = ""

    def __str__(self) -> str:
        return f"{seconds_text(self.cpu)} ({seconds_text(self.wall)})" + (f", {self.note}" if self.note else "")


def measure(task: str, *arguments: str, runs: int) -> Figures:
    """A task of `lab.tasks`, several times in one worker. Raises Failed."""
    child = _run([sys.executable, "-m", "lab.worker", str(runs), task, *arguments])
    told = json.loads(child.output)
    return Figures(cpu=median(told["cpu"]), wall=median(told["wall"]), peak=child.peak, note=told["note"])


def made(kind: str, *arguments: str) -> str:
    """The path of a file of `lab.events`, which is made if it is missing."""
    return measure("make", kind, *arguments, runs=1).note


def measure_command(system: str, path: str, *, runs: int) -> Figures:
    """`manage.py pair` as a whole process. Raises Failed."""
    command = [sys.executable, "manage.py", "pair", "--system", system, path]
    return measure_process(command, runs, {})


def peer() -> list[str]:
    """The other engine's command from the environment; empty without one."""
    return shlex.split(os.environ.get(PEER_VARIABLE, ""))


def measure_peer(path: str, *, runs: int) -> Figures:
    """The other engine as a whole process: its command, then `-p FILE`. Raises Failed."""
    return measure_process([*peer(), "-p", path], runs, {})


def measure_process(command: Sequence[str], runs: int, environment: dict[str, str]) -> Figures:
    """Any command as a whole process. Raises Failed."""
    children: list[Child] = []
    while len(children) < runs and sum(child.wall for child in children) < ENOUGH:
        children.append(_run(command, environment))
    return Figures(
        cpu=median(child.cpu for child in children),
        wall=median(child.wall for child in children),
        peak=max(child.peak for child in children),
    )


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> Child:
    print(" ".join([Path(command[0]).name, *command[1:]]), file=sys.stderr, flush=True)
    child = run(command, most_seconds=MOST_SECONDS, environment=environment)
    if child.status == -9:
        raise Failed(f"over {MOST_SECONDS:.0f} s")
    if child.status != 0:
        print(child.errors, file=sys.stderr, flush=True)
        raise Failed(f"status {child.status}")
    return child
