"""Downfloaters (C4 to C9): how many players leave a bracket, and which ones may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.matching.zero_one_matching import ZeroOneCostMatching
from pairing.engine.systems.dutch_2026.brackets import Bracket, add_exit_vertices, bitmask_union, edges_between
from pairing.engine.systems.dutch_2026.candidate_sets import OddSetCandidates, pair_halves_in_order
from pairing.engine.systems.dutch_2026.completion_criterion import CompletionMatching, LocalNumbering
from pairing.engine.systems.dutch_2026.criteria import CriterionCosts
from pairing.engine.systems.dutch_2026.players import count_unplayed_games


class DownfloaterStep(NamedTuple):
    """A criterion for downfloaters, and a bitmask of the players who are still possible after it."""

    criterion: str
    left: int


class BracketWithExits(NamedTuple):
    """A bracket with its exits and a perfect `matching`.

    If `is_certain`, any choice of exits keeps C4 to C9; if not, test the result afterwards. `costs` are the parts of
    these criteria still to be minimised, in order. `leavers` lists the players each criterion leaves.
    """

    bracket: Bracket
    matching: MaximumMatching
    is_certain: bool
    costs: tuple[CriterionCosts, ...] = ()
    leavers: tuple[DownfloaterStep, ...] = ()


class DownfloaterSearch:
    """A search for the downfloaters of a bracket, given the players below it."""

    def __init__(self, bracket: Bracket, below: CompletionMatching, group: int) -> None:
        """Take a bracket without exits, and the number of its score group."""
        self.bracket, self.below, self.group = bracket, below, group
        self.level = below.rollback_to_group(group)
        upper = _first_choosers(bracket)
        self.inside = MaximumMatching(
            bracket.graph, pairs=pair_halves_in_order(bracket.graph, upper, bracket.player_mask & ~upper)
        )
        self.lookahead = NextBracketLookahead(below, group)

    def open_exits(self) -> BracketWithExits:
        """Open as few exits as possible (C6): none, one, or one for each player who must leave.

        The bracket and the players below each need a number of leavers. Both numbers are odd, or both are even.
        """
        lacking = max(self.inside.deficiency, self.level.lacking)
        if lacking == 0:
            return BracketWithExits(self.bracket, self.inside, is_certain=True)
        if lacking == 1:
            leavers = self._one_leaver()
            if leavers[-1].left:
                return self._with_exits([leavers[-1].left], certain=True, leavers=leavers)
            return self.open_exits_to_everyone()
        return self._several(lacking)

    @cached_property
    def missable_vertices(self) -> int:
        """Bitmask of the players whose absence leaves the number of pairs unchanged."""
        return self.inside.decompose_gallai_edmonds().missable

    def _one_leaver(self) -> tuple[DownfloaterStep, ...]:
        """Apply C4 to C9 to a single downfloater."""
        bracket = self.bracket
        missable = self.missable_vertices
        could_join = self.below.partners_of_unmatched(self.level)
        fits = bitmask_of(vertex for vertex in bitmask_members(missable) if could_join >> bracket.places[vertex] & 1)
        steps = [DownfloaterStep("C4", fits)]
        if not fits:
            return tuple(steps)
        # C7: residents have the lowest score.
        mdps = bracket.moved_down_by_score(fits)
        steps.append(DownfloaterStep("C7", fits & bracket.resident_mask or mdps[-1]))
        steps.append(DownfloaterStep("C8", self._best_for_next(steps[-1].left)))
        if self.below.bye_score is not None and self.below.bye_score >= bracket.score:
            steps.append(DownfloaterStep("C9", self._fewest_unplayed(steps[-1].left)))
        return tuple(steps)

    def _best_for_next(self, leavers: int) -> int:
        places = {self.bracket.places[vertex]: vertex for vertex in bitmask_members(leavers)}
        return bitmask_of(
            places[place] for place in bitmask_members(self.lookahead.best_downfloaters(bitmask_of(places)))
        )

    def _fewest_unplayed(self, leavers: int) -> int:
        """Apply C9: only where the single player who leaves gets the bye."""
        unplayed = {vertex: count_unplayed_games(self.bracket.players[vertex]) for vertex in bitmask_members(leavers)}
        return bitmask_of(vertex for vertex, games in unplayed.items() if games == min(unplayed.values()))

    def _several(self, count: int) -> BracketWithExits:
        """Open an exit for each player who must leave, to everyone who may. Test the result afterwards."""
        bracket = self.bracket
        who = bracket.player_mask
        if self.inside.deficiency == count:
            who &= self.missable_vertices
        if self.level.lacking == count:
            could_join = self.below.partners_of_unmatched(self.level)
            who &= bitmask_of(vertex for vertex in bitmask_members(who) if could_join >> bracket.places[vertex] & 1)
        if who.bit_count() < count:
            return self.open_exits_to_everyone()
        opened = self._with_exits([who] * count, certain=False, leavers=(DownfloaterStep("C6", who),))
        if opened.matching.deficiency:
            return self.open_exits_to_everyone()
        if who.bit_count() == count:
            # These are the only possible leavers, so C7 and C8 have nothing to choose.
            forced = self.below.has_legal_round_with(bracket.places[vertex] for vertex in bitmask_members(who))
            return opened._replace(is_certain=True) if forced else self.open_exits_to_everyone()
        by_score = tuple(
            CriterionCosts("C7", edges_between(mdps, opened.bracket.exit_vertices_mask, len(opened.bracket.graph)))
            for mdps in bracket.moved_down_by_score(bracket.moved_down_mask)
        )
        return opened._replace(costs=by_score)

    def _with_exits(
        self, exits: Sequence[int], *, certain: bool, leavers: tuple[DownfloaterStep, ...]
    ) -> BracketWithExits:
        graph = add_exit_vertices(self.bracket.graph, exits)
        matching = MaximumMatching(graph, pairs=self.inside.matched_pairs())
        return BracketWithExits(replace(self.bracket, graph=graph), matching, certain, leavers=leavers)

    def open_exits_to_everyone(self) -> BracketWithExits:
        """Turn everyone below into an exit. C6 to C8 become ordinary criteria, minimised before the other criteria."""
        below, bracket = self.below, self.bracket
        under = list(bitmask_members(below.mask_below_group(self.group)))
        places = [*bracket.places, *under]
        graph = LocalNumbering(places).to_local_graph(below.neighbours)
        # Moved-down players are not paired with one another.
        graph = [
            own & ~bracket.moved_down_mask if vertex < bracket.moved_down_count else own
            for vertex, own in enumerate(graph)
        ]
        wide = replace(bracket, graph=tuple(graph))
        following = below.spans[self.group + 1].vertex_mask if self.group + 1 < len(below.spans) else 0
        near = bracket.player_mask | bitmask_of(
            vertex for vertex, place in enumerate(under, start=bracket.size) if following >> place & 1
        )
        far = (1 << len(graph)) - 1 & ~near
        costs = [CriterionCosts("C6", edges_between(bracket.player_mask, wide.exit_vertices_mask, len(graph)))]
        costs += (
            CriterionCosts("C7", edges_between(mdps, wide.exit_vertices_mask, len(graph)))
            for mdps in bracket.moved_down_by_score(bracket.moved_down_mask)
        )
        costs.append(CriterionCosts("C8", edges_between(near, far, len(graph))))
        costs += (
            CriterionCosts("C8", edges_between(some, far, len(graph)))
            for some in (*bracket.moved_down_by_score(bracket.moved_down_mask), bracket.resident_mask)
        )
        matching = MaximumMatching(graph, pairs=self.inside.matched_pairs())
        return BracketWithExits(wide, matching, is_certain=True, costs=tuple(costs))

    def count_below(self) -> int:
        """Count the players below the bracket's score group."""
        return len(self.below.players) - self.below.spans[self.group].end

    def can_leave_together(self, leaving: Sequence[int]) -> bool:
        """Return True if these players are known to be able to leave together and to be the best under C8."""
        places = [self.bracket.places[vertex] for vertex in leaving]
        return self.below.has_legal_round_with(places) and self.lookahead.is_best_for_next_bracket(
            places, self._reachable()
        )

    def _reachable(self) -> int:
        return bitmask_union(self.below.neighbours[place] for place in self.bracket.places)


def _first_choosers(bracket: Bracket) -> int:
    """The moved-down players and the upper half of the remaining residents, to start a pairing from."""
    moved = bracket.moved_down_count
    return (1 << (moved + max(0, bracket.size - 2 * moved) // 2)) - 1


class NextBracketLookahead:
    """The score group below a bracket, and everyone below that. Players are given by their places among all players."""

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
        """Return True if these downfloaters are known to be the best for the next bracket.

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
            add_exit_vertices(
                numbering.to_local_graph(self._below.neighbours), [numbering.renumber_mask(mask) for mask in meets]
            )
        )
        far = numbering.renumber_mask(self._far)
        everyone = (1 << len(graph)) - 1
        leaving = edges_between(everyone & ~far, far, len(graph))
        free = [own & ~mask for own, mask in zip(graph, leaving, strict=True)]
        costly = [own & mask for own, mask in zip(graph, leaving, strict=True)]
        newcomers = everyone >> len(places) << len(places)
        whole = MaximumMatching(free, pairs=pair_halves_in_order(free, newcomers, everyone & ~far & ~newcomers))
        if whole.deficiency and MaximumMatching(graph, pairs=whole.matched_pairs()).deficiency:
            return None
        return ZeroOneCostMatching(free, costly, everyone, [0] * len(graph), whole.matched_pairs())
