"""Shortcuts of the weighted search. `test_matching` compares its results with all possibilities."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pairing.engine.matching.blossom_forest import BlossomForest
from pairing.engine.matching.zero_one_matching import ZeroOneCostMatching


def test_values_alone_refuse_without_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four due white and four due black, all compatible: a pair of one colour costs 1."""
    white, black = 0b00001111, 0b11110000
    free, costly = [black] * 4 + [white] * 4, [(white if v < 4 else black) & ~(1 << v) for v in range(8)]
    weighted = ZeroOneCostMatching(free, costly, white | black, [0] * 8, [(v, v + 4) for v in range(4)])
    assert weighted.cost == 0

    def refuse(self: BlossomForest, roots: Sequence[int]) -> None:
        raise AssertionError("no tree is needed")

    monkeypatch.setattr(BlossomForest, "reset_trees", refuse)
    assert weighted.partners_not_ruled_out(0, 0) == black
    assert not weighted.try_fix_pair(0, 1, 0)


def test_a_pair_that_can_be_had_needs_no_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred, all compatible and none due a colour: the path to the partner is found in a few steps."""
    count = 100
    everyone = (1 << count) - 1
    free = [everyone & ~(1 << v) for v in range(count)]
    pairs = [(v, v + 1) for v in range(0, count, 2)]
    weighted = ZeroOneCostMatching(free, [0] * count, everyone, [0] * count, pairs)
    grown = 0
    grow = BlossomForest.grow_tree

    def counted(self: BlossomForest, node: int, link: tuple[int, int]) -> int:
        nonlocal grown
        grown += 1
        return grow(self, node, link)

    monkeypatch.setattr(BlossomForest, "grow_tree", counted)
    assert weighted.try_fix_pair(0, 50, 0)
    assert grown <= 5
    assert len(weighted.matched_pairs()) == count // 2 - 1
