"""B5 and B6: no float in the same direction as in the last two rounds, if avoidable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pairing.engine.matching import bitmask_of
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import FloatDirection, PairingPlayer

FloatTolerance: TypeAlias = tuple[int, ...]
"""So many rounds back an identical float forbids another one; (1, 2) is the strictest tolerance."""

STRICT_FLOAT_TOLERANCE: FloatTolerance = (1, 2)
UNRESTRICTED_FLOATS: FloatTolerance = ()
FLOAT_TOLERANCES: tuple[FloatTolerance, ...] = (STRICT_FLOAT_TOLERANCE, (1,), UNRESTRICTED_FLOATS)
"""C9 and C10: first B6 is dropped, then B5."""


def find_barring_float(player: PairingPlayer, direction: FloatDirection, tolerance: FloatTolerance) -> int | None:
    """Return how many rounds back a float bars another in that direction, or None."""
    return next((back for back in tolerance if player.float_rounds_ago(back) is direction), None)


class FloatRules:
    """B5 and B6 for the members of a bracket, the vertices of a company in A2 order."""

    def __init__(self, company: CompatibilityGraph) -> None:
        self._company = company
        self._by_score = _score_classes(company.players)

    def allowed_downfloaters(self, tolerance: FloatTolerance) -> int:
        """Bitmask of the members whom a tolerance lets move down."""
        return self._unbarred(FloatDirection.DOWN, tolerance)

    def graph_without_barred_upfloats(self, tolerance: FloatTolerance) -> list[int]:
        """Return the compatibility graph without pairs whose lower player may not upfloat at this tolerance."""
        neighbours = self._company.neighbour_masks
        if len(self._by_score) == 1:
            return list(neighbours)
        free = self._unbarred(FloatDirection.UP, tolerance)
        allowed: list[int] = []
        higher = 0
        for group in self._by_score:
            for place in range(higher.bit_length(), (higher | group).bit_length()):
                may_meet = group | (free & ~higher)
                if free >> place & 1:
                    may_meet |= higher
                allowed.append(neighbours[place] & may_meet)
            higher |= group
        return allowed

    def _unbarred(self, direction: FloatDirection, tolerance: FloatTolerance) -> int:
        players = self._company.players
        return bitmask_of(
            place for place, one in enumerate(players) if find_barring_float(one, direction, tolerance) is None
        )


def _score_classes(players: Sequence[PairingPlayer]) -> list[int]:
    """Return bitmasks of members with equal pairing scores, highest score first."""
    classes: dict[int, int] = {}
    for place, player in enumerate(players):
        classes[player.pairing_score] = classes.get(player.pairing_score, 0) | 1 << place
    return list(classes.values())
