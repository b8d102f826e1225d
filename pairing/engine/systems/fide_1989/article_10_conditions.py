"""Data for the tests of article 10: opponents elsewhere, floats, colours, numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from pairing.engine.matching import bitmask_members
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.snapshot import Colour
from pairing.engine.systems.fide_1989.procedure_state import ScoreBracket


class FloaterSetPenalty(NamedTuple):
    """The penalty of a set of floaters: lower is better, earlier fields count first (10.9 a to c, 10.10, 10.2)."""

    moved_without_opponent: int
    moved_with_opponent: int
    residents_without_opponent: int
    floated_before: int
    imbalance: int


class Article10Conditions:
    """The tests for a group that sends floaters on, and for the residents of the next group.

    Players are vertices of `company`: the group's members, smallest number first.
    """

    def __init__(self, group: ScoreBracket, company: CompatibilityGraph, following: CompatibilityGraph) -> None:
        self.group = group
        self.company = company
        self._following = following
        self._moved = {floater.player.tpn for floater in group.incoming}
        self._beyond: dict[int, int] = {}

    def float_order_key(self, place: int) -> int:
        """Return the sort key of test 5 (10.2 to 10.4): larger numbers first when pairing down, otherwise last."""
        return -place if self.group.side.is_paired_downwards else place

    @property
    def next_group_size(self) -> int:
        """The number of residents in the next group."""
        return len(self._following.players)

    def is_incoming_floater(self, place: int) -> bool:
        """Return True if the player floated into this group in the current pairing (10.9)."""
        return self.company.players[place].tpn in self._moved

    def has_floated_last_round(self, place: int) -> bool:
        """Return True if the player floated in the previous round (10.10)."""
        return self.company.players[place].float_rounds_ago(1) is not None

    def due_colour_weight(self, place: int) -> int:
        """Return 1 if the player is due White, -1 if due Black and 0 if due neither (10.2)."""
        return _WEIGHTS[self.company.players[place].due_colour]

    def rating_gap(self, one: int, other: int) -> int:
        """Return the difference between two ratings."""
        return abs(self.company.players[one].rating - self.company.players[other].rating)

    def opponents_in_next_group(self, place: int) -> int:
        """Bitmask of the next group's residents who are compatible with the player."""
        if place not in self._beyond:
            self._beyond[place] = self._following.compatible_vertices(self.company.players[place])
        return self._beyond[place]

    def single_floater_penalty(self, place: int) -> tuple[int, int]:
        """Return the penalties in test 2 (10.9, 0 for d up to 3 for a) and test 3 (10.10, 1 for a repeated float)."""
        alone = not self.opponents_in_next_group(place)
        kind = (3 if alone else 2) if self.is_incoming_floater(place) else int(alone)
        return (kind, int(self.has_floated_last_round(place)))

    def floater_set_penalty(self, out: Iterable[int]) -> FloaterSetPenalty:
        """Return the penalty of a set of floaters in tests 2 to 4."""
        gone = tuple(out)
        provided = self.floaters_with_opponent(gone)
        moved = [place for place in gone if self.is_incoming_floater(place)]
        return FloaterSetPenalty(
            moved_without_opponent=sum(place not in provided for place in moved),
            moved_with_opponent=sum(place in provided for place in moved),
            residents_without_opponent=len(gone) - len(provided) - sum(place not in provided for place in moved),
            floated_before=sum(self.has_floated_last_round(place) for place in gone),
            imbalance=self.colour_imbalance(gone),
        )

    def colour_imbalance(self, out: Iterable[int]) -> int:
        """Test 4 (10.2): how many more of the players who stay are due one colour than the other."""
        return abs(self.colour_surplus - sum(self.due_colour_weight(place) for place in out))

    @cached_property
    def colour_surplus(self) -> int:
        """Players due White minus players due Black, over the whole group."""
        return sum(self.due_colour_weight(place) for place in range(len(self.company.players)))

    def floaters_with_opponent(self, out: Iterable[int]) -> set[int]:
        """Return floaters who can each get their own opponent in the next group (10.3, 10.4; order of 10.6, 10.7)."""
        opponents = _Opponents(self._following.everyone, self.opponents_in_next_group)
        for place in sorted(out, key=self._turn):
            opponents.assign_opponent(place)
        return set(opponents.taken.values())

    def _turn(self, place: int) -> tuple[int, int]:
        player = self.company.players[place]
        if self.group.side.is_paired_downwards:
            return (-player.pairing_score, player.number)
        return (player.pairing_score, -player.number)


class _Opponents:
    """Gives residents of the next group to one seeker after another (Kuhn). `taken` maps residents to seekers."""

    def __init__(self, everyone: int, opponents_of: Callable[[int], int]) -> None:
        self.taken: dict[int, int] = {}
        self._free = self._open = everyone
        self._opponents_of = opponents_of

    def assign_opponent(self, place: int) -> None:
        """Find an opponent for a player, moving earlier players to other opponents where needed."""
        came_from: dict[int, int] = {}
        queue = [place]
        seen = 0
        for seeker in queue:
            fresh = self._opponents_of(seeker) & self._open & ~seen
            if fresh & self._free:
                self._shift((fresh & self._free).bit_length() - 1, seeker, came_from)
                return
            seen |= fresh
            for opponent in bitmask_members(fresh):
                came_from[opponent] = seeker
                queue.append(self.taken[opponent])
        # These residents can only be swapped among the seekers who hold them: no later seeker gains by them.
        self._open &= ~seen

    def _shift(self, free: int, seeker: int, came_from: Mapping[int, int]) -> None:
        """Give each seeker on the path back the opponent found for them."""
        self._free &= ~(1 << free)
        held = {holder: opponent for opponent, holder in self.taken.items()}
        opponent: int | None = free
        while opponent is not None:
            self.taken[opponent] = seeker
            opponent = held.get(seeker)
            if opponent is not None:
                seeker = came_from[opponent]


_WEIGHTS = {Colour.WHITE: 1, Colour.BLACK: -1, None: 0}
