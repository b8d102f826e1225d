"""Questions from the loops of C about a bracket: is a candidate left, and how few of its pairs clash?

For a given number of leftover players a bracket is a graph. Its vertices are the members in A2 order, then extra
vertices for the players who move down. The candidates are its perfect matchings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from pairing.engine.matching import MaximumMatching, bitmask_members
from pairing.engine.rules.exchanges import ExchangePrices as ExchangePrices
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_1992.brackets import Bracket
from pairing.engine.systems.dutch_1992.completion_criterion import UnpairedPlayers
from pairing.engine.systems.dutch_1992.downfloater_opponents import DownfloaterOpponents
from pairing.engine.systems.dutch_1992.float_rules import UNRESTRICTED_FLOATS, FloatRules, FloatTolerance

VertexPairs: TypeAlias = list[tuple[int, int]]

Found = TypeVar("Found")


class ActiveCriteria(NamedTuple):
    """The criteria in force: the look-ahead of C12, and B5 and B6 for upfloats (C10) and downfloats (C9)."""

    look_ahead: bool
    up: FloatTolerance
    down: FloatTolerance


WEAKEST_CRITERIA = ActiveCriteria(look_ahead=False, up=UNRESTRICTED_FLOATS, down=UNRESTRICTED_FLOATS)


class SubgroupMasks(NamedTuple):
    """S1 and S2 as bitmasks: all of S1 play someone of S2.

    If `is_s2_separated`, those of S2 do not play each other.
    """

    s1: int
    s2: int
    is_s2_separated: bool


class RemainingCandidates(Protocol):
    """The candidates left while players are paired one after the other."""

    @property
    def min_conflicts(self) -> int:
        """The fewest clashing pairs among the players not in a fixed pair."""

    def fix_first_possible_pair(self, vertex: int, candidates: Iterator[int]) -> int | None:
        """Pair a player with the first candidate that keeps `min_conflicts`; return that candidate."""

    def rejected_only_for_colours(self, vertex: int, passed: Sequence[int]) -> frozenset[int]:
        """Return the candidates passed over for the latest pair who fit if clashes are ignored."""


class CandidateSearch(Protocol):
    """The candidates of a bracket with `left_over` players moved down, not counting C1's."""

    left_over: int

    def find_candidates(self, terms: ActiveCriteria, halves: SubgroupMasks, alive: int) -> RemainingCandidates | None:
        """Return the candidates on these terms for the members of `alive`, or None."""

    def find_cheapest_candidate(self, terms: ActiveCriteria, alive: int, prices: ExchangePrices) -> VertexPairs:
        """Return the candidate with the fewest clashes, then the lowest price, as pairs of vertices."""


class BracketContext:
    """A bracket and the facts its candidates depend on: floats, the next bracket, all unpaired players."""

    def __init__(self, bracket: Bracket, unpaired: UnpairedPlayers) -> None:
        """Take a bracket; its members are removed from `unpaired`."""
        self.bracket = bracket
        self.company = bracket.company
        self.unpaired = unpaired
        self.floats = FloatRules(bracket.company)
        self.landing = DownfloaterOpponents(bracket.next_group_residents or (), bracket.without_opponent)
        self.white = bracket.company.due_colour_mask(Colour.WHITE)
        self.black = bracket.company.due_colour_mask(Colour.BLACK)

    def players_at_vertices(self, vertices: int) -> list[PairingPlayer]:
        return [self.company.players[vertex] for vertex in bitmask_members(vertices)]

    def can_leave_together(self, leaving: int, *, look_ahead: bool) -> bool:
        """Return True if these may move down together with C1's players (C12, C13)."""
        players = self.players_at_vertices(leaving)
        return self.unpaired.has_legal_round_with(players) and not (
            look_ahead and self.landing.find_competing_players(players)
        )

    def is_colour_conflict(self, one: int, other: int) -> bool:
        """Return True if both are due the same colour (B4); False for a vertex that is not a member."""
        return bool((self.white >> one & self.white >> other | self.black >> one & self.black >> other) & 1)

    @cached_property
    def possible_single_downfloaters(self) -> tuple[int, int]:
        """Return the players who could move down alone: by C13, and by C12."""
        return self.unpaired.members_completing_round_alone(self.company), self.landing.members_with_free_opponent(
            self.company
        )

    @cached_property
    def min_left_over(self) -> int:
        """The number of members who cannot be paired in the bracket under any other criteria."""
        return MaximumMatching(self.company.neighbour_masks).deficiency

    def conflict_dual_values(self, alive: int, count: int, cost: int) -> list[int]:
        """Return start values for `find_min_weight_matching`: if over half are due one colour, some must clash."""
        for due in (self.white & alive, self.black & alive):
            if 2 * due.bit_count() > alive.bit_count():
                return [cost if due >> vertex & 1 else -cost for vertex in range(count)]
        return [0] * count


def ensure_found(found: Found | None) -> Found:
    """Return a result that an earlier question has shown to exist."""
    if found is None:
        raise AssertionError("a candidate is lost between two questions")
    return found


def restrict_to_subgroups(inside: Sequence[int], halves: SubgroupMasks) -> list[int]:
    """Return the pairs of members that the halves allow."""
    for_s2 = halves.s1 if halves.is_s2_separated else halves.s1 | halves.s2
    return [
        mask & (halves.s2 if halves.s1 >> vertex & 1 else for_s2 if halves.s2 >> vertex & 1 else 0)
        for vertex, mask in enumerate(inside)
    ]


def split_by_conflict_cost(graph: Sequence[int], around: BracketContext, cost: int) -> list[tuple[int, list[int]]]:
    """Return the pairs that clash, at a cost, and those that do not."""
    clashing = [
        mask & (around.white if around.white >> vertex & 1 else around.black if around.black >> vertex & 1 else 0)
        for vertex, mask in enumerate(graph)
    ]
    return [(0, [mask & ~costly for mask, costly in zip(graph, clashing, strict=True)]), (cost, clashing)]
