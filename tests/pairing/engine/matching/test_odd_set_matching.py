"""Possible partners with tight odd sets, compared with all matchings of small graphs that cross each border once."""

from __future__ import annotations

import random

import pytest

from pairing.engine.matching import OddSetMatching, bitmask_members, bitmask_of

Pairs = frozenset[tuple[int, int]]


def odd_sets(rng: random.Random, vertices: list[int], most: int) -> list[int]:
    """Bitmasks of some odd sets of these vertices, disjoint or nested."""
    sets: list[int] = []
    left = list(vertices)
    rng.shuffle(left)
    while len(left) >= 3 and rng.random() < 0.75:
        size = rng.choice([3, 3, 5, 7, 9])
        if size <= min(len(left), most):
            some, left = left[:size], left[size:]
            sets += [bitmask_of(some), *odd_sets(rng, some, size - 2)]
    return sets


def all_within(graph: list[int], borders: list[int], left: int) -> list[Pairs]:
    """All pairings of some vertices that cross no border twice. Those of all vertices cross each once."""
    if not left:
        return [frozenset()]
    one = (left & -left).bit_length() - 1
    found = []
    for other in bitmask_members(graph[one] & left & ~(1 << one)):
        crossed = {border for border in borders if (border >> one ^ border >> other) & 1}
        for rest in all_within(
            graph, [border for border in borders if border not in crossed], left & ~(1 << one | 1 << other)
        ):
            if not any((border >> a ^ border >> b) & 1 for border in crossed for a, b in rest):
                found.append(rest | {(one, other)})
    return found


@pytest.mark.parametrize("seed", range(4))
def test_partners_are_those_of_all_such_matchings(seed: int) -> None:
    rng = random.Random(seed)
    compared = nested = refused = 0
    for _ in range(120):
        count = 2 * rng.randint(2, 6)
        borders = odd_sets(rng, list(range(count)), count - 1)
        share = rng.choice([0.35, 0.5, 0.7])
        edges = [(a, b) for a in range(count) for b in range(a) if rng.random() < share]
        graph = [0] * count
        for one, other in edges:
            graph[one] |= 1 << other
            graph[other] |= 1 << one
        candidates = all_within(graph, borders, (1 << count) - 1)
        if not candidates:
            continue
        kept = sorted(rng.choice(sorted(map(sorted, candidates))))
        matching = OddSetMatching(graph, borders, kept)
        rng.shuffle(kept)
        while True:
            open_ends = bitmask_of(end for pair in kept for end in pair)
            for vertex in bitmask_members(open_ends):
                with_whom = bitmask_of(sum(pair) - vertex for pairs in candidates for pair in pairs if vertex in pair)
                assert matching.possible_partners(vertex) == with_whom, (graph, borders, kept)
                other = rng.choice(list(bitmask_members(open_ends & ~(1 << vertex))))
                assert matching.can_pair(vertex, other) == bool(with_whom >> other & 1)
                compared += 1
                refused += with_whom != graph[vertex] & open_ends
            nested += any(a != b and not a & ~b for a in borders for b in borders)
            if not kept:
                break
            one, other = kept.pop()
            matching.fix_matched_pair(one, other)
            candidates = [pairs for pairs in candidates if (min(one, other), max(one, other)) in pairs]
    assert compared > 500
    assert nested > 20
    assert refused > 100
