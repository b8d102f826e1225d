"""1.3: a bracket, its players as vertices of a graph, and who leaves it through which exit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.rules.colour_preferences import PreferenceStrength
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber
from pairing.engine.systems.dutch_2026.players import is_due_colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The players of a bracket, moved-down ones first, as vertices 0, 1, ...; what lies behind them are exits.

    `places` are their places among all players; `graph` says who may meet whom (no two who were moved down may) and,
    from vertex `size` on, who may leave through which exit. Whoever leaves is matched with an exit.
    """

    score: HalfPoints
    players: tuple[PairingPlayer, ...]
    places: tuple[int, ...]
    moved_down_count: int
    graph: tuple[int, ...]
    topscorers: frozenset[PairingNumber]

    @property
    def size(self) -> int:
        return len(self.players)

    @property
    def player_mask(self) -> int:
        return (1 << self.size) - 1

    @property
    def moved_down_mask(self) -> int:
        """Bitmask of those moved down."""
        return (1 << self.moved_down_count) - 1

    @property
    def resident_mask(self) -> int:
        return self.player_mask & ~self.moved_down_mask

    @property
    def exit_mask(self) -> int:
        return (1 << len(self.graph)) - (1 << self.size)

    def mask_of_matching_players(self, test: Callable[[PairingPlayer], bool]) -> int:
        """Bitmask of the players of whom something is so."""
        return bitmask_of(vertex for vertex, player in enumerate(self.players) if test(player))

    def due_colour_mask(self, colour: Colour, *strengths: PreferenceStrength) -> int:
        """Bitmask of those due a colour, as firmly as one of these (default: at all)."""
        return self.mask_of_matching_players(lambda player: is_due_colour(player, colour, *strengths))

    def floated_mask(self, mark: FloatDirection, back: int) -> int:
        """Bitmask of those who floated so many rounds before the one to be paired."""
        return self.mask_of_matching_players(lambda player: player.float_rounds_ago(back) is mark)

    def moved_down_by_score(self, among: int) -> list[int]:
        """Those of some who were moved down, one bitmask a score, the highest score first."""
        by_score: dict[HalfPoints, int] = {}
        for vertex in bitmask_members(among & self.moved_down_mask):
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
            for vertex in bitmask_members(own):
                edges[vertex] = mask
    return edges


def add_exits(graph: Sequence[int], exits: Sequence[int]) -> tuple[int, ...]:
    """A graph with further vertices, each joined to a bitmask of those before."""
    joined = list(graph)
    for number, who in enumerate(exits, start=len(graph)):
        joined.append(who)
        for vertex in bitmask_members(who):
            joined[vertex] |= 1 << number
    return tuple(joined)


def bitmask_union(masks: Iterable[int]) -> int:
    """All bits of some bitmasks."""
    united = 0
    for mask in masks:
        united |= mask
    return united
