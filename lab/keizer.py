"""Compare the Keizer engine with its literal transcription: `python -m lab.keizer [--rounds 20000] [--seed 1]`.

Seasons of 4 to 40 players are drawn with absences, byes, forfeits, late entries, withdrawals and all options. Before
each round, pairs, colours, totals, ranks and reasons are compared. At a season's end the same comparison is made with
the season written to a report file and read again. The first difference stops the command.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import count

from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.trf import TrfHeader, read_trf, snapshot_from_trf, trf_from_snapshot, write_trf
from tests.pairing.engine.literal.keizer import Keizer
from tests.pairing.engine.systems.keizer.random_seasons import compare, played_season

PLAYERS, ROUNDS = 40, 12
"""The most of a season."""
EXPLAINED = 1
"""How many totals of a round are added up line by line."""


def main() -> None:
    """Print how many seasons and rounds were compared, and how long the cycles of rankings were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=20000, help="how many rounds to compare at least")
    parser.add_argument("--seed", type=int, default=1, help="of the first season")
    options = parser.parse_args()
    rounds = files = 0
    cycles: Counter[int] = Counter()
    begun = time.process_time()
    for seed in count(options.seed):
        snapshot, literal = None, None
        for snapshot, literal in played_season(seed, players=PLAYERS, rounds=ROUNDS):
            try:
                cycles[compare(snapshot, literal, explained=EXPLAINED)] += 1
            except AssertionError as error:
                error.add_note(f"season {seed}, round {snapshot.round_number}, options {literal.told}")
                raise
            rounds += 1
        if snapshot is not None and literal is not None and snapshot.rounds_paired:
            read_back = from_report_file(snapshot)
            if read_back.rounds_paired == snapshot.rounds_paired:  # a file has no last round in which nobody played
                assert {(card.tpn, card.records, card.unavailable) for card in read_back.cards} == {
                    (card.tpn, card.records, card.unavailable) for card in snapshot.cards
                }
                compare(read_back, Keizer(read_back, literal.told), explained=EXPLAINED)
                files += 1
        if rounds >= options.rounds:
            break
        if seed % 100 == 0:
            print(f"{rounds} rounds to season {seed}, cycles {dict(cycles)}", file=sys.stderr, flush=True)
    seasons, seconds = seed - options.seed + 1, time.process_time() - begun
    in_cycles = {length: number for length, number in sorted(cycles.items()) if length > 1}
    print(
        f"{rounds} rounds of {seasons} seasons and {files} report files compared in {seconds:.0f} CPU s: none differs"
    )
    print(f"{sum(in_cycles.values())} rankings ran in a cycle; length and number: {in_cycles}")


def from_report_file(snapshot: TournamentSnapshot) -> TournamentSnapshot:
    """Return a season as it is read back from the report file that says it."""
    ranks = {card.tpn: card.tpn for card in snapshot.cards}
    written = write_trf(trf_from_snapshot(snapshot, header=TrfHeader(tournament="Season"), ranks=ranks))
    return snapshot_from_trf(read_trf(written, name="season.trf"), system="keizer")


if __name__ == "__main__":
    main()
