"""The event files of the benchmark, made once from seeds and kept in `var/bench` under a hash of their code."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import time

from lab.worst_cases import MAKER, WORST_CASES
from pairing.engine.pairing_checker import snapshot_before_round
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import TrfEdition, TrfHeader, trf_from_snapshot, write_trf

ROOT = Path(__file__).resolve().parents[1]
STORE = ROOT / "var" / "lab"
ROUNDS = 9
_A_DAY = 24 * 60 * 60
_MAKERS = (
    "lab/events.py",
    "lab/sketch.py",
    "lab/worst_cases.py",
    "pairing/engine/simulator.py",
    "pairing/engine/rules",
    "pairing/engine/systems/fide_1989",
    "pairing/engine/trf",
)


def ordinary(players: int, round_number: int) -> Path:
    """An ordinary event before one of its nine rounds, with a few forfeits, requested byes and withdrawals."""
    path = _folder() / f"{players}-players-round-{round_number}.trf"
    if not path.exists():
        plan = SimulationPlan(
            players=players,
            rounds=ROUNDS,
            system=MAKER,
            seed=players,
            forfeits=Fraction(1, 100),
            byes=Fraction(1, 100),
            withdrawals=Fraction(1, 200),
        )
        played = simulate_event(plan, PAIRING_SYSTEMS[MAKER])
        for number in range(1, ROUNDS + 1):
            _write(snapshot_before_round(played, number), _folder() / f"{players}-players-round-{number}.trf")
        _write(replace(played, rounds_announced=ROUNDS), _folder() / f"{players}-players-finished.trf")
    return path


def finished(players: int) -> Path:
    """The ordinary event after its nine rounds."""
    return ordinary(players, ROUNDS).with_name(f"{players}-players-finished.trf")


def worst_case(name: str) -> Path:
    """One of `WORST_CASES`."""
    path = _folder() / f"{name}.trf"
    if not path.exists():
        _write(WORST_CASES[name](), path)
    return path


def _write(event: TournamentSnapshot, path: Path) -> None:
    ranks = {card.tpn: card.tpn for card in event.cards}
    trf = trf_from_snapshot(event, header=TrfHeader(tournament=path.stem), ranks=ranks, edition=TrfEdition.TRF16)
    # Another benchmark may be reading, so the file appears complete or not at all.
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(write_trf(trf))
    unfinished.replace(path)


def clear_out() -> None:
    """Remove files made a day ago or earlier; newer ones may belong to another benchmark."""
    for folder in STORE.glob("*"):
        if folder.stat().st_mtime < time() - _A_DAY:
            shutil.rmtree(folder, ignore_errors=True)


def _folder() -> Path:
    """The folder for the files of this version of the code."""
    sources = [path for name in _MAKERS for path in sorted((ROOT / name).rglob("*.py")) or [ROOT / name]]
    made_by = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    folder = STORE / made_by
    folder.mkdir(parents=True, exist_ok=True)
    return folder
