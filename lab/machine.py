"""The machine that the figures come from, and its present speed."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from lab.figures import seconds_text
from lab.measuring import measure


def machine(runs: int) -> str:
    """A line about the machine, with the seconds of the reference task."""
    reference = measure("reference", runs=runs)
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}. Reference: {seconds_text(reference.cpu)} s."
    )


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown processor"
