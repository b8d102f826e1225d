"""Make the conformance cases with many players, which no transcription can pair:

    python -m lab.large_cases --program "NAME=COMMAND {file}" --program "NAME=COMMAND {file}"

Each event is before a round of `dutch-2026`. Its expected round is what all the programs of others agree on, at least
two. Our own engine isn't asked. Events on which they disagree are printed and left out.
"""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pairing.cli.conformance import KIT_FOLDER
from pairing.cli.conformance_kit import ConformanceCase, run_conformance_cases
from pairing.engine.pairing_checker import snapshot_before_round
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from tests.pairing.conformance.build import OTHER_PROGRAMS, without_gaps, written

SYSTEM = "dutch-2026"
SIZES = (20, 25, 30, 37, 44, 51, 60, 71, 84, 100, 121, 150)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the conformance cases with many players.")
    parser.add_argument("--program", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    programs = dict(text.split("=", 1) for text in options.program)
    if len(programs) < 2:
        parser.error("two programs are needed")
    index = json.loads((KIT_FOLDER / "index.json").read_text(encoding="utf-8"))
    index["cases"] = [each for each in index["cases"] if not each["source"].startswith(OTHER_PROGRAMS)]
    for place, players in enumerate(SIZES):
        snapshot = _before_some_round(players, options.seed + place)
        text = written(snapshot)
        rounds = {name: _paired_by(command, text) for name, command in programs.items()}
        answers = set(rounds.values())
        if len(answers) > 1 or None in answers:
            print(f"{players} players: no agreement between {', '.join(sorted(rounds))}")
            continue
        (answer,) = answers
        name = f"{SYSTEM}-field-of-{players}"
        (KIT_FOLDER / "cases" / SYSTEM / f"{name}.trf").write_bytes(text)
        index["cases"].append(
            {
                "id": name,
                "system": SYSTEM,
                "article": "whole round",
                "file": f"cases/{SYSTEM}/{name}.trf",
                "acceleration": "none",
                "groups": None,
                "procedure": None,
                "readings": [],
                "pairs": sorted([white, black] for white, black in answer or () if black),
                "bye": next((white for white, black in answer or () if not black), None),
                "source": f"{OTHER_PROGRAMS} {' and '.join(programs)}",
            }
        )
    content = json.dumps(index, indent=1, ensure_ascii=False) + "\n"
    (KIT_FOLDER / "index.json").write_text(content, encoding="utf-8", newline="\n")


def _before_some_round(players: int, seed: int) -> TournamentSnapshot:
    dice = Random(f"large {seed}")
    plan = SimulationPlan(
        players=players,
        rounds=dice.choice([7, 9, 11]),
        system=SYSTEM,
        seed=seed,
        late=Fraction(1, 10),
        byes=Fraction(1, 12),
        withdrawals=Fraction(1, 50),
        forfeits=Fraction(1, 25),
    )
    event = simulate_event(plan, PAIRING_SYSTEMS[SYSTEM])
    return without_gaps(snapshot_before_round(event, dice.randint(3, event.rounds_paired)))


def _paired_by(command: str, text: bytes) -> frozenset[tuple[int, int]] | None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "event.trf")
        path.write_bytes(text)
        case = ConformanceCase(
            id="",
            system=SYSTEM,
            article="",
            file=path,
            acceleration="none",
            groups=None,
            procedure=None,
            readings=(),
            expected=frozenset(),
            others={},
        )
        (result,) = run_conformance_cases([case], command, timeout=120)
        if result.found is None:
            print(result.detail)
        return result.found


if __name__ == "__main__":
    main()
