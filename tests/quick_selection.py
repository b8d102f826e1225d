"""The tests that `./dev test --quick` leaves out: `python -m lab.quick_tests` chooses them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = ROOT / "tests" / "data" / "left_out_of_quick_runs.txt"
TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)


@cache
def left_out_of_quick_runs() -> frozenset[str]:
    """The tests that are left out, without their parameters. None if nothing has been chosen yet."""
    return frozenset(LEFT_OUT.read_text(encoding="utf-8").split() if LEFT_OUT.exists() else ())


def is_left_out_as_a_whole(path: Path) -> bool:
    """Return True if a file has tests and all are left out, so that it need not be loaded."""
    names = set(TEST.findall(path.read_text(encoding="utf-8")))
    start = f"{path.relative_to(ROOT).as_posix()}::"
    left_out = {name.rpartition("::")[2] for name in left_out_of_quick_runs() if name.startswith(start)}
    return bool(names) and names <= left_out
