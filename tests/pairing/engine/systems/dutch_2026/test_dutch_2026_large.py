"""A large event by dutch-2026: the number of questions in its groups does not grow faster than the groups."""

from __future__ import annotations

import pytest

from lab.huge import event
from pairing.engine.matching.maximum_matching import AlternatingTree
from pairing.engine.paired_round import ReasonKind, list_reason_entries
from pairing.engine.systems import PAIRING_SYSTEMS

PLAYERS = 3000


def test_those_who_are_passed_over_take_few_searches_and_few_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    grown = 0
    path_to = AlternatingTree.find_augmenting_path

    def counted(self: AlternatingTree, goals: int) -> list[tuple[int, int]]:
        nonlocal grown
        grown += 1
        return path_to(self, goals)

    monkeypatch.setattr(AlternatingTree, "find_augmenting_path", counted)
    made = PAIRING_SYSTEMS["dutch-2026"](event(PLAYERS, "dutch-2026"))
    passed = sum(why.kind is ReasonKind.PASSED_OVER for game in made.games for why in game.reasons)
    assert passed > PLAYERS, "the event does not ask what this test is for"
    assert grown < PLAYERS / 5
    told, kept = (sum(len(part(game.reasons)) for game in made.games) for part in (tuple, list_reason_entries))
    assert kept < 0.8 * told, "those of whom the same is said one after the other are one run"
