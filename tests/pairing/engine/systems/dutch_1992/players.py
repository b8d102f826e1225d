"""Players for the tests of the 1992 rules, described only by their rounds."""

from __future__ import annotations

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.builders import event

ANSWERS = {"1": "0", "=": "=", "0": "1"}


def with_colours(*players: str, head: str = "dutch-1992") -> TournamentSnapshot:
    """Players 1, 2, ... by their rounds: `w1 F b=` is a win with White, a full-point bye, a draw with Black.

    Each game was against somebody who is absent now, a different one each time.
    """
    lines: list[str] = []
    absent: list[str] = []
    for tpn, rounds in enumerate(players, start=1):
        cells = rounds.split()
        for place, cell in enumerate(cells):
            if cell[0] in "wb":
                other = 100 + len(absent)
                cells[place] = f"{other}{cell}"
                theirs = ["."] * len(cells)
                theirs[place] = f"{tpn}{'b' if cell[0] == 'w' else 'w'}{ANSWERS[cell[1]]}"
                absent.append(f"{other} 0 {' '.join(theirs)} | Z")
        lines.append(f"{tpn} 0 {' '.join(cells)}")
    return event("\n".join([head, *lines, *absent]))
