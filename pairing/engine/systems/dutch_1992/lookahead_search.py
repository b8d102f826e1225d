"""The candidates of a bracket, modelled with a few vertices for the players who move down.

This is exact with at most one player left over: the matching of all unpaired players gives everyone who could move down
alone. With more, only C12 or C13 is checked, so check the first candidate afterwards. If it passes, no other comes
before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pairing.engine.matching import (
    ConstrainedMatching,
    EdgeCosts,
    MaximumMatching,
    MinConflictMatching,
    bitmask_members,
    bitmask_of,
    find_min_weight_matching,
)
from pairing.engine.systems.dutch_1992.candidate_search import (
    ActiveCriteria,
    BracketContext,
    ExchangeCosts,
    SubgroupMasks,
    VertexPairs,
    ensure_found,
    restrict_to_subgroups,
    split_by_conflict_cost,
)


class LookaheadCandidateSearch:
    """A search with several players left over. It checks C12 if requested, but not C13."""

    def __init__(self, around: BracketContext, left_over: int) -> None:
        self.left_over = left_over
        self._around = around
        self._size = around.bracket.size

    def find_candidates(self, terms: ActiveCriteria, halves: SubgroupMasks, alive: int) -> MinConflictCandidates | None:
        graph = self._graph(terms, halves)
        return None if graph is None else _open(graph, self._around, alive, self._size)

    def find_cheapest_candidate(self, terms: ActiveCriteria, alive: int, prices: ExchangeCosts) -> VertexPairs:
        everyone = (1 << self._size) - 1
        graph = ensure_found(
            self._graph(
                terms, SubgroupMasks(0, everyone, is_s2_separated=False), is_loose=self._leaves_as_few_as_can_be
            )
        )
        every_vertex = (1 << len(graph)) - 1
        alive |= every_vertex >> self._size << self._size
        levels: Sequence[tuple[int, Sequence[int]]] = split_by_conflict_cost(graph, self._around, prices.upper_bound)
        if self._leaves_as_few_as_can_be:
            levels = add_leaving_cost(levels, everyone, prices.upper_bound * (self._size + 1))
        zeros = [0] * (len(graph) - self._size)
        owned = [mask & every_vertex for mask in prices.owned]
        tariff = EdgeCosts(levels, [*owned, *zeros], [*prices.prices, *zeros])
        return ensure_found(
            find_min_weight_matching(
                tariff, alive, self._around.conflict_dual_values(alive, len(graph), prices.upper_bound)
            )
        )

    @property
    def _leaves_as_few_as_can_be(self) -> bool:
        return self.left_over == self._around.min_left_over

    def _graph(self, terms: ActiveCriteria, halves: SubgroupMasks, *, is_loose: bool = False) -> list[int] | None:
        further = self._further(terms, is_loose=is_loose)
        if further is None:
            return None
        graph = [*restrict_to_subgroups(self._around.floats.graph_without_barred_upfloats(terms.up), halves), *further]
        return attach_extra_vertices(graph, self._size, halves.s2)

    def _further(self, terms: ActiveCriteria, *, is_loose: bool = False) -> list[int] | None:
        """Return the vertices for downfloaters, or None. With `is_loose` their number may differ."""
        around = self._around
        if not self.left_over:
            stays = not around.unpaired.min_returning_players and (around.landing.is_open or not terms.look_ahead)
            return [] if stays else None
        may_leave = around.floats.allowed_downfloaters(terms.down)
        if self.left_over == 1:
            completed, landed = around.possible_single_downfloaters
            leaver = completed & may_leave & (landed if terms.look_ahead else completed)
            return [leaver] if leaver else None
        if terms.look_ahead:
            return build_downfloater_opponent_graph(around, may_leave, self.left_over, is_loose=is_loose)
        return [may_leave] * self.left_over


class CompletionCandidateSearch(LookaheadCandidateSearch):
    """A search with as many downfloaters as the lower players need. It checks C13, but not C12."""

    def __init__(self, around: BracketContext, *, look_ahead: bool) -> None:
        """Take `look_ahead`: True if C12 can be kept, as far as is known."""
        super().__init__(around, around.unpaired.min_returning_players)
        self._look_ahead = look_ahead

    @property
    def _leaves_as_few_as_can_be(self) -> bool:
        return False

    def _further(self, terms: ActiveCriteria, *, is_loose: bool = False) -> list[int] | None:
        if terms.look_ahead and not self._look_ahead:
            return None
        return build_completion_partner_graph(self._around, self._around.floats.allowed_downfloaters(terms.down))


def build_downfloater_opponent_graph(
    around: BracketContext, may_leave: int, left_over: int, *, is_loose: bool = False
) -> list[int] | None:
    """Return the graph for C12: residents for the downfloaters and C1's players, and stand-ins for unused residents.

    With `is_loose`, unused residents are each other's stand-ins. This needs fewer vertices, but then the number of
    downfloaters may differ from `left_over`.
    """
    landing, size = around.landing, around.bracket.size
    wanted = left_over + len(landing.moving)
    if landing.size < wanted:
        return None
    # Players with as many opponents as there are players to place always find one.
    opponents = {
        vertex: list(islice(bitmask_members(landing.compatible_residents(around.company.players[vertex])), wanted))
        for vertex in bitmask_members(may_leave)
    }
    moving = [list(islice(bitmask_members(landing.compatible_residents(player)), wanted)) for player in landing.moving]
    residents = sorted({one for ways in (*opponents.values(), *moving) for one in ways})
    spare = len(residents) - wanted
    if spare < 0:
        return None
    places = {resident: size + len(moving) + place for place, resident in enumerate(residents)}
    graph = [bitmask_of(places[resident] for resident in ways) for ways in moving]
    everywhere = bitmask_of(places.values())
    first_spare = size + len(moving) + len(residents)
    if is_loose:
        spare %= 2
    graph += [0] * len(residents) + [everywhere] * spare
    for resident, place in places.items():
        takers = [vertex for vertex, ways in opponents.items() if resident in ways]
        takers += [size + number for number, ways in enumerate(moving) if resident in ways]
        graph[place - size] = bitmask_of([*takers, *range(first_spare, first_spare + spare)])
        if is_loose:
            graph[place - size] |= everywhere & ~(1 << place)
    return graph


def build_completion_partner_graph(around: BracketContext, may_leave: int) -> list[int]:
    """Return the graph for C13: lower components that lack a partner, and players who can be that partner."""
    parts, servers = around.unpaired.components_lacking_partners()
    size = around.bracket.size
    reach = {
        vertex: around.unpaired.compatible_vertices(around.company.players[vertex])
        for vertex in bitmask_members(may_leave)
    }
    graph = [bitmask_of(vertex for vertex, mask in reach.items() if mask & part) for part in parts]
    for place, mask in enumerate(servers, start=len(parts)):
        served = [number for number, part in enumerate(parts) if mask & part]
        graph.append(bitmask_of(size + number for number in served))
        for number in served:
            graph[number] |= 1 << (size + place)
    return graph


def add_leaving_cost(
    levels: Sequence[tuple[int, Sequence[int]]], everyone: int, cost: int
) -> list[tuple[int, Sequence[int]]]:
    """Raise the cost of edges between members and other vertices."""
    size = everyone.bit_length()
    kept: list[tuple[int, Sequence[int]]] = []
    for price, graph in levels:
        own = [mask & everyone if vertex < size else mask & ~everyone for vertex, mask in enumerate(graph)]
        crossing = [mask & ~inner for mask, inner in zip(graph, own, strict=True)]
        kept.append((price, own))
        if any(crossing):
            kept.append((price + cost, crossing))
    return kept


def attach_extra_vertices(graph: list[int], size: int, s2: int) -> list[int]:
    """Connect the extra vertices, which list their neighbours, to members in S2 only."""
    everyone = (1 << size) - 1
    for vertex in range(size, len(graph)):
        graph[vertex] &= ~everyone | s2
        for member in bitmask_members(graph[vertex] & everyone):
            graph[member] |= 1 << vertex
    return graph


def _open(graph: Sequence[int], around: BracketContext, alive: int, size: int) -> MinConflictCandidates | None:
    alive |= ((1 << (len(graph) - size)) - 1) << size
    if not all(graph[vertex] & alive for vertex in bitmask_members(alive)):
        return None
    try:
        clashes = MinConflictMatching(graph, around.white, around.black, alive)
    except ValueError:
        return None
    return MinConflictCandidates(graph, clashes, size)


class MinConflictCandidates:
    """A matching with the fewest clashes, repaired as pairs are fixed."""

    def __init__(self, graph: Sequence[int], clashes: MinConflictMatching, size: int) -> None:
        """Take a graph whose first `size` vertices are members."""
        self.clashes = clashes
        self._graph = graph
        self._size = size
        self._all = clashes.alive
        self._fixed: list[tuple[int, int]] = []
        # Updated only when a refusal needs an explanation.
        self._any_colour: ConstrainedMatching | None = None
        self._dropped = 0

    @property
    def min_conflicts(self) -> int:
        return self.clashes.min_conflicts

    def fix_first_possible_pair(self, vertex: int, candidates: Iterator[int]) -> int | None:
        found = self.clashes.fix_first_possible_pair(vertex, candidates)
        if found is not None:
            self.record_fixed_pair(vertex, found)
        return found

    def record_fixed_pair(self, vertex: int, candidate: int) -> None:
        """Record a pair that was already fixed in the matching `clashes`."""
        self._fixed.append((vertex, candidate))

    @property
    def leaving_members(self) -> int:
        """Bitmask of the members who move down in the current pairing."""
        return bitmask_of(one for one, other in self.clashes.matched_pairs() if one < self._size <= other)

    def possible_partners(self, vertex: int, at_most: int) -> int:
        """Return a bitmask of the vertex's possible partners if there may be at most this many clashes in total."""
        return self.clashes.possible_partners(vertex, at_most)

    def partners_ignoring_colours(self, vertex: int) -> int:
        """Bitmask of the possible partners if clashes are ignored, before any pair is fixed."""
        return MaximumMatching(self._graph, self._all).possible_partners(vertex)

    def rejected_only_for_colours(self, vertex: int, passed: Sequence[int]) -> frozenset[int]:
        if not passed:
            return frozenset()
        if self._any_colour is None:
            self._any_colour = ConstrainedMatching(MaximumMatching(self._graph, self._all))
        earlier = len(self._fixed) - 1
        self._any_colour.fix_pairs(self._fixed[self._dropped : earlier])
        self._dropped = earlier
        return self._any_colour.possible_partners_among(vertex, passed)
