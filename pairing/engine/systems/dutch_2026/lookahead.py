"""C8: choose the downfloaters after whom the next bracket is best by C6 and C7."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.matching.zero_one_matching import ZeroOneCostMatching
from pairing.engine.systems.dutch_2026.brackets import add_exits, bitmask_union, edges_between
from pairing.engine.systems.dutch_2026.candidate_sets import pair_halves_in_order
from pairing.engine.systems.dutch_2026.completion_criterion import CompletionMatching, LocalNumbering
from pairing.engine.systems.dutch_2026.criteria import CriterionCosts
from pairing.engine.systems.dutch_2026.odd_set_candidates import OddSetCandidates


class NextBracketLookahead:
    """The score group below a bracket, and the players below that; players are given by their places among all."""

    def __init__(self, below: CompletionMatching, group: int) -> None:
        """Take the number of the bracket's own score group."""
        self._below = below
        self._has_next = group + 1 < len(below.spans)
        self._residents = below.spans[group + 1].vertex_mask if self._has_next else 0
        self._level = below.levels[group + 1] if self._has_next else below.levels[group]
        self._far = below.mask_below_group(group + 1) if self._has_next else 0

    def best_downfloaters(self, leavers: int) -> int:
        """Return the downfloaters that are best for the next bracket.

        The candidates all have one score, and each could leave alone.
        """
        if not self._has_next:
            return leavers
        for partners in self._partners_at_best(leavers):
            best = bitmask_of(place for place in bitmask_members(leavers) if self._below.neighbours[place] & partners)
            if best:
                return best
        raise AssertionError("one of them can leave")

    def _partners_at_best(self, leavers: int) -> Sequence[int]:
        """Return bitmasks of partners, best first: a downfloater who may meet one of the first is best."""
        ideal = self._ideal_partners()
        if any(self._below.neighbours[place] & ideal for place in bitmask_members(leavers)):
            return (ideal,)
        places = [*bitmask_members(self._residents | self._far)]
        meets = bitmask_union(self._below.neighbours[place] for place in bitmask_members(leavers))
        matching = self._with_newcomers(places, [meets])
        if matching is None:
            raise AssertionError("one of them can leave")
        found = bitmask_of(places[one] for one in matching.possible_partner_costs(len(places), matching.cost))
        return (found & self._residents, found & self._far)

    def _ideal_partners(self) -> int:
        """Bitmask of the residents a newcomer could meet so that nobody leaves, or one if the number is odd."""
        residents = list(bitmask_members(self._residents))
        graph = self._below.compatibility_graph_of(residents)
        if len(residents) % 2:
            if self._level.lacking:
                return 0
        else:
            if self._level.lacking != 1:
                return 0
            could_join = self._below.partners_of_unmatched(self._level)
            exit_for = bitmask_of(vertex for vertex, place in enumerate(residents) if could_join >> place & 1)
            graph = [own | (exit_for >> vertex & 1) << len(residents) for vertex, own in enumerate(graph)]
            graph.append(exit_for)
        matching = MaximumMatching(graph)
        if matching.deficiency != 1:
            return 0
        missable = matching.decompose_gallai_edmonds().missable
        return bitmask_of(residents[vertex] for vertex in bitmask_members(missable) if vertex < len(residents))

    def is_best_for_next_bracket(self, leavers: Sequence[int], reachable: int) -> bool:
        """Return True if the next bracket is at its best with these downfloaters; False also if unknown.

        `reachable` are the possible partners of all alternatives. The best case has as few leavers as possible.
        Newcomers leave only if no resident is left for them.
        """
        if not self._has_next:
            return True
        places = [*bitmask_members(self._residents | self._far)]
        meets = [self._below.neighbours[place] for place in leavers]
        one_score = len({self._below.players[place].pairing_score for place in leavers}) == 1
        kept = self._with_newcomers(places, [mask & self._residents for mask in meets])
        crossing = 0
        if kept is None and one_score:
            kept = self._with_newcomers(places, meets)
            crossing = max(0, len(leavers) - (reachable & self._residents).bit_count())
            if kept is None or self._crossing(kept, places, len(leavers)) > crossing:
                return False
        if kept is None:
            return False
        if kept.cost == max(self._fewest_of_all(len(leavers)), crossing):
            return True
        ideal = self._with_newcomers(places, [reachable] * len(leavers))
        return ideal is not None and kept.cost == ideal.cost

    def _crossing(self, matching: ZeroOneCostMatching, places: Sequence[int], newcomers: int) -> int:
        """Return the fewest newcomers that leave the next bracket again in a matching of that cost."""
        everyone = len(places) + newcomers
        far = bitmask_of(number for number, place in enumerate(places) if not self._residents >> place & 1)
        crossing = edges_between((1 << everyone) - (1 << len(places)), far, everyone)
        best = OddSetCandidates(matching.optimal_matchings(), ()).keep_best_candidates(CriterionCosts("C7", crossing))
        return sum(crossing[one] >> other & 1 for one, other in best.current_pairs)

    def _fewest_of_all(self, newcomers: int) -> int:
        """Return a lower bound of how many leave the next bracket with any newcomers."""
        odd = (newcomers + self._residents.bit_count()) % 2
        return max(odd, self._level.lacking)

    def _with_newcomers(self, places: Sequence[int], meets: Sequence[int]) -> ZeroOneCostMatching | None:
        """Match the next bracket, those below and some newcomers, with as few leaving that bracket as possible.

        `meets` has a bitmask of possible partners for each newcomer. Newcomers are numbered after the `places`. Return
        None if they cannot all be matched.
        """
        numbering = LocalNumbering(places)
        graph = list(
            add_exits(
                numbering.to_local_graph(self._below.neighbours), [numbering.to_local_mask(mask) for mask in meets]
            )
        )
        far = numbering.to_local_mask(self._far)
        everyone = (1 << len(graph)) - 1
        leaving = edges_between(everyone & ~far, far, len(graph))
        free = [own & ~mask for own, mask in zip(graph, leaving, strict=True)]
        costly = [own & mask for own, mask in zip(graph, leaving, strict=True)]
        newcomers = everyone >> len(places) << len(places)
        whole = MaximumMatching(free, pairs=pair_halves_in_order(free, newcomers, everyone & ~far & ~newcomers))
        if whole.deficiency and MaximumMatching(graph, pairs=whole.matched_pairs()).deficiency:
            return None
        return ZeroOneCostMatching(free, costly, everyone, [0] * len(graph), whole.matched_pairs())
