"""Measure the standings: `python -m lab.standings [PLAYERS]` (default 10,000), nine rounds, six tie-breaks.

The event is random and not paired by any system: what tie-breaks cost depends on the games, not on who paired them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from random import Random
from time import process_time

from pairing.engine.snapshot import Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.standings import TIE_BREAKS, Ranking

ROUNDS = 9
LISTS = (
    ("BH/C1", "BH", "SB", "PS", "DE", "ARO"),
    ("DE", "WIN", "BH/C1", "BH/M2", "FB", "AOB"),
    ("TPR", "PTP", "APRO", "APPO", "ARO/C1", "RTNG"),
    ("16A", "16B", "T", "E", "DE1", "AR"),
)
_UNPLAYED = (Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.PAIRING_ALLOCATED_BYE)
_GAMES = ((Result.WIN, Result.LOSS), (Result.DRAW, Result.DRAW), (Result.FORFEIT_WIN, Result.FORFEIT_LOSS))


def random_event(players: int, *, seed: int = 1) -> TournamentSnapshot:
    """An event of `ROUNDS` rounds: one game in fifty is a forfeit, one player in fifty has a bye each round."""
    dice = Random(seed)
    tpns = range(1, players + 1)
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in tpns}
    for _ in range(ROUNDS):
        order = list(tpns)
        dice.shuffle(order)
        byes = players // 50
        byes += (players - byes) % 2
        for tpn in order[:byes]:
            records[tpn].append(RoundRecord(result=dice.choice(_UNPLAYED)))
        for white, black in _pairs(order[byes:]):
            of_white, of_black = dice.choices(_GAMES, weights=(67, 31, 2))[0]
            if dice.random() < 0.45:
                of_white, of_black = of_black, of_white
            records[white].append(RoundRecord(result=of_white, opponent=black, colour=Colour.WHITE))
            records[black].append(RoundRecord(result=of_black, opponent=white, colour=Colour.BLACK))
    return TournamentSnapshot(
        cards=tuple(
            PairingCard(tpn=tpn, rating=max(1000, 2700 - tpn // 5), records=tuple(of_player))
            for tpn, of_player in records.items()
        ),
        rounds_paired=ROUNDS,
        rounds_announced=ROUNDS,
        system="dutch-1992",
    )


def _pairs(players: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(players[::2], players[1::2], strict=True)


def _seconds(snapshot: TournamentSnapshot, codes: Sequence[str]) -> float:
    started = process_time()
    Ranking(snapshot, codes).standings  # noqa: B018
    return process_time() - started


def main() -> None:
    """Print CPU seconds (the best of three) for every list, and for every single tie-break."""
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    snapshot = random_event(players)
    for codes in (*LISTS, *((code,) for code in TIE_BREAKS)):
        print(f"{players} players  {min(_seconds(snapshot, codes) for _ in range(3)):6.2f} s  {' '.join(codes)}")


if __name__ == "__main__":
    main()
