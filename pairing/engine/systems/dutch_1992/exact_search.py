"""The candidates of `exact_search` while pairs are fixed one after the other.

The last candidate's downfloaters usually fit the next one too. Then only the other players are paired again. Otherwise
the downfloaters of the pairing that bounds the clashes are tried, and only then a full search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from pairing.engine.matching import (
    EdgeCosts,
    MaximumMatching,
    MinConflictMatching,
    bitmask_members,
    find_min_weight_matching,
)
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.systems.dutch_1992.candidate_search import (
    WEAKEST_CRITERIA,
    ActiveCriteria,
    BracketContext,
    ExchangeCosts,
    RemainingCandidates,
    SubgroupMasks,
    VertexPairs,
    ensure_found,
    restrict_to_subgroups,
    split_by_conflict_cost,
)
from pairing.engine.systems.dutch_1992.completion_criterion import can_have_bye
from pairing.engine.systems.dutch_1992.lookahead_search import (
    CompletionCandidateSearch,
    LookaheadCandidateSearch,
    MinConflictCandidates,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQuery:
    """The members to be paired or moved down: their possible pairs, who may move down, and who must."""

    allowed_pairs: Sequence[int]
    may_leave: int
    alive: int
    look_ahead: bool
    must_leave: int = 0

    def with_player_staying(self, vertex: int) -> CandidateQuery:
        return replace(self, may_leave=self.may_leave & ~(1 << vertex))

    def with_player_leaving(self, vertex: int) -> CandidateQuery:
        return replace(self, must_leave=self.must_leave | 1 << vertex)

    def without_players(self, *vertices: int) -> CandidateQuery:
        alive = self.alive
        for vertex in vertices:
            alive &= ~(1 << vertex)
        return replace(self, alive=alive)


class CandidateFinder(Protocol):
    """The interface through which `ExactCandidates` searches for candidates."""

    def can_leave_together(self, question: CandidateQuery, leaving: int) -> bool:
        """Return True if the `leaving` members may move down together (C12, C13)."""

    def find_any_candidate(self, question: CandidateQuery, at_most: int | None) -> VertexPairs | None:
        """Return a candidate with at most this many clashes (None: any number), or None if there is none."""

    def leaving_members(self, pairs: VertexPairs) -> int:
        """Bitmask of the members who move down."""


class ExactCandidates:
    """The candidates left: a pairing of the players who stay in the current one, and a bound for other candidates."""

    def __init__(
        self,
        exact: CandidateFinder,
        around: BracketContext,
        question: CandidateQuery,
        leaving: int,
        bound: MinConflictCandidates,
    ) -> None:
        """Take the players `leaving` in a candidate with the fewest clashes."""
        self._exact = exact
        self._around = around
        self._question = question
        self._bound = bound
        self._leaving = leaving
        self._staying = self._paired_without(question, leaving)
        self._before = (question, leaving)

    @property
    def min_conflicts(self) -> int:
        return self._staying.min_conflicts

    def fix_first_possible_pair(self, vertex: int, candidates: Iterator[int]) -> int | None:
        self._before = (self._question, self._leaving)
        possible = self._question.allowed_pairs[vertex] & self._question.alive
        least, bounded = self.min_conflicts, False
        for candidate in candidates:
            if not possible >> candidate & 1:
                continue
            if self._stays(vertex, candidate, least) or self._changes(vertex, candidate, least):
                self._bound.record_fixed_pair(vertex, candidate)
                self._question = self._question.without_players(vertex, candidate)
                return candidate
            if not bounded:
                possible, bounded = possible & self._bound.clashes.possible_partners(vertex, least), True
        return None

    def _stays(self, vertex: int, candidate: int, least: int) -> bool:
        """Fix a pair if the same players can then move down."""
        return self._staying.try_fix_pair(vertex, candidate) and self._bound.clashes.try_fix_pair(
            vertex, candidate, least
        )

    def _changes(self, vertex: int, candidate: int, least: int) -> bool:
        """Fix a pair if other players can then move down."""
        mark = self._bound.clashes.create_savepoint()
        if not self._bound.clashes.try_fix_pair(vertex, candidate, least):
            return False
        question = self._question.without_players(vertex, candidate)
        leaving = self._bound.leaving_members
        if not self._exact.can_leave_together(question, leaving):
            pairs = self._exact.find_any_candidate(question, least - self._around.is_colour_conflict(vertex, candidate))
            if pairs is None:
                self._bound.clashes.rollback(mark)
                return False
            leaving = self._exact.leaving_members(pairs)
        self._leaving = leaving
        self._staying = self._paired_without(question, leaving)
        return True

    def rejected_only_for_colours(self, vertex: int, passed: Sequence[int]) -> frozenset[int]:
        question, leaving = self._before
        bounded = self._bound.rejected_only_for_colours(vertex, passed)
        possible = question.allowed_pairs[vertex] & question.alive
        return frozenset(one for one in bounded if possible >> one & 1 and self._fits(vertex, one, question, leaving))

    def _fits(self, vertex: int, candidate: int, question: CandidateQuery, leaving: int) -> bool:
        question = question.without_players(vertex, candidate)
        if (
            not leaving >> candidate & 1
            and not MaximumMatching(question.allowed_pairs, question.alive & ~leaving).deficiency
        ):
            return True
        return self._exact.find_any_candidate(question, None) is not None

    def _paired_without(self, question: CandidateQuery, leaving: int) -> MinConflictMatching:
        return MinConflictMatching(
            question.allowed_pairs, self._around.white, self._around.black, question.alive & ~leaving
        )


MAX_REWEIGHTINGS = 24
"""How many times the cost of contested residents is raised before one of the competing players is fixed in or out."""


class CompetingMembers(NamedTuple):
    """Members who share so few possible opponents that at most `capacity` of them can move down."""

    members: int
    capacity: int


class ExactCandidateSearch:
    """Searches for candidates with all criteria checked together."""

    def __init__(self, around: BracketContext, moved: int) -> None:
        """Take `moved`, the bitmask of S1 in a heterogeneous bracket, 0 in a homogeneous one."""
        self._around = around
        self._size = around.bracket.size
        self._everyone = (1 << self._size) - 1
        self._lower, self._across = self._lower_graph()
        self._free = ExchangeCosts([0] * self._size, [0] * self._size, 1)
        self._refused: set[tuple[object, ...]] = set()
        halves = SubgroupMasks(moved, self._everyone & ~moved, is_s2_separated=False)
        first = ensure_found(self._solve(self._question(WEAKEST_CRITERIA, halves, self._everyone), self._free))
        self.left_over = self.leaving_members(first).bit_count()
        # If the lower players need just as many, their needs give a better bound than C12.
        needed = self.left_over == around.unpaired.min_returning_players
        self._foreseen = (
            CompletionCandidateSearch(around, look_ahead=True)
            if needed
            else LookaheadCandidateSearch(around, self.left_over)
        )

    def find_candidates(self, terms: ActiveCriteria, halves: SubgroupMasks, alive: int) -> RemainingCandidates | None:
        if terms.look_ahead and not self._around.landing.is_open:
            return None
        bound = self._foreseen.find_candidates(terms, halves, alive)
        if bound is None:
            return None
        question = self._question(terms, halves, alive)
        leaving = bound.leaving_members
        if not self.can_leave_together(question, leaving):
            pairs = self.find_min_conflict_candidate(question, bound.min_conflicts)
            if pairs is None:
                return None
            leaving = self.leaving_members(pairs)
        return ExactCandidates(self, self._around, question, leaving, bound)

    def can_leave_together(self, question: CandidateQuery, leaving: int) -> bool:
        """Return True if the `leaving` members may move down together (C12, C13)."""
        return self._around.can_leave_together(leaving, look_ahead=question.look_ahead)

    def find_cheapest_candidate(self, terms: ActiveCriteria, alive: int, prices: ExchangeCosts) -> VertexPairs:
        """Return the pairs of the cheapest candidate. Downfloaters are paired with vertices after the members."""
        question = self._question(terms, SubgroupMasks(0, self._everyone, is_s2_separated=False), alive)
        bound = self._foreseen.find_cheapest_candidate(terms, alive, prices)
        if self.can_leave_together(question, self.leaving_members(bound)):
            return bound
        return ensure_found(self._cheapest(question, prices))

    def find_min_conflict_candidate(self, question: CandidateQuery, least: int) -> VertexPairs | None:
        """Return the candidate with the fewest clashes, known to be at least `least`, or None if there is none."""
        found = self.find_any_candidate(question, None)
        if found is None:
            return None
        while least < self.count_conflicts(found):
            better = self.find_any_candidate(question, least)
            if better is not None:
                return better
            least += 1
        return found

    def find_any_candidate(self, question: CandidateQuery, at_most: int | None) -> VertexPairs | None:
        """Return a candidate with at most this many clashes (None: any number), or None if there is none."""
        key = (
            tuple(question.allowed_pairs),
            question.may_leave,
            question.must_leave,
            question.alive,
            at_most,
            question.look_ahead,
        )
        if key in self._refused:
            return None
        found = self._sought(question, at_most)
        if found is None:
            self._refused.add(key)
        return found

    def _sought(self, question: CandidateQuery, at_most: int | None) -> VertexPairs | None:
        """Raise the prices of crowds until they fit or the price proves that they never will. Otherwise branch."""
        weights: dict[CompetingMembers, int] = {}
        clash_weight, limit = (0, 0) if at_most is None else (1, at_most)
        rivals = 0
        for _ in range(MAX_REWEIGHTINGS):
            pairs = self._solve(question, self._free._replace(upper_bound=clash_weight), weights)
            if pairs is None or self.leaving_members(pairs).bit_count() > self.left_over:
                return None
            leaving, clashes = self.leaving_members(pairs), self.count_conflicts(pairs)
            spent = clash_weight * clashes + sum(
                weight * (leaving & crowd.members).bit_count() for crowd, weight in weights.items()
            )
            if spent > clash_weight * limit + sum(weight * crowd.capacity for crowd, weight in weights.items()):
                return None
            crowd, rivals = self._crowd(question, leaving)
            if crowd is None and (at_most is None or clashes <= limit):
                return pairs
            if crowd is not None:
                weights[crowd] = weights.get(crowd, 0) + 1
            if at_most is not None and clashes > limit:
                clash_weight += 1
        return self._branched(question, at_most, rivals, leaving)

    def _branched(self, question: CandidateQuery, at_most: int | None, rivals: int, leaving: int) -> VertexPairs | None:
        free = (rivals or leaving) & question.may_leave & question.alive & ~question.must_leave
        if not free:
            free = question.may_leave & question.alive & ~question.must_leave
        if not free:
            return None
        vertex = free.bit_length() - 1
        return self.find_any_candidate(question.with_player_staying(vertex), at_most) or self.find_any_candidate(
            question.with_player_leaving(vertex), at_most
        )

    def _cheapest(
        self, question: CandidateQuery, prices: ExchangeCosts, below: int | None = None
    ) -> VertexPairs | None:
        """Return the cheapest candidate if it costs less than `below`."""
        pairs = self._solve(question, prices)
        if pairs is None or self.leaving_members(pairs).bit_count() > self.left_over:
            return None
        if below is not None and self._price(pairs, prices) >= below:
            return None
        crowd, rivals = self._crowd(question, self.leaving_members(pairs))
        if crowd is None:
            return pairs
        if self.find_any_candidate(question, None) is None:
            return None
        free = rivals & ~question.must_leave
        if not free:
            return None
        vertex = free.bit_length() - 1
        staying = self._cheapest(question.with_player_staying(vertex), prices, below)
        if staying is not None:
            below = self._price(staying, prices)
            if below == self._price(pairs, prices):
                return staying
        return self._cheapest(question.with_player_leaving(vertex), prices, below) or staying

    def count_conflicts(self, pairs: VertexPairs) -> int:
        """Count the pairs of members that clash."""
        return self._price(pairs, self._free)

    def leaving_members(self, pairs: VertexPairs) -> int:
        """Bitmask of the members who move down."""
        return sum(1 << one for one, other in pairs if one < self._size <= other)

    def _price(self, pairs: VertexPairs, prices: ExchangeCosts) -> int:
        price = 0
        for one, other in pairs:
            price += prices.upper_bound * self._around.is_colour_conflict(one, other)
            for owner, partner in ((one, other), (other, one)):
                if owner < self._size and prices.owned[owner] >> partner & 1:
                    price += prices.prices[owner]
        return price

    def _crowd(self, question: CandidateQuery, leaving: int) -> tuple[CompetingMembers | None, int]:
        """Find players who compete with some of the leaving for too few residents, and those leavers (C12)."""
        around = self._around
        crowded = (
            around.landing.find_competing_players(around.players_at_vertices(leaving)) if question.look_ahead else []
        )
        if not crowded:
            return None, 0
        places = around.company.places
        residents = 0
        for player in crowded:
            residents |= around.landing.compatible_residents(player)
        rivals = sum(1 << places[player.tpn] for player in crowded if player.tpn in places)
        everyone = 0
        for vertex, player in enumerate(around.company.players):
            if not around.landing.compatible_residents(player) & ~residents:
                everyone |= 1 << vertex
        moving = sum(not around.landing.compatible_residents(player) & ~residents for player in around.landing.moving)
        return CompetingMembers(everyone, residents.bit_count() - moving), rivals

    def _question(self, terms: ActiveCriteria, halves: SubgroupMasks, alive: int) -> CandidateQuery:
        floats = self._around.floats
        return CandidateQuery(
            allowed_pairs=restrict_to_subgroups(floats.graph_without_barred_upfloats(terms.up), halves),
            may_leave=floats.allowed_downfloaters(terms.down) & halves.s2,
            alive=alive,
            look_ahead=terms.look_ahead,
        )

    def _solve(
        self, question: CandidateQuery, prices: ExchangeCosts, weights: dict[CompetingMembers, int] | None = None
    ) -> VertexPairs | None:
        """Find the pairing with the fewest downfloaters, then the fewest clashes, then the lowest price, without C12.

        Each crowd member who moves down also costs its weight.
        """
        size, lower = self._size, len(self._lower)
        count = size + lower
        extra = [0] * size
        for crowd, weight in (weights or {}).items():
            for vertex in bitmask_members(crowd.members):
                extra[vertex] += weight
        crossing: dict[int, list[int]] = {}
        for vertex in bitmask_members(question.may_leave & question.alive):
            mask = self._across[vertex]
            level = crossing.setdefault(extra[vertex], [0] * count)
            level[vertex] = mask
            bit = 1 << vertex
            for other in bitmask_members(mask):
                level[other] |= bit
        inside = question.allowed_pairs
        if question.must_leave:
            inside = [
                0 if question.must_leave >> vertex & 1 else mask & ~question.must_leave
                for vertex, mask in enumerate(inside)
            ]
        beyond = prices.upper_bound * (size + 1) + sum(extra) + 1
        levels = split_by_conflict_cost([*inside, *self._lower], self._around, prices.upper_bound)
        levels += [(beyond + cost, level) for cost, level in crossing.items()]
        every_vertex = (1 << count) - 1
        zeros = [0] * lower
        owned = [mask & every_vertex for mask in prices.owned]
        tariff = EdgeCosts(levels, [*owned, *zeros], [*prices.prices, *zeros])
        return find_min_weight_matching(tariff, question.alive | every_vertex & ~self._everyone)

    def _lower_graph(self) -> tuple[list[int], list[int]]:
        """Return the compatibility of the lower players (bye last) with each other and with the members."""
        size, unpaired = self._size, self._around.unpaired
        company = CompatibilityGraph(unpaired.remaining_players())
        lower = [mask << size for mask in company.neighbour_masks]
        across = [company.compatible_vertices(player) << size for player in self._around.company.players]
        if unpaired.bye is not None:
            bye = 1 << (size + len(lower))
            across = [
                mask | (bye if can_have_bye(player) else 0)
                for mask, player in zip(across, self._around.company.players, strict=True)
            ]
            resting = 0
            for place, player in enumerate(company.players):
                if can_have_bye(player):
                    lower[place] |= bye
                    resting |= 1 << (size + place)
            lower.append(resting)
        return lower, across
