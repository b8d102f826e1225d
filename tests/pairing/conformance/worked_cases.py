"""Cases by hand: the examples of the documents, and the rounds worked on the pages of the systems."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.engine.literal.facts import Pairing

SYSTEMS = Path(__file__).resolve().parents[3] / "docs" / "arbiter" / "systems"


@dataclass(frozen=True)
class HandCase:
    """An event, the expected round, and its explanation."""

    id: str
    system: str
    article: str
    text: bytes
    pairs: str
    working: str

    @property
    def snapshot(self) -> TournamentSnapshot:
        return snapshot_from_trf(read_trf(self.text, name=self.id), system=self.system)

    @property
    def expected(self) -> Pairing:
        words = self.pairs.split()
        games = tuple((int(white), int(black)) for white, black in (word.split("-") for word in words if "-" in word))
        return games, next((int(word.removeprefix("bye")) for word in words if word.startswith("bye")), None)


def first_round(players: int, *barred: tuple[int, int], rounds: int = 9) -> bytes:
    """Round 1 of so many players, rated 10 points apart. Forbidden pairs must not meet."""
    lines = [f"XXR {rounds}", "XXC white1", *(f"XXP {one} {other}" for one, other in barred)]
    lines += [
        f"001 {tpn:>4}      {f'Player {tpn:02}':<33} {2500 - 10 * tpn:>4}{'':>28} 0.0 {tpn:>4}"
        for tpn in range(1, players + 1)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def _exchange(letter: str, out: int, into: int, *barred: tuple[int, int], pairs: str) -> HandCase:
    return HandCase(
        f"dutch-1992-d2-{letter}",
        "dutch-1992",
        "D2",
        first_round(8, *barred),
        pairs,
        f"S1 and S2 cannot be paired so; exchange {letter} of the table, {out} for {into}, is the first that can",
    )


def _four_after_round_1(rounds: int) -> bytes:
    """1-4 and 2-3 drawn."""
    blocks = ("   4 w =", "   3 w =", "   2 b =", "   1 b =")
    lines = first_round(4, rounds=rounds).decode().splitlines()
    players = [
        line.replace(" 0.0 ", " 0.5 ").ljust(89) + f"  {block}" for line, block in zip(lines[2:], blocks, strict=True)
    ]
    return "".join(f"{line}\n" for line in [*lines[:2], *players]).encode()


_1989 = "fide-1989"

HAND_CASES = (
    HandCase("fide-1989-11-2-first", _1989, "11.2", first_round(6), "1-4 5-2 3-6", "1-4 2-5 3-6, the halves of 9.4"),
    HandCase(
        "fide-1989-11-2-second",
        _1989,
        "11.2",
        first_round(6, (1, 4)),
        "1-5 4-2 3-6",
        "1 may not meet 4; second column of 11.2: 1-5 2-4 3-6",
    ),
    HandCase(
        "fide-1989-11-2-third",
        _1989,
        "11.2",
        first_round(6, (1, 4), (1, 5)),
        "1-6 4-2 3-5",
        "1 may meet neither 4 nor 5; third column: 1-6 2-4 3-5",
    ),
    HandCase(
        "fide-1989-11-2-fourth",
        _1989,
        "11.2",
        first_round(6, (1, 4), (1, 5), (1, 6)),
        "1-3 5-2 6-4",
        "nobody of the lower half is left for 1; fourth column: 1-3 2-5 4-6",
    ),
    HandCase(
        "fide-1989-11-2-fifth",
        _1989,
        "11.2",
        first_round(6, (1, 4), (1, 5), (1, 6), (1, 3)),
        "1-2 3-5 6-4",
        "only 2 is left for 1; fifth column: 1-2 3-5 4-6",
    ),
    HandCase(
        "fide-1989-14-2-forty",
        _1989,
        "14.2",
        first_round(40),
        " ".join(f"{top}-{top + 20}" if top % 2 else f"{top + 20}-{top}" for top in range(1, 21)),
        "the document's own example: 1-21 22-2 3-23 24-4, and so on to 40-20",
    ),
    HandCase(
        "fide-1989-14-1",
        _1989,
        "14.1",
        first_round(7),
        "1-4 5-2 3-6 bye7",
        "the largest number rests; the others are halved",
    ),
    HandCase("dutch-1992-f4", "dutch-1992", "F4", first_round(8), "1-5 6-2 3-7 8-4", "S1 against S2"),
    HandCase("dutch-1992-f4-odd", "dutch-1992", "F4", first_round(7), "1-4 5-2 3-6 bye7", "the lowest is left over"),
    HandCase(
        "dutch-1992-d1-a",
        "dutch-1992",
        "D1",
        first_round(8, (3, 7)),
        "1-5 6-2 3-8 7-4",
        "3 may not meet 7; transposition a: 5-6-8-7",
    ),
    HandCase(
        "dutch-1992-d1-b",
        "dutch-1992",
        "D1",
        first_round(8, (2, 6), (4, 7)),
        "1-5 7-2 3-6 8-4",
        "2 may not meet 6, nor 4 meet 7; a keeps 2-6, so b: 5-7-6-8",
    ),
    _exchange("a", 4, 5, (4, 5), (4, 6), (4, 7), (4, 8), pairs="1-4 6-2 3-7 5-8"),
    _exchange(
        "b",
        4,
        6,
        *((4, other) for other in (5, 6, 7, 8)),
        *((5, other) for other in (6, 7, 8)),
        pairs="1-4 5-2 3-7 8-6",
    ),
    HandCase(
        "dubov-1997-5",
        "dubov-1997",
        "5",
        first_round(8),
        "1-5 6-2 3-7 8-4",
        "upper half against lower half, the colour drawn for the first pair alternating",
    ),
    *(
        HandCase(
            f"{system}-example",
            system,
            "example",
            b"XXC white1\n" + (SYSTEMS / "example.trf").read_bytes(),
            pairs,
            f"step by step in docs/arbiter/systems/{system}.md",
        )
        for system, pairs in (
            ("fide-1989", "1-2 7-4 3-6 8-5"),
            ("jahr", "1-2 7-4 6-3 8-5"),
            ("dutch-1992", "1-2 7-4 6-3 8-5"),
            ("dubov-1997", "1-2 4-7 6-3 8-5"),
        )
    ),
    HandCase("round-robin-6", "round-robin", "annex 1", first_round(6, rounds=5), "1-6 2-5 3-4", "row 1 of the table"),
    HandCase(
        "round-robin-7",
        "round-robin",
        "annex 1",
        first_round(7, rounds=7),
        "2-7 3-6 4-5 bye1",
        "row 1 of the table for eight: 1 would meet 8, who is not there",
    ),
    HandCase(
        "round-robin-twice",
        "round-robin",
        "twice",
        _four_after_round_1(rounds=6),
        "2-4 3-1",
        "three rounds a cycle: rows 2 and 3 of the first change places, so row 3 is the second round",
    ),
)
