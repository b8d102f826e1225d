"""B5 and B6: no float in the direction of the round before, nor of the one before that, as long as it can be helped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pairing.engine.matching import mask_of
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.field import Contender, Float

Tolerance: TypeAlias = tuple[int, ...]
"""So many rounds back an identical float forbids another one; (1, 2) is the strictest tolerance."""

STRICT: Tolerance = (1, 2)
NEITHER: Tolerance = ()
TOLERANCES: tuple[Tolerance, ...] = (STRICT, (1,), NEITHER)
"""C9 and C10: first B6 is dropped, then B5."""


def barred_by(player: Contender, direction: Float, tolerance: Tolerance) -> int | None:
    """How many rounds back the float was that forbids the player another in that direction; None where none does."""
    return next((back for back in tolerance if player.floated(back) is direction), None)


class FloatRules:
    """B5 and B6 over the members of a bracket, who are the vertices of a company in A2 order."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._by_score = _score_classes(company.players)

    def may_leave(self, tolerance: Tolerance) -> int:
        """Bitmask of those a tolerance lets move down."""
        return self._unbarred(Float.DOWN, tolerance)

    def inside(self, tolerance: Tolerance) -> list[int]:
        """The compatibility graph without pairs whose lower player the tolerance forbids an upfloat."""
        neighbours = self._company.neighbours
        if len(self._by_score) == 1:
            return list(neighbours)
        free = self._unbarred(Float.UP, tolerance)
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

    def _unbarred(self, direction: Float, tolerance: Tolerance) -> int:
        players = self._company.players
        return mask_of(place for place, one in enumerate(players) if barred_by(one, direction, tolerance) is None)


def _score_classes(players: Sequence[Contender]) -> list[int]:
    """Bitmasks of those with the same pairing score, the highest score first."""
    classes: dict[int, int] = {}
    for place, player in enumerate(players):
        classes[player.pairing_score] = classes.get(player.pairing_score, 0) | 1 << place
    return list(classes.values())
