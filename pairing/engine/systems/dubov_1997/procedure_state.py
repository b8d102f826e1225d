"""What the steps of the procedure hand to one another: the event's facts, score groups, those below, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rules.compatibility import CompatibilityGraph, find_pairing_obstacle
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.snapshot import Colour, HalfPoints
from pairing.engine.systems.dubov_1997.players import DubovPlayer, strength_key
from pairing.engine.systems.dubov_1997.upfloat_history import UpfloatRounds


@cache
def article_reference(number: str) -> str:
    """An article of this document, as reasons name it."""
    return f"dubov-1997 art. {number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DubovEvent:
    """The players to be paired and what the articles ask about the event.

    `entrants` and `company` hold the same players in the same order: a player's index there is his *place*, by
    which all steps name him. `upfloat_limit` is how often a player may float up in all (2.5). `interpretations` says
    how the event reads each place; `moved_up` the rounds in which everybody was moved up where 2.5 counts these alone.
    """

    entrants: tuple[DubovPlayer, ...]
    company: CompatibilityGraph
    rounds_paired: int
    is_last_round: bool
    upfloat_limit: int
    first_colour: Colour
    interpretations: Mapping[str, str]
    counted_upfloats: UpfloatRounds | None = None

    def has_interpretation(self, name: str, value: str) -> bool:
        """Whether a place is read so."""
        return self.interpretations[name] == value

    def upfloat_rounds(self, player: PairingPlayer) -> list[int]:
        """2.5: the rounds in which a player was moved up."""
        if self.counted_upfloats is not None:
            return sorted(self.counted_upfloats[player.tpn])
        return rounds_with_upfloat_mark(player)

    @property
    def is_first_round(self) -> bool:
        return self.rounds_paired == 0


class Pair(NamedTuple):
    """Two players paired, by place, the one whose turn it was first; `white` where the pairing gave the colours too.

    `reading` is the one that gave them where the other would not have.
    """

    chooser: int
    opponent: int
    group: ScoreGroupInProgress
    reasons: tuple[PairingReason, ...]
    white: int | None = None
    interpretation: str | None = None


class DownfloatExplanation(NamedTuple):
    """Why a player floats down: the article, the cause, further notes beside them, and a reading that decided."""

    number: str
    cause: DecisionCause
    notes: tuple[PairingReason, ...] = ()
    interpretation: str | None = None


class LowerScoreGroup(NamedTuple):
    """A score group still to come: its residents' places, the strongest first, and the same as a bitmask."""

    score: HalfPoints
    places: tuple[int, ...]
    mask: int


class ScoreGroupInProgress:
    """A score group while it is made up: players are admitted from below and dismissed to below.

    `matching` pairs its members as far as they can be paired; `notes` says of everyone who is not a resident why he
    came. `supplied` are those for whom a player was moved up (7.1). `not_completed` is the reading of 7.2 by which
    nobody was moved up, where the other would have found somebody.
    """

    def __init__(
        self,
        score: HalfPoints,
        members: int,
        came_down: Mapping[int, tuple[PairingReason, ...]],
        neighbours: Sequence[int],
        pairs: Iterable[tuple[int, int]],
    ) -> None:
        """`pairs` are some of its members who may meet."""
        self.score = score
        self.came_down = frozenset(came_down)
        self.notes = dict(came_down)
        self.moved_up: set[int] = set()
        self.supplied: set[int] = set()
        self.not_completed: str | None = None
        self.floating_down: dict[int, DownfloatExplanation] = {}
        self.matching = MaximumMatching(neighbours, members, pairs)

    @property
    def member_mask(self) -> int:
        """Bitmask of those who are in the group now (and not paired yet)."""
        return self.matching.alive

    def admit_upfloater(self, place: int, notes: tuple[PairingReason, ...]) -> None:
        """Move a player up into the group."""
        self.moved_up.add(place)
        self.notes[place] = notes
        self.matching.add_vertex(place)

    def dismiss_downfloater(self, place: int, departure: DownfloatExplanation) -> None:
        """Let a member float down."""
        self.floating_down[place] = departure
        self.matching.remove_vertices(place)


class LowerPlayers:
    """Everyone below the group in hand, and those who float down from it.

    `matching` pairs them as far as they can be paired; `groups` are the score groups still to come, the nearest
    first. Players who have been moved up are still named there, but take no part in the matching any more.
    """

    def __init__(self, event: DubovEvent) -> None:
        self._company = event.company
        self._neighbours = event.company.complement_graph
        self.groups = _score_groups(event.entrants)
        self.matching = MaximumMatching(self._neighbours, pairs=_pairs_inside(self.groups, self._neighbours))

    def take_next_group(self, previous: ScoreGroupInProgress | None) -> ScoreGroupInProgress | None:
        """Take out the nearest group that has residents left, with those who float down from the previous one."""
        while self.groups:
            nearest = self.groups.pop(0)
            residents = nearest.mask & self.matching.alive
            if residents:
                came_down = self._arrivals(previous, nearest.score) if previous else {}
                everyone = residents | bitmask_of(came_down)
                return ScoreGroupInProgress(
                    nearest.score, everyone, came_down, self._neighbours, self._set_aside(everyone)
                )
        return None

    def has_player(self, place: int) -> bool:
        """Whether a player is still below."""
        return bool(self.matching.alive >> place & 1)

    def nearest_group(self) -> LowerScoreGroup | None:
        """The nearest group that has any residents left."""
        return next((lower for lower in self.groups if lower.mask & self.matching.alive), None)

    def nearest_residents(self) -> int:
        """Bitmask of the residents of the nearest group that has any left."""
        nearest = self.nearest_group()
        return nearest.mask & self.matching.alive if nearest else 0

    def _arrivals(self, previous: ScoreGroupInProgress, score: HalfPoints) -> dict[int, tuple[PairingReason, ...]]:
        """Those who float down, each with his reasons: those for which he came into that group, then for leaving it."""
        arrivals: dict[int, tuple[PairingReason, ...]] = {}
        for place, departure in previous.floating_down.items():
            why = make_reason(
                article_reference(departure.number),
                ReasonKind.FLOATED,
                self._company.players[place].tpn,
                from_half_points=previous.score,
                to_half_points=score,
                direction="down",
                because=departure.cause,
                **interpretation_facts(departure.interpretation),
            )
            arrivals[place] = (*previous.notes.get(place, ()), why, *departure.notes)
        return arrivals

    def _set_aside(self, leaving: int) -> list[tuple[int, int]]:
        """Take out a group; return those of its members whom the matching had paired with each other."""
        pairs = self.matching.remove_matched_pairs(list(bitmask_members(leaving)))
        for place in bitmask_members(leaving & self.matching.alive):
            self.matching.remove_vertices(place)
        return pairs


def interpretation_facts(reading: str | None) -> dict[str, ReasonFact]:
    """A reading that decided, as a fact."""
    return {} if reading is None else {"reading": reading}


def rounds_with_upfloat_mark(player: PairingPlayer) -> list[int]:
    """The rounds in which a player met one with a higher score."""
    return [number for number, mark in enumerate(player.floats, start=1) if mark is FloatDirection.UP]


def _score_groups(entrants: Sequence[DubovPlayer]) -> list[LowerScoreGroup]:
    by_score: dict[HalfPoints, list[int]] = {}
    for place in sorted(range(len(entrants)), key=lambda place: strength_key(entrants[place])):
        by_score.setdefault(entrants[place].contender.pairing_score, []).append(place)
    return [
        LowerScoreGroup(score, tuple(by_score[score]), bitmask_of(by_score[score]))
        for score in sorted(by_score, reverse=True)
    ]


def _pairs_inside(groups: Sequence[LowerScoreGroup], neighbours: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Some pairs inside score groups: the groups will be taken away whole, and such pairs leave with them."""
    for lower in groups:
        left = lower.mask
        for place in lower.places:
            if left >> place & 1:
                left ^= 1 << place
                if choice := neighbours[place] & left:
                    other = choice.bit_length() - 1
                    left ^= 1 << other
                    yield place, other


def explain_passed_over(
    one: DubovPlayer, other: DubovPlayer, number: str, otherwise: DecisionCause, **facts: ReasonFact
) -> PairingReason:
    """Why a player was not given a candidate: what keeps them apart, or `otherwise` by the article of that number.

    `facts` go with `otherwise`.
    """
    between = find_pairing_obstacle(one.contender, other.contender)
    if between is None:
        return make_reason(
            article_reference(number), ReasonKind.PASSED_OVER, one.tpn, other.tpn, because=otherwise, **facts
        )
    number = absolute_colour_article(other.contender) if between.cause is DecisionCause.SAME_ABSOLUTE_COLOUR else "2.1"
    return make_reason(
        article_reference(number), ReasonKind.PASSED_OVER, one.tpn, other.tpn, because=between.cause, **between.facts
    )


def absolute_colour_article(player: PairingPlayer) -> str:
    """What makes a player have a colour: 2.3, a difference of two or more, before 2.4, two games with the other."""
    return "2.3" if abs(player.colour_difference) > 1 else "2.4"
