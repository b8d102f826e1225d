"""Pairs fixed one by one: who can still be paired, compared with all perfect matchings of small graphs."""

from __future__ import annotations

import random

import pytest

from pairing.engine.matching import ConstrainedMatching, MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.matching.maximum_matching import AlternatingTree

Pairs = frozenset[tuple[int, int]]


def graph_of(count: int, edges: list[tuple[int, int]]) -> list[int]:
    graph = [0] * count
    for one, other in edges:
        graph[one] |= 1 << other
        graph[other] |= 1 << one
    return graph


def drawn(rng: random.Random) -> list[int]:
    count = 2 * rng.randint(2, 5)
    share = rng.choice([0.35, 0.5, 0.7])
    # Half of the graphs have two classes with few edges inside them, so that whole halves are refused.
    apart = rng.random() < 0.5
    edges = [
        (one, other)
        for one in range(count)
        for other in range(one)
        if rng.random() < (0.15 if apart and (one + other) % 2 == 0 else share + 0.2)
    ]
    return graph_of(count, edges)


def all_of(graph: list[int], left: int) -> list[Pairs]:
    """All perfect matchings of some vertices."""
    if not left:
        return [frozenset()]
    one = (left & -left).bit_length() - 1
    return [
        rest | {(one, other)}
        for other in bitmask_members(graph[one] & left & ~(1 << one))
        for rest in all_of(graph, left & ~(1 << one | 1 << other))
    ]


@pytest.mark.parametrize("seed", range(4))
def test_partners_are_those_of_all_matchings_left(seed: int) -> None:
    rng = random.Random(seed)
    asked = refused = 0
    for _ in range(120):
        graph = drawn(rng)
        everyone = (1 << len(graph)) - 1
        candidates = all_of(graph, everyone)
        if not candidates:
            continue
        narrowing = ConstrainedMatching(MaximumMatching(graph))
        left = everyone
        while left:
            # Only a few, so that results for one vertex are reused for others, and some are out of date.
            for vertex in rng.sample(sorted(bitmask_members(left)), min(3, left.bit_count())):
                can = bitmask_of(sum(pair) - vertex for pairs in candidates for pair in pairs if vertex in pair)
                other = rng.choice(sorted(bitmask_members(left & ~(1 << vertex))))
                assert narrowing.can_pair(vertex, other) == bool(can >> other & 1), graph
                assert not can & ~narrowing.partners_not_ruled_out(vertex), "nobody is ruled out who can be paired"
                if rng.random() < 0.5:
                    assert narrowing.possible_partners(vertex) == can, graph
                some = rng.sample(sorted(bitmask_members(left)), rng.randint(1, left.bit_count()))
                assert bitmask_of(narrowing.possible_partners_among(vertex, some)) == can & bitmask_of(some), graph
                asked += 1
                refused += not can >> other & 1
            chooser = rng.choice(sorted(bitmask_members(left)))
            can = bitmask_of(sum(pair) - chooser for pairs in candidates for pair in pairs if chooser in pair)
            among = can & rng.randrange(everyone + 1) or left
            first = (can & among & -(can & among)).bit_length() - 1
            way = rng.random()
            if way < 0.4:
                assert narrowing.fix_first_possible_pair(chooser, among) == first
            elif way < 0.7:
                narrowing.fix_pairs([(chooser, first)])
            else:
                chooser, first = min(narrowing.matching.matched_pairs())
                narrowing.fix_matched_pairs([(chooser, first)])
            left &= ~(1 << chooser | 1 << first)
            candidates = [pairs for pairs in candidates if (min(chooser, first), max(chooser, first)) in pairs]
    assert asked > 500
    assert refused > 100


def test_without_a_partner_nobody_is_taken() -> None:
    # A path of four: the two in the middle cannot be paired.
    narrowing = ConstrainedMatching(MaximumMatching(graph_of(4, [(0, 1), (1, 2), (2, 3)])))
    assert narrowing.fix_first_possible_pair(1, 1 << 2) is None
    assert narrowing.fix_first_possible_pair(1, 1 << 0 | 1 << 2) == 0


def test_a_refusal_is_asked_once_for_a_whole_barrier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty vertices with all edges and twenty with no edge among them: no two of the first can be paired."""
    half = 20
    edges = [(one, other) for one in range(half) for other in range(one)]
    edges += [(one, half + other) for one in range(half) for other in range(half)]
    narrowing = ConstrainedMatching(MaximumMatching(graph_of(2 * half, edges)))
    grown = 0
    path_to = AlternatingTree.find_augmenting_path

    def counted(self: AlternatingTree, goals: int) -> list[tuple[int, int]]:
        nonlocal grown
        grown += 1
        return path_to(self, goals)

    monkeypatch.setattr(AlternatingTree, "find_augmenting_path", counted)
    for chooser in range(half - 1):
        assert not narrowing.can_pair(chooser, half - 1)
        assert narrowing.fix_first_possible_pair(chooser, (1 << 2 * half) - 1) == half + chooser
    assert grown <= 5


def test_a_third_pair_that_comes_between_spares_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs 0-1, 2-3, 4-5: 0-3 leaves 1 and 2, who may not meet, but both may meet one of the third pair."""
    matching = MaximumMatching(graph_of(6, [(0, 1), (2, 3), (4, 5), (0, 3), (1, 4), (2, 5)]))
    matching.mate[:] = [1, 0, 3, 2, 5, 4]
    narrowing = ConstrainedMatching(matching)

    def refuse(self: AlternatingTree, goals: int) -> list[tuple[int, int]]:
        raise AssertionError("no tree is needed")

    monkeypatch.setattr(AlternatingTree, "find_augmenting_path", refuse)
    assert narrowing.possible_partners_among(0, [1, 3, 5]) == {1, 3}
