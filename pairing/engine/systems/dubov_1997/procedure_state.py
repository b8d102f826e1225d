"""Data shared by the steps of the procedure: event, score groups, lower players, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rules.compatibility import CompatibilityGraph, find_pairing_obstacle
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.rules.rejected_candidates import LaterCandidates, candidate_facts, candidates_near_opponent
from pairing.engine.snapshot import Colour, HalfPoints
from pairing.engine.systems.dubov_1997.players import DubovPlayer, UpfloatRounds, rating_facts, strength_key


@cache
def article_reference(number: str) -> str:
    """Return a reference to an article of this document, as used in reasons."""
    return f"dubov-1997 art. {number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DubovEvent:
    """The players to be paired, and facts about the event.

    `entrants` and `company` hold the same players in the same order. A player's index there is their *place*, used in
    all steps. `upfloat_limit` is the maximum number of upfloats (2.5). `interpretations` holds the event's rule
    interpretations. `counted_upfloats` holds the rounds in which players were moved up, where 2.5 counts only these.
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
        """Return True if the event uses this interpretation."""
        return self.interpretations[name] == value

    def upfloat_rounds(self, player: PairingPlayer) -> list[int]:
        """Return the rounds in which a player was moved up (2.5)."""
        if self.counted_upfloats is not None:
            return sorted(self.counted_upfloats[player.tpn])
        return rounds_with_upfloat_mark(player)

    @property
    def is_first_round(self) -> bool:
        return self.rounds_paired == 0


class Pair(NamedTuple):
    """Two paired players by place, the chooser first. `white` is set if the pairing also decided the colours.

    `interpretation` is set where it decided the colours.
    """

    chooser: int
    opponent: int
    group: ScoreGroupInProgress
    reasons: tuple[PairingReason, ...]
    white: int | None = None
    interpretation: str | None = None


class DownfloatExplanation(NamedTuple):
    """Why a player floats down: article, cause, further notes, an interpretation that decided, and further facts."""

    number: str
    cause: DecisionCause
    notes: tuple[PairingReason, ...] = ()
    interpretation: str | None = None
    facts: Mapping[str, ReasonFact] = MappingProxyType({})


class LowerScoreGroup(NamedTuple):
    """A lower score group: its residents' places, the strongest first, and their bitmask."""

    score: HalfPoints
    places: tuple[int, ...]
    mask: int


class ScoreGroupInProgress:
    """A score group while players join it from above and below, or float down.

    `matching` pairs as many members as possible. `notes` explains why non-residents came. `supplied` are the players
    for whom someone was moved up (7.1). `not_completed` is the interpretation of 7.2 by which nobody was moved up, if
    the other would have found someone.
    """

    def __init__(
        self,
        score: HalfPoints,
        members: int,
        came_down: Mapping[int, tuple[PairingReason, ...]],
        neighbours: Sequence[int],
        pairs: Iterable[tuple[int, int]],
    ) -> None:
        """Take the group's members. `pairs` are some of them who may meet."""
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
        """Bitmask of the group's unpaired members."""
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


class PlayersBelowGroup:
    """Everyone below the current group, and its downfloaters.

    `matching` pairs as many of them as possible. `groups` are the later score groups, nearest first. They still list
    players who were moved up, but the matching does not.
    """

    def __init__(self, event: DubovEvent) -> None:
        self._company = event.company
        self._neighbours = event.company.complement_graph
        self.groups = _score_groups(event.entrants)
        self.matching = MaximumMatching(self._neighbours, pairs=_pairs_inside(self.groups, self._neighbours))

    def take_next_group(self, previous: ScoreGroupInProgress | None) -> ScoreGroupInProgress | None:
        """Remove the nearest group with residents left and return it with the previous group's downfloaters."""
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
        """Return True if a player is still below the group."""
        return bool(self.matching.alive >> place & 1)

    def nearest_group(self) -> LowerScoreGroup | None:
        """Return the nearest group with residents left."""
        return next((lower for lower in self.groups if lower.mask & self.matching.alive), None)

    def nearest_residents(self) -> int:
        """Bitmask of the residents of the nearest group that has any left."""
        nearest = self.nearest_group()
        return nearest.mask & self.matching.alive if nearest else 0

    def _arrivals(self, previous: ScoreGroupInProgress, score: HalfPoints) -> dict[int, tuple[PairingReason, ...]]:
        """Return the downfloaters with their reasons, first for joining the previous group and then for leaving it."""
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
                **departure.facts,
            )
            arrivals[place] = (*previous.notes.get(place, ()), why, *departure.notes)
        return arrivals

    def _set_aside(self, leaving: int) -> list[tuple[int, int]]:
        """Remove a group, and return the pairs that the matching had made inside it."""
        pairs = self.matching.remove_matched_pairs(list(bitmask_members(leaving)))
        for place in bitmask_members(leaving & self.matching.alive):
            self.matching.remove_vertices(place)
        return pairs


def interpretation_facts(reading: str | None) -> dict[str, ReasonFact]:
    """Return the interpretation that decided, as a fact."""
    return {} if reading is None else {"reading": reading}


def rounds_with_upfloat_mark(player: PairingPlayer) -> list[int]:
    """Return the rounds in which a player's opponent had a higher score."""
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
    """Yield some pairs inside score groups, which leave together with their group."""
    for lower in groups:
        left = lower.mask
        for place in lower.places:
            if left >> place & 1:
                left ^= 1 << place
                if choice := neighbours[place] & left:
                    other = choice.bit_length() - 1
                    left ^= 1 << other
                    yield place, other


def explain_candidates(
    passed: Sequence[int], opponent: int, later: LaterCandidates, event: DubovEvent
) -> dict[str, ReasonFact]:
    """Return facts about the candidates just before and after the opponent: their numbers, ratings and averages."""
    listed = [event.entrants[place] for place in candidates_near_opponent(passed, opponent, later)]
    return candidate_facts((one.tpn for one in listed), later) | rating_facts("candidate", listed)


def explain_rejected_candidate(
    one: DubovPlayer, other: DubovPlayer, number: str, otherwise: DecisionCause, **facts: ReasonFact
) -> PairingReason:
    """Explain why a candidate was skipped. If no rule bars the pair, give the cause `otherwise` with article `number`.

    `facts` belong to `otherwise`.
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
    """Return the article that gives an absolute colour: 2.3 (the difference), or else 2.4 (two games in a row)."""
    return "2.3" if abs(player.colour_difference) > 1 else "2.4"
