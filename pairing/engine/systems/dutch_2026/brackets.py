"""1.3: a bracket, its players as vertices of a graph, and who leaves it through which exit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pairing.engine.matching import mask_of, members
from pairing.engine.rules.colours import PreferenceStrength
from pairing.engine.rules.field import Contender, Float
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber
from pairing.engine.systems.dutch_2026.players import is_due


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The players of a bracket, moved-down ones first, as vertices 0, 1, ...; what lies behind them are exits.

    `places` are their places among all players; `graph` says who may meet whom (no two who were moved down may) and,
    from vertex `size` on, who may leave through which exit. Whoever leaves is matched with an exit.
    """

    score: HalfPoints
    players: tuple[Contender, ...]
    places: tuple[int, ...]
    moved_down: int
    graph: tuple[int, ...]
    topscorers: frozenset[PairingNumber]

    @property
    def size(self) -> int:
        return len(self.players)

    @property
    def everyone(self) -> int:
        return (1 << self.size) - 1

    @property
    def mdps(self) -> int:
        """Bitmask of those moved down."""
        return (1 << self.moved_down) - 1

    @property
    def residents(self) -> int:
        return self.everyone & ~self.mdps

    @property
    def exits(self) -> int:
        return (1 << len(self.graph)) - (1 << self.size)

    def where(self, test: Callable[[Contender], bool]) -> int:
        """Bitmask of the players of whom something is so."""
        return mask_of(vertex for vertex, player in enumerate(self.players) if test(player))

    def due(self, colour: Colour, *strengths: PreferenceStrength) -> int:
        """Bitmask of those due a colour, as firmly as one of these (default: at all)."""
        return self.where(lambda player: is_due(player, colour, *strengths))

    def floated(self, mark: Float, back: int) -> int:
        """Bitmask of those who floated so many rounds before the one to be paired."""
        return self.where(lambda player: player.floated(back) is mark)

    def mdps_by_score(self, among: int) -> list[int]:
        """Those of some who were moved down, one bitmask a score, the highest score first."""
        by_score: dict[HalfPoints, int] = {}
        for vertex in members(among & self.mdps):
            score = self.players[vertex].pairing_score
            by_score[score] = by_score.get(score, 0) | 1 << vertex
        return [by_score[score] for score in sorted(by_score, reverse=True)]


def edges_between(some: int, others: int, count: int) -> list[int]:
    """The graph of `count` vertices in which everyone of `some` is joined to everyone of `others`, both bitmasks.

    Whoever is one of both is joined to himself, too, which no graph of a bracket is: so that thousands share a bitmask.
    """
    edges = [0] * count
    both = some & others
    for own, mask in ((some ^ both, others), (others ^ both, some), (both, some | others)):
        if (own | mask).bit_count() > 1:
            for vertex in members(own):
                edges[vertex] = mask
    return edges


def with_exits(graph: Sequence[int], exits: Sequence[int]) -> tuple[int, ...]:
    """A graph with further vertices, each joined to a bitmask of those before."""
    joined = list(graph)
    for number, who in enumerate(exits, start=len(graph)):
        joined.append(who)
        for vertex in members(who):
            joined[vertex] |= 1 << number
    return tuple(joined)


def union(masks: Iterable[int]) -> int:
    """All bits of some bitmasks."""
    united = 0
    for mask in masks:
        united |= mask
    return united
