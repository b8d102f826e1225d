"""Brackets (1.3) as graphs: players are vertices, and those who leave are matched with exits."""

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
    """A bracket as a graph: its players are vertices 0, 1, ..., moved-down players first, followed by the exits.

    `places` are the players' places among all players. `graph` joins players who may meet; two moved-down players may
    not. From vertex `size` on, it joins each exit to the players who may use it. A player who leaves is matched with an
    exit.
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
        """Bitmask of the moved-down players."""
        return (1 << self.moved_down_count) - 1

    @property
    def resident_mask(self) -> int:
        return self.player_mask & ~self.moved_down_mask

    @property
    def exit_vertices_mask(self) -> int:
        return (1 << len(self.graph)) - (1 << self.size)

    def mask_of_matching_players(self, test: Callable[[PairingPlayer], bool]) -> int:
        """Bitmask of the players who pass a test."""
        return bitmask_of(vertex for vertex, player in enumerate(self.players) if test(player))

    def due_colour_mask(self, colour: Colour, *strengths: PreferenceStrength) -> int:
        """Bitmask of the players due a colour with one of these strengths (default: any)."""
        return self.mask_of_matching_players(lambda player: is_due_colour(player, colour, *strengths))

    def float_mask(self, mark: FloatDirection, back: int) -> int:
        """Bitmask of the players with this float, `back` rounds before the one to be paired."""
        return self.mask_of_matching_players(lambda player: player.float_rounds_ago(back) is mark)

    def moved_down_by_score(self, among: int) -> list[int]:
        """Return one bitmask of moved-down players per score, highest score first."""
        by_score: dict[HalfPoints, int] = {}
        for vertex in bitmask_members(among & self.moved_down_mask):
            score = self.players[vertex].pairing_score
            by_score[score] = by_score.get(score, 0) | 1 << vertex
        return [by_score[score] for score in sorted(by_score, reverse=True)]


def edges_between(some: int, others: int, count: int) -> list[int]:
    """Return a graph of `count` vertices that joins every vertex of `some` to every vertex of `others` (bitmasks).

    A vertex in both is also joined to itself, which is harmless here. This lets thousands of vertices share a bitmask.
    """
    edges = [0] * count
    both = some & others
    for own, mask in ((some ^ both, others), (others ^ both, some), (both, some | others)):
        if (own | mask).bit_count() > 1:
            for vertex in bitmask_members(own):
                edges[vertex] = mask
    return edges


def add_exit_vertices(graph: Sequence[int], exits: Sequence[int]) -> tuple[int, ...]:
    """Return a graph with extra vertices, each joined to a bitmask of earlier vertices."""
    joined = list(graph)
    for number, who in enumerate(exits, start=len(graph)):
        joined.append(who)
        for vertex in bitmask_members(who):
            joined[vertex] |= 1 << number
    return tuple(joined)


def bitmask_union(masks: Iterable[int]) -> int:
    """Return the union of some bitmasks."""
    united = 0
    for mask in masks:
        united |= mask
    return united
