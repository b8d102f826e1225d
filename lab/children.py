"""Run a function in a process of its own and measure it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A process that has ended: `cpu` and `wall` in seconds, its peak memory in MB (10**6 bytes), its output."""

    cpu: float
    wall: float
    peak: float
    status: int
    output: str
    errors: str


def run(command: Sequence[str], *, most_seconds: float, environment: Mapping[str, str] | None = None) -> Child:
    """Run a command in the repository and wait for it. After `most_seconds` it is killed (status -9)."""
    with TemporaryFile() as output, TemporaryFile() as errors:
        started = perf_counter()
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
        )
        killer = Timer(most_seconds, child.kill)
        killer.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = perf_counter() - started
        killer.cancel()
        # The process has already been waited for; Popen must not wait again.
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Child(
            cpu=usage.ru_utime + usage.ru_stime,
            wall=wall,
            peak=usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 10**6,
            status=child.returncode,
            output=output.read().decode(errors="replace"),
            errors=errors.read().decode(errors="replace"),
        )
