"""C4 to C9: how many leave a bracket, and who may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from pairing.engine.matching import Matching, mask_of, members
from pairing.engine.systems.dutch_2026.below import Below, Numbering
from pairing.engine.systems.dutch_2026.brackets import Bracket, edges_between, union, with_exits
from pairing.engine.systems.dutch_2026.criteria import Costs
from pairing.engine.systems.dutch_2026.faces import natural_pairs
from pairing.engine.systems.dutch_2026.lookahead import Lookahead
from pairing.engine.systems.dutch_2026.players import unplayed_games


class Leavers(NamedTuple):
    """One step of finding out who may leave: the criterion, and the bitmask of those it has left over."""

    criterion: str
    left: int


class Opened(NamedTuple):
    """A bracket with its exits.

    `matching` leaves nobody over. `certain`: whoever leaves by the exits, C4 to C9 are kept. If not, it is to be tested
    afterwards. `costs` are what is still to be weighed of these criteria, the first first; `leavers` says what each
    has left of those who may leave.
    """

    bracket: Bracket
    matching: Matching
    certain: bool
    costs: tuple[Costs, ...] = ()
    leavers: tuple[Leavers, ...] = ()


class Surroundings:
    """A bracket and what lies below it."""

    def __init__(self, bracket: Bracket, below: Below, group: int) -> None:
        """Take a bracket without exits, of the score group of that number."""
        self.bracket, self.below, self.group = bracket, below, group
        self.level = below.go_down_to(group)
        upper = _first_choosers(bracket)
        self.inside = Matching(bracket.graph, pairs=natural_pairs(bracket.graph, upper, bracket.everyone & ~upper))
        self.lookahead = Lookahead(below, group)

    def open(self) -> Opened:
        """C6: nobody leaves if that can be, or one, or as many as must at least.

        Both a bracket's own lack of partners and that of those below say how many; both are odd, or both are even.
        """
        lacking = max(self.inside.deficiency, self.level.lacking)
        if lacking == 0:
            return Opened(self.bracket, self.inside, certain=True)
        if lacking == 1:
            leavers = self._one_leaver()
            if leavers[-1].left:
                return self._with_exits([leavers[-1].left], certain=True, leavers=leavers)
            return self.open_wide()
        return self._several(lacking)

    @cached_property
    def missable(self) -> int:
        """Bitmask of those without whom as many of the others are paired as with them."""
        return self.inside.decompose().missable

    def _one_leaver(self) -> tuple[Leavers, ...]:
        """C4 to C9 for a single player who leaves."""
        bracket = self.bracket
        missable = self.missable
        could_join = self.below.could_join(self.level)
        fits = mask_of(vertex for vertex in members(missable) if could_join >> bracket.places[vertex] & 1)
        steps = [Leavers("C4", fits)]
        if not fits:
            return tuple(steps)
        # C7: residents have the lowest score of all.
        mdps = bracket.mdps_by_score(fits)
        steps.append(Leavers("C7", fits & bracket.residents or mdps[-1]))
        steps.append(Leavers("C8", self._best_for_next(steps[-1].left)))
        if self.below.bye_score is not None and self.below.bye_score >= bracket.score:
            steps.append(Leavers("C9", self._fewest_unplayed(steps[-1].left)))
        return tuple(steps)

    def _best_for_next(self, leavers: int) -> int:
        places = {self.bracket.places[vertex]: vertex for vertex in members(leavers)}
        return mask_of(places[place] for place in members(self.lookahead.best_of(mask_of(places))))

    def _fewest_unplayed(self, leavers: int) -> int:
        """C9: in a bracket from which only the one goes who gets the bye."""
        unplayed = {vertex: unplayed_games(self.bracket.players[vertex]) for vertex in members(leavers)}
        return mask_of(vertex for vertex, games in unplayed.items() if games == min(unplayed.values()))

    def _several(self, count: int) -> Opened:
        """As many exits as must leave, open to whoever can be among them; tested afterwards."""
        bracket = self.bracket
        who = bracket.everyone
        if self.inside.deficiency == count:
            who &= self.missable
        if self.level.lacking == count:
            could_join = self.below.could_join(self.level)
            who &= mask_of(vertex for vertex in members(who) if could_join >> bracket.places[vertex] & 1)
        if who.bit_count() < count:
            return self.open_wide()
        opened = self._with_exits([who] * count, certain=False, leavers=(Leavers("C6", who),))
        if opened.matching.deficiency:
            return self.open_wide()
        if who.bit_count() == count:
            # Nobody else could be among them, so there is nothing to choose by C7 and C8.
            forced = self.below.accepts(bracket.places[vertex] for vertex in members(who))
            return opened._replace(certain=True) if forced else self.open_wide()
        by_score = tuple(
            Costs("C7", edges_between(mdps, opened.bracket.exits, len(opened.bracket.graph)))
            for mdps in bracket.mdps_by_score(bracket.mdps)
        )
        return opened._replace(costs=by_score)

    def _with_exits(self, exits: Sequence[int], *, certain: bool, leavers: tuple[Leavers, ...]) -> Opened:
        graph = with_exits(self.bracket.graph, exits)
        matching = Matching(graph, pairs=self.inside.pairs())
        return Opened(replace(self.bracket, graph=graph), matching, certain, leavers=leavers)

    def open_wide(self) -> Opened:
        """Everyone below is an exit: C6 to C8 are criteria like the others, asked before them."""
        below, bracket = self.below, self.bracket
        under = list(members(below.under(self.group)))
        places = [*bracket.places, *under]
        graph = Numbering(places).graph(below.neighbours)
        # Those moved down are not paired with one another.
        graph = [own & ~bracket.mdps if vertex < bracket.moved_down else own for vertex, own in enumerate(graph)]
        wide = replace(bracket, graph=tuple(graph))
        following = below.spans[self.group + 1].mask if self.group + 1 < len(below.spans) else 0
        near = bracket.everyone | mask_of(
            vertex for vertex, place in enumerate(under, start=bracket.size) if following >> place & 1
        )
        far = (1 << len(graph)) - 1 & ~near
        costs = [Costs("C6", edges_between(bracket.everyone, wide.exits, len(graph)))]
        costs += (
            Costs("C7", edges_between(mdps, wide.exits, len(graph))) for mdps in bracket.mdps_by_score(bracket.mdps)
        )
        costs.append(Costs("C8", edges_between(near, far, len(graph))))
        costs += (
            Costs("C8", edges_between(some, far, len(graph)))
            for some in (*bracket.mdps_by_score(bracket.mdps), bracket.residents)
        )
        matching = Matching(graph, pairs=self.inside.pairs())
        return Opened(wide, matching, certain=True, costs=tuple(costs))

    def passes(self, leaving: Sequence[int]) -> bool:
        """Whether these may leave together, and C8 cannot be kept better by any others; False also if unknown."""
        places = [self.bracket.places[vertex] for vertex in leaving]
        return self.below.accepts(places) and self.lookahead.is_best(places, self._reachable())

    def _reachable(self) -> int:
        return union(self.below.neighbours[place] for place in self.bracket.places)


def _first_choosers(bracket: Bracket) -> int:
    """Those moved down and the upper half of the residents left, for a pairing to start from."""
    moved = bracket.moved_down
    return (1 << (moved + max(0, bracket.size - 2 * moved) // 2)) - 1
