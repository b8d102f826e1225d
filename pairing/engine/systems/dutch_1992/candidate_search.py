"""B5 and B6: no float in the same direction as in the last two rounds, if avoidable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.exchanges import ExchangeCosts as ExchangeCosts
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_1992.brackets import Bracket
from pairing.engine.systems.dutch_1992.completion_criterion import UnpairedPlayers

FloatTolerance: TypeAlias = tuple[int, ...]
"""How many rounds back an identical float forbids another one; (1, 2) is the strictest tolerance."""

STRICT_FLOAT_TOLERANCE: FloatTolerance = (1, 2)
UNRESTRICTED_FLOATS: FloatTolerance = ()
FLOAT_TOLERANCES: tuple[FloatTolerance, ...] = (STRICT_FLOAT_TOLERANCE, (1,), UNRESTRICTED_FLOATS)
"""C9 and C10: first B6 is dropped, then B5."""


def find_barring_float(player: PairingPlayer, direction: FloatDirection, tolerance: FloatTolerance) -> int | None:
    """Return how many rounds ago a float occurred that rules out another in this direction, or None."""
    return next((back for back in tolerance if player.float_rounds_ago(back) is direction), None)


class FloatRules:
    """B5 and B6 for the members of a bracket, given as vertices in A2 order."""

    def __init__(self, company: CompatibilityGraph) -> None:
        self._company = company
        self._by_score = _score_classes(company.players)

    def allowed_downfloaters(self, tolerance: FloatTolerance) -> int:
        """Return the bitmask of the members who may move down under a tolerance."""
        return self._unbarred(FloatDirection.DOWN, tolerance)

    def graph_without_barred_upfloats(self, tolerance: FloatTolerance) -> list[int]:
        """Return the compatibility graph without pairs whose lower player must not upfloat under this tolerance."""
        neighbours = self._company.neighbour_masks
        if len(self._by_score) == 1:
            return list(neighbours)
        free = self._unbarred(FloatDirection.UP, tolerance)
        allowed: list[int] = []
        higher = 0
        for group in self._by_score:
            for place in range(higher.bit_length(), (higher | group).bit_length()):
                may_meet = group | (free & ~higher)
                if free >> place & 1:
                    may_meet |= higher
                allowed.append(neighbours[place] & may_meet)
            higher |= group
        return allowed

    def _unbarred(self, direction: FloatDirection, tolerance: FloatTolerance) -> int:
        players = self._company.players
        return bitmask_of(
            place for place, one in enumerate(players) if find_barring_float(one, direction, tolerance) is None
        )


def _score_classes(players: Sequence[PairingPlayer]) -> list[int]:
    """Return bitmasks of members with equal pairing scores, highest score first."""
    classes: dict[int, int] = {}
    for place, player in enumerate(players):
        classes[player.pairing_score] = classes.get(player.pairing_score, 0) | 1 << place
    return list(classes.values())


class DownfloaterOpponents:
    """The residents of the next lower bracket. Some are assigned to C1's players, who always move down."""

    def __init__(self, residents: Sequence[PairingPlayer], moving: Sequence[PairingPlayer]) -> None:
        self._company = CompatibilityGraph(residents)
        self.moving = tuple(moving)
        self.size = len(residents)
        self._opponents: dict[int, int] = {}
        self._places = _Places(self.compatible_residents)
        self.is_open = all(self._places.assign_resident(player) for player in moving)
        """Whether C1's players themselves find opponents."""

    def compatible_residents(self, player: PairingPlayer) -> int:
        """Bitmask of the residents compatible with a player."""
        if player.tpn not in self._opponents:
            self._opponents[player.tpn] = self._company.compatible_vertices(player)
        return self._opponents[player.tpn]

    def members_with_free_opponent(self, company: CompatibilityGraph) -> int:
        """Bitmask of the members who could have an opponent while C1's players also have theirs."""
        if not self.is_open:
            return 0
        free = self._places.residents_that_can_be_freed(self._company.everyone)
        return bitmask_of(
            place for place, player in enumerate(company.players) if self.compatible_residents(player) & free
        )

    def find_competing_players(self, leaving: Iterable[PairingPlayer]) -> list[PairingPlayer]:
        """Return downfloaters who compete for too few residents. Empty if all can have an opponent."""
        places = _Places(self.compatible_residents)
        for player in (*self.moving, *leaving):
            if not places.assign_resident(player):
                return places.rivals
        return []


class _Places:
    """Assigns residents to players, moving players to other residents where that helps (Kuhn)."""

    def __init__(self, opponents: Callable[[PairingPlayer], int]) -> None:
        self._opponents = opponents
        self._holder: dict[int, PairingPlayer] = {}
        self.rivals: list[PairingPlayer] = []
        """After a refusal: the refused player and the players who hold every possible resident of that player."""

    def assign_resident(self, player: PairingPlayer) -> bool:
        came_from: dict[int, PairingPlayer] = {}
        queue = [player]
        for seeker in queue:
            fresh = self._opponents(seeker) & ~bitmask_of(came_from)
            for resident in bitmask_members(fresh):
                came_from[resident] = seeker
                if resident not in self._holder:
                    self._hand_over(resident, player, came_from)
                    return True
                queue.append(self._holder[resident])
        self.rivals = queue
        return False

    def residents_that_can_be_freed(self, residents: int) -> int:
        """Bitmask of the residents who are free, or would be if players assigned to them moved."""
        free = residents & ~bitmask_of(self._holder)
        held = dict(self._holder)
        while movable := [resident for resident, holder in held.items() if self._opponents(holder) & free]:
            free |= bitmask_of(movable)
            for resident in movable:
                del held[resident]
        return free

    def _hand_over(self, resident: int, player: PairingPlayer, came_from: dict[int, PairingPlayer]) -> None:
        held = {holder.tpn: one for one, holder in self._holder.items()}
        while (seeker := came_from[resident]) is not player:
            self._holder[resident] = seeker
            resident = held[seeker.tpn]
        self._holder[resident] = seeker


VertexPairs: TypeAlias = list[tuple[int, int]]

Found = TypeVar("Found")


class ActiveCriteria(NamedTuple):
    """The criteria that apply: the look-ahead of C12, and B5 and B6 for upfloats (C10) and downfloats (C9)."""

    look_ahead: bool
    up: FloatTolerance
    down: FloatTolerance


WEAKEST_CRITERIA = ActiveCriteria(look_ahead=False, up=UNRESTRICTED_FLOATS, down=UNRESTRICTED_FLOATS)


class SubgroupMasks(NamedTuple):
    """S1 and S2 as bitmasks. Every player in S1 plays someone in S2.

    If `is_s2_separated`, those of S2 do not play each other.
    """

    s1: int
    s2: int
    is_s2_separated: bool


class RemainingCandidates(Protocol):
    """The candidates left while players are paired one by one."""

    @property
    def min_conflicts(self) -> int:
        """The fewest clashing pairs among the players not in a fixed pair."""

    def fix_first_possible_pair(self, vertex: int, candidates: Iterator[int]) -> int | None:
        """Pair a player with the first candidate that keeps `min_conflicts`, and return that candidate."""

    def rejected_only_for_colours(self, vertex: int, passed: Sequence[int]) -> frozenset[int]:
        """Return the candidates skipped for the latest pair who are eligible if clashes are ignored."""


class CandidateSearch(Protocol):
    """The candidates of a bracket with `left_over` players moved down, not counting the players C1 moves down."""

    left_over: int

    def find_candidates(self, terms: ActiveCriteria, halves: SubgroupMasks, alive: int) -> RemainingCandidates | None:
        """Return the candidates that meet these criteria for the members in `alive`, or None if there are none."""

    def find_cheapest_candidate(self, terms: ActiveCriteria, alive: int, prices: ExchangeCosts) -> VertexPairs:
        """Return the candidate with the fewest clashes, then the lowest price, as pairs of vertices."""


class BracketContext:
    """A bracket and the facts its candidates depend on: floats, the next bracket, all unpaired players."""

    def __init__(self, bracket: Bracket, unpaired: UnpairedPlayers) -> None:
        """Take a bracket. Its members are removed from `unpaired`."""
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
        """Return True if these players may move down together with C1's players (C12, C13)."""
        players = self.players_at_vertices(leaving)
        return self.unpaired.has_legal_round_with(players) and not (
            look_ahead and self.landing.find_competing_players(players)
        )

    def is_colour_conflict(self, one: int, other: int) -> bool:
        """Return True if both players are due the same colour (B4). False for a vertex that is not a member."""
        return bool((self.white >> one & self.white >> other | self.black >> one & self.black >> other) & 1)

    @cached_property
    def possible_single_downfloaters(self) -> tuple[int, int]:
        """Return two bitmasks of the players who could move down alone: under C13 and under C12."""
        return self.unpaired.members_completing_round_alone(self.company), self.landing.members_with_free_opponent(
            self.company
        )

    @cached_property
    def min_left_over(self) -> int:
        """The minimum number of members left unpaired in the bracket, whatever the other criteria."""
        return MaximumMatching(self.company.neighbour_masks).deficiency

    def conflict_dual_values(self, alive: int, count: int, cost: int) -> list[int]:
        """Return start values for `find_min_weight_matching`. Values are higher for a colour that over half are due."""
        for due in (self.white & alive, self.black & alive):
            if 2 * due.bit_count() > alive.bit_count():
                return [cost if due >> vertex & 1 else -cost for vertex in range(count)]
        return [0] * count


def ensure_found(found: Found | None) -> Found:
    """Return a result that an earlier search has shown to exist."""
    if found is None:
        raise AssertionError("a candidate is lost between two questions")
    return found


def restrict_to_subgroups(inside: Sequence[int], halves: SubgroupMasks) -> list[int]:
    """Return the pairs of members that S1 and S2 allow."""
    for_s2 = halves.s1 if halves.is_s2_separated else halves.s1 | halves.s2
    return [
        mask & (halves.s2 if halves.s1 >> vertex & 1 else for_s2 if halves.s2 >> vertex & 1 else 0)
        for vertex, mask in enumerate(inside)
    ]


def split_by_conflict_cost(graph: Sequence[int], around: BracketContext, cost: int) -> list[tuple[int, list[int]]]:
    """Return the pairs that do not clash, at cost 0, and the clashing pairs, at `cost`."""
    clashing = [
        mask & (around.white if around.white >> vertex & 1 else around.black if around.black >> vertex & 1 else 0)
        for vertex, mask in enumerate(graph)
    ]
    return [(0, [mask & ~costly for mask, costly in zip(graph, clashing, strict=True)]), (cost, clashing)]
