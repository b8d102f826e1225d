"""Round robin, transcribed literally: the tables of the Handbook, copied by hand, for up to eight players."""

from __future__ import annotations

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal.facts import Pairing

TABLES = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 |"
        " 4-8 5-3 6-2 7-1"
    ),
}
"""The Berger tables of C.05, annex 1, White first."""


def games_of(text: str) -> list[tuple[tuple[int, int], ...]]:
    """Each row of a table."""
    return [
        tuple((int(game.split("-")[0]), int(game.split("-")[1])) for game in row.split()) for row in text.split(" | ")
    ]


def pair(snapshot: TournamentSnapshot) -> Pairing:
    """The row of the round. A double one swaps the last two rounds of its first cycle, then reverses colours."""
    players = len(snapshot.cards)
    rows = games_of(TABLES[players + players % 2])
    if (snapshot.rounds_announced or 0) > len(rows):
        turned = [tuple((black, white) for white, black in row) for row in rows]
        rows = [*rows[:-2], rows[-1], rows[-2], *turned]
    row = rows[snapshot.rounds_paired]
    games = tuple(game for game in row if max(game) <= players)
    return games, next((min(game) for game in row if max(game) > players), None)
