"""Other engines from PyPI, in a folder only for the benchmark: `python -m lab.peers`.

They pair by FIDE's present Dutch rules; none is a dependency of the project. `installed` gives the Python that has
them, `PEERS` how each is called with a report file.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "var" / "peers"
PYTHON = FOLDER / "bin" / "python"


class Peer(NamedTuple):
    """A program: its pip requirement, and its command for a report file (its output can go anywhere)."""

    requirement: str
    command: Callable[[str], list[str]]


def _gacrux(path: str) -> list[str]:
    return [str(PYTHON), "-m", "gacrux.pairingchecker", "-i", path, "-p", "-d", "T"]


def _py4swiss(path: str) -> list[str]:
    return [str(FOLDER / "bin" / "py4swiss"), "-t", path, "-p", "/dev/stdout"]


def _caissify(path: str) -> list[str]:
    return [str(PYTHON), str(Path(__file__).with_name("caissify_pair.py")), path]


PEERS: Mapping[str, Peer] = {
    "gacrux": Peer("gacrux==1.11.65", _gacrux),
    "py4swiss": Peer("py4swiss==0.3.1", _py4swiss),
    "caissify-pairings": Peer("caissify-pairings==0.5.0", _caissify),
}


class NotInstalled(Exception):
    """Pip did not install a program; the message is its last output."""


def installed(*names: str) -> Path:
    """The Python with these programs (default: all of `PEERS`), installed now if they are missing.

    Raises NotInstalled.
    """
    wanted = [PEERS[name].requirement for name in names or PEERS]
    if not PYTHON.exists():
        venv.create(FOLDER, with_pip=True)
    there = _said([str(PYTHON), "-m", "pip", "freeze"])
    missing = [requirement for requirement in wanted if requirement not in there.split()]
    if missing:
        print(f"installing {', '.join(missing)} into {FOLDER}", file=sys.stderr, flush=True)
        _said([str(PYTHON), "-m", "pip", "install", "--quiet", *missing])
    return PYTHON


def _said(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalled((done.stderr or done.stdout).strip().rpartition("\n")[2])
    return done.stdout


if __name__ == "__main__":
    print(_said([str(installed()), "-m", "pip", "freeze"]), end="")
