"""A process that repeats one task and prints how long each run took, as JSON.

The bench starts one for every figure, so that no task finds the memory of another: `python -m lab.worker TASK ...`.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

from lab.tasks import TASKS

ENOUGH = 60.0
"""No further run is begun after so many seconds."""


def times(task: Callable[[], str], runs: int) -> dict[str, Any]:
    """CPU and wall seconds of every run, with garbage collected before each; `note` is from the last run."""
    cpu: list[float] = []
    wall: list[float] = []
    note = ""
    while len(wall) < runs and sum(wall) < ENOUGH:
        gc.collect()
        cpu_before, wall_before = process_time(), perf_counter()
        note = task()
        cpu.append(process_time() - cpu_before)
        wall.append(perf_counter() - wall_before)
    return {"cpu": cpu, "wall": wall, "note": note}


def main() -> None:
    """Prepare the named task with the other arguments, and measure it; the first argument is the number of runs."""
    runs, name, *arguments = sys.argv[1:]
    task = TASKS[name](*arguments)
    json.dump(times(task, int(runs)), sys.stdout)


if __name__ == "__main__":
    main()
