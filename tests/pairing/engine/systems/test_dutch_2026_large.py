"""A large event by dutch-2026: what its groups ask does not grow faster than they do."""

from __future__ import annotations

import pytest

from bench.huge import event
from pairing.engine.paired_round import ReasonKind
from pairing.engine.rules.matching.tree import AlternatingTree
from pairing.engine.systems import SYSTEMS

PLAYERS = 3000


def test_hardly_a_tree_is_grown_for_those_who_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    grown = 0
    path_to = AlternatingTree.path_to

    def counted(self: AlternatingTree, goals: int) -> list[tuple[int, int]]:
        nonlocal grown
        grown += 1
        return path_to(self, goals)

    monkeypatch.setattr(AlternatingTree, "path_to", counted)
    made = SYSTEMS["dutch-2026"](event(PLAYERS, "dutch-2026"))
    passed = sum(why.kind is ReasonKind.PASSED_OVER for game in made.games for why in game.reasons)
    assert passed > PLAYERS, "the event does not ask what this test is for"
    assert grown < PLAYERS / 5
