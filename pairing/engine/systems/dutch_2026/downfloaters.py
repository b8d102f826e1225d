"""Downfloaters (C4 to C9): how many players leave a bracket, and which ones may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.systems.dutch_2026.brackets import Bracket, add_exits, bitmask_union, edges_between
from pairing.engine.systems.dutch_2026.candidate_sets import pair_halves_in_order
from pairing.engine.systems.dutch_2026.completion_criterion import CompletionMatching, LocalNumbering
from pairing.engine.systems.dutch_2026.criteria import CriterionCosts
from pairing.engine.systems.dutch_2026.lookahead import NextBracketLookahead
from pairing.engine.systems.dutch_2026.players import count_unplayed_games


class DownfloaterStep(NamedTuple):
    """A criterion for downfloaters, and a bitmask of the players it leaves."""

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
    """Find the downfloaters of a bracket, given the players below it."""

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
        """Open as few exits as possible (C6): none, one, or as many as must leave.

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
        """Open an exit for each player who must leave, to everyone who may; test the result afterwards."""
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
            CriterionCosts("C7", edges_between(mdps, opened.bracket.exit_mask, len(opened.bracket.graph)))
            for mdps in bracket.moved_down_by_score(bracket.moved_down_mask)
        )
        return opened._replace(costs=by_score)

    def _with_exits(
        self, exits: Sequence[int], *, certain: bool, leavers: tuple[DownfloaterStep, ...]
    ) -> BracketWithExits:
        graph = add_exits(self.bracket.graph, exits)
        matching = MaximumMatching(graph, pairs=self.inside.matched_pairs())
        return BracketWithExits(replace(self.bracket, graph=graph), matching, certain, leavers=leavers)

    def open_exits_to_everyone(self) -> BracketWithExits:
        """Make everyone below an exit: C6 to C8 become ordinary criteria, minimised before the others."""
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
        costs = [CriterionCosts("C6", edges_between(bracket.player_mask, wide.exit_mask, len(graph)))]
        costs += (
            CriterionCosts("C7", edges_between(mdps, wide.exit_mask, len(graph)))
            for mdps in bracket.moved_down_by_score(bracket.moved_down_mask)
        )
        costs.append(CriterionCosts("C8", edges_between(near, far, len(graph))))
        costs += (
            CriterionCosts("C8", edges_between(some, far, len(graph)))
            for some in (*bracket.moved_down_by_score(bracket.moved_down_mask), bracket.resident_mask)
        )
        matching = MaximumMatching(graph, pairs=self.inside.matched_pairs())
        return BracketWithExits(wide, matching, is_certain=True, costs=tuple(costs))

    def can_leave_together(self, leaving: Sequence[int]) -> bool:
        """Return True if these may leave together and no others are better by C8; False also if unknown."""
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
