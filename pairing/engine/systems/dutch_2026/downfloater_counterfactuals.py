"""Which of C4 to C9 rules out a downfloater, pairs or halves that no remaining candidate has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.systems.dutch_2026.candidate_sets import CandidateSet
from pairing.engine.systems.dutch_2026.completion_criterion import CompletionMatching, LocalNumbering
from pairing.engine.systems.dutch_2026.downfloaters import DownfloaterSearch, DownfloaterStep


class DownfloaterCounterfactuals(NamedTuple):
    """A bracket whose downfloaters (`leaving`) are known, and the players that each criterion left, in order.

    Only rare cases need C4 told from C5. So the matching with any bye is built when it is first used.
    """

    search: DownfloaterSearch
    leavers: Sequence[DownfloaterStep]
    leaving: Sequence[int]

    def criterion_against_leaving(self, vertex: int) -> str | None:
        """Return the criterion that stops this player from being the only one to leave, or None if C4 to C9 allow it.

        Only valid where one player leaves.
        """
        return self._criterion_against(1 << vertex)

    def criterion_against_pairs(self, pairs: Sequence[tuple[int, int]]) -> str:
        """Return the criterion that no candidate with these pairs meets as well as the one chosen."""
        bracket = self.search.bracket
        left = bracket.player_mask & ~bitmask_of(vertex for pair in pairs for vertex in pair)
        places = [bracket.places[vertex] for vertex in bitmask_members(left)]
        if not self.search.below.has_legal_round_with(places):
            return "C5" if self._with_any_bye().has_legal_round_with(places) else "C4"
        if len(self.leaving) != 1:
            return "C6"
        matching = MaximumMatching(bracket.graph, left)
        if matching.deficiency != 1:
            return "C6"
        missable = matching.decompose_gallai_edmonds().missable
        # More players would have to leave to keep C4 and C5.
        found = self._criterion_against(missable) or "C6"
        return "C6" if found in ("C4", "C5") else found

    def criterion_against_halves(self, upper: int, lower: int, pairs: Sequence[tuple[int, int]], limbo: int) -> str:
        """Return the criterion that no pairing of all of `upper` with `lower` (bitmasks) meets as well.

        `pairs` are made before, and the moved-down players in `limbo` leave.
        """
        graph = [
            own & lower if upper >> vertex & 1 else own & upper if lower >> vertex & 1 else 0
            for vertex, own in enumerate(self.search.bracket.graph)
        ]
        matching = MaximumMatching(graph, upper | lower)
        if matching.exposed & upper:
            return "C6"
        if len(self.leaving) == 1 and not limbo:
            return self._criterion_against(matching.decompose_gallai_edmonds().missable & lower) or "C6"
        gone = bitmask_of(vertex for pair in pairs for vertex in pair)
        return "C5" if self._can_complete(upper, lower, gone) else "C4"

    def criterion_against_fewer(self) -> str:
        """Return the criterion that keeps fewer players from leaving, where C6 alone would have allowed fewer."""
        if self.search.below.has_open_bye:
            return "C4"
        free = DownfloaterSearch(self.search.bracket, self._with_any_bye(), self.search.group).open_exits_to_everyone()
        fewest = CandidateSet(free.bracket.graph, free.matching).keep_best_candidates(free.costs[0])
        crossing = sum(free.costs[0].costly[one] >> other & 1 for one, other in fewest.current_pairs)
        return "C5" if crossing < len(self.leaving) else "C4"

    def _criterion_against(self, vertices: int) -> str | None:
        """Return the first criterion that leaves none of these players."""
        for criterion, left in self.leavers:
            if not left & vertices:
                if criterion != "C4":
                    return criterion
                missable = vertices & self.search.missable_vertices
                return self._criterion_below(missable) if missable else "C6"
        return None

    def _criterion_below(self, vertices: int) -> str:
        """Tell C4 from C5: return C5 if one of these players could leave alone with another player getting the bye."""
        below, places = self._with_any_bye(), self.search.bracket.places
        could_join = below.partners_of_unmatched(below.levels[self.search.group])
        return "C5" if any(could_join >> places[vertex] & 1 for vertex in bitmask_members(vertices)) else "C4"

    def _can_complete(self, upper: int, lower: int, gone: int) -> bool:
        """Return True if `upper` can meet players in `lower`, and all others but `gone` a legal round (without C5)."""
        below, bracket = self._with_any_bye(), self.search.bracket
        places = [*bracket.places, *bitmask_members(below.mask_below_group(self.search.group))]
        graph = [
            own & lower if upper >> vertex & 1 else own if lower >> vertex & 1 else own & ~upper
            for vertex, own in enumerate(LocalNumbering(places).to_local_graph(below.neighbours))
        ]
        return not MaximumMatching(graph, (1 << len(graph)) - 1 & ~gone).deficiency

    def _with_any_bye(self) -> CompletionMatching:
        below = self.search.below.with_any_bye
        below.rollback_to_group(self.search.group)
        return below
