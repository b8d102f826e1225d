"""An exercise: one event of 100,000 players, which no report file can contain: `python -m lab.huge [PLAYERS]`.

Five rounds between neighbours in the table with results by chance, then the sixth is paired by every system, each in
a process of its own, explanations and all.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from random import Random
from time import process_time

from lab.children import run
from lab.figures import seconds_text, table
from lab.machine import machine
from lab.sketch import Sketch
from pairing.cli.standalone_runner import COLLECTION_THRESHOLD
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import SWISS_SYSTEMS

ROUNDS = 5


def event(players: int, system: str) -> TournamentSnapshot:
    """An even number of players after five rounds, with alternating colours as far as possible."""
    sketch, dice = Sketch(players), Random(players)
    score = [0] * (players + 1)
    whites = [0] * (players + 1)
    for number in range(ROUNDS):
        line = sorted(range(1, players + 1), key=lambda tpn: (-score[tpn], tpn))
        # Everyone plays the player a fixed distance below. The distance changes each round, so few pairs meet twice.
        step = max(1, players // 2 >> number)
        left = set(line)
        for place, tpn in enumerate(line):
            if tpn not in left:
                continue
            left.remove(tpn)
            places = (
                *range(place + step, min(place + step + 40, players)),
                *range(place + 1, min(place + 40, players)),
            )
            other = next((line[one] for one in places if line[one] in left), None)
            if other is None:
                sketch.bye(tpn, 1)
                score[tpn] += 1
                continue
            left.remove(other)
            white, black = (tpn, other) if (whites[tpn], tpn % 2) <= (whites[other], other % 2) else (other, tpn)
            gained = dice.randrange(3)
            sketch.game(white, black, gained)
            score[white] += gained
            score[black] += 2 - gained
            whites[white] += 1
    return sketch.event(system, rounds=9)


def measure(players: int, system: str) -> None:
    """Pair, and print the CPU seconds and the peak memory of this process as JSON."""
    # The same threshold as in commands that pair.
    gc.set_threshold(COLLECTION_THRESHOLD, 50, 100)
    snapshot = event(players, system)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = process_time()
    SWISS_SYSTEMS[system](snapshot)
    seconds = process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    json.dump({"cpu": seconds, "before": before * 1024 / 10**6, "peak": peak * 1024 / 10**6}, sys.stdout)


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rows = []
    for system in SWISS_SYSTEMS:
        child = run([sys.executable, "-m", "lab.huge", str(players), system], most_seconds=1200)
        if child.status:
            rows.append([system, f"status {child.status}", "", child.errors[-200:]])
            continue
        told = json.loads(child.output)
        rows.append([system, seconds_text(told["cpu"]), f"{told['before']:.0f}", f"{told['peak']:.0f}"])
    print(machine(1), end="\n\n")
    print(table([f"{players:,} players", "CPU seconds", "MB of the event itself", "peak MB"], rows))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(int(sys.argv[1]), sys.argv[2])
    else:
        main()
