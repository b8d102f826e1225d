"""Compare the matching code with two libraries: `python -m lab.matching`, with rustworkx and networkx installed.

One score group after four rounds, in which most may play one another; and one in which everyone has five opponents at
most. Three questions: a pairing of all; one with the fewest pairs due the same colour; and the whole group paired in
turn, each with the first who leaves the rest a pairing. Neither library keeps a matching while a graph changes, so each
is asked anew for every candidate. CPU seconds, best of three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from time import process_time
from typing import Any

from lab.figures import seconds_text, table
from pairing.engine.matching import MaximumMatching, MinConflictMatching, bitmask_members, bitmask_of

SIZES = (50, 200, 500, 1_000)
ENOUGH = 60.0
"""A way is not asked about a group that would take more seconds if its cost grew with the third power."""

Question = Callable[["Group"], object]


class Group:
    """Players 0, 1, ...: the compatible pairs, and who is due White and Black."""

    def __init__(self, size: int, *, few: bool) -> None:
        dice = Random(size)
        drawn = [0] * size
        numbers = list(range(size))
        for _ in range(5 if few else 4):
            dice.shuffle(numbers)
            for one, other in zip(numbers[::2], numbers[1::2], strict=True):
                drawn[one] |= 1 << other
                drawn[other] |= 1 << one
        self.size = size
        self.white = bitmask_of(place for place in range(size) if dice.random() < 0.5)
        self.black = (1 << size) - 1 & ~self.white
        # The pairs drawn are either the only ones allowed, or those that have met.
        self.neighbours = drawn if few else self._others(drawn, dice)

    def _others(self, met: Sequence[int], dice: Random) -> list[int]:
        absolute = bitmask_of(place for place in range(self.size) if dice.random() < 0.3)
        others = []
        for place in range(self.size):
            due = self.white if self.white >> place & 1 else self.black
            barred = due & absolute if absolute >> place & 1 else 0
            others.append((1 << self.size) - 1 & ~(met[place] | barred | 1 << place))
        return others

    def edges(self, alive: int) -> list[tuple[int, int, int]]:
        """The possible pairs among some players; the third number is 1 if they are due different colours."""
        return [
            (one, other, int((self.white >> one & 1) != (self.white >> other & 1)))
            for one in bitmask_members(alive)
            for other in bitmask_members(self.neighbours[one] & alive >> one << one)
        ]


def own_pairing(group: Group) -> object:
    """`MaximumMatching` from scratch."""
    return MaximumMatching(group.neighbours).matched_pairs()


def own_fewest_clashes(group: Group) -> object:
    """`MinConflictMatching` from scratch."""
    return MinConflictMatching(group.neighbours, group.white, group.black).matched_pairs()


def own_turns(group: Group) -> object:
    """`MaximumMatching`, updated from turn to turn."""
    matching = MaximumMatching(group.neighbours)
    return [matching.fix_first_possible_pair(place, _candidates(matching.alive, place)) for place in _turns(matching)]


def _turns(matching: MaximumMatching) -> Any:
    while matching.alive:
        yield (matching.alive & -matching.alive).bit_length() - 1


def _candidates(alive: int, place: int) -> list[int]:
    """The other half from its top, then the own half from its bottom."""
    left = [other for other in bitmask_members(alive) if other != place]
    half = len(left) // 2
    return [*left[half:], *reversed(left[:half])]


def by_rustworkx(group: Group, alive: int, *, weighted: bool) -> set[tuple[int, int]]:
    """Its `max_weight_matching`; 1 is added to every weight, so that each pair counts."""
    rustworkx = import_module("rustworkx")
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(group.size))
    graph.add_edges_from(group.edges(alive))
    weight = (lambda edge: edge) if weighted else (lambda edge: 1)
    found: set[tuple[int, int]] = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=weight)
    return found


def by_networkx(group: Group, alive: int, *, weighted: bool) -> set[tuple[int, int]]:
    """Its `max_weight_matching`."""
    networkx = import_module("networkx")
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, weight if weighted else 1) for one, other, weight in group.edges(alive))
    found: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found


def library_turns(library: Callable[..., set[tuple[int, int]]]) -> Question:
    """The turns with a matching from scratch for every candidate."""

    def turns(group: Group) -> object:
        alive = (1 << group.size) - 1
        paired = []
        while alive:
            place = (alive & -alive).bit_length() - 1
            for other in _candidates(alive, place):
                rest = alive & ~(1 << place | 1 << other)
                is_open = group.neighbours[place] >> other & 1
                if is_open and 2 * len(library(group, rest, weighted=False)) == rest.bit_count():
                    paired.append(other)
                    alive = rest
                    break
        return paired

    return turns


WAYS: dict[str, dict[str, Question]] = {
    "a pairing of all": {
        "own": own_pairing,
        "rustworkx": lambda group: by_rustworkx(group, (1 << group.size) - 1, weighted=False),
        "networkx": lambda group: by_networkx(group, (1 << group.size) - 1, weighted=False),
    },
    "with the fewest clashes": {
        "own": own_fewest_clashes,
        "rustworkx": lambda group: by_rustworkx(group, (1 << group.size) - 1, weighted=True),
        "networkx": lambda group: by_networkx(group, (1 << group.size) - 1, weighted=True),
    },
    "the whole group in turn": {
        "own": own_turns,
        "rustworkx": library_turns(by_rustworkx),
        "networkx": library_turns(by_networkx),
    },
}


def _row(question: Question, *, few: bool) -> Sequence[str]:
    row: list[str] = []
    before, least = SIZES[0], 0.0
    for size in SIZES:
        if least * (size / before) ** 3 > ENOUGH:
            row.append("-")
            continue
        group = Group(size, few=few)
        taken: list[float] = []
        while len(taken) < 3 and sum(taken) < ENOUGH:
            started = process_time()
            question(group)
            taken.append(process_time() - started)
        before, least = size, min(taken)
        row.append(seconds_text(least))
    return row


def main() -> None:
    """Print a table of all methods and sizes."""
    rows = [
        [what, "at most five" if few else "most", name, *_row(way, few=few)]
        for what, ways in WAYS.items()
        for few in (False, True)
        for name, way in ways.items()
    ]
    print(table(["question", "opponents", "by", *(f"{size:,} players" for size in SIZES)], rows))


if __name__ == "__main__":
    main()
