"""The players of an event with all data that the rules need, computed once from a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from types import MappingProxyType
from typing import TypeAlias

from pairing.engine.rules.colour_preferences import ColourPreference, colour_difference, colour_preference
from pairing.engine.snapshot import (
    PLAYED_RESULTS,
    Colour,
    HalfPoints,
    PairingCard,
    PairingNumber,
    Result,
    TournamentSnapshot,
    points_by_result_in_system,
)

AccelerationFunction: TypeAlias = Callable[[TournamentSnapshot], Mapping[PairingNumber, Sequence[HalfPoints]]]
"""An acceleration: for every TPN, the fictitious half points of rounds 1, 2, ... up to the one to be paired."""


class FloatDirection(Enum):
    """A player's float mark in one round."""

    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingPlayer:
    """A player on the starting list before the round to be paired.

    - `number`: rank inside a score group, over the whole list (the TPN, or the place in Jahr's order); smaller is
      higher
    - `colours`: the colours of the played games, earliest first
    - `met_in_round`: for each opponent of a played game, its round
    - `forfeited_in_round`: the same for forfeited games
    - `floats`: one entry for each round already paired
    - `is_to_be_paired`: False for absent players and for requested byes
    """

    tpn: PairingNumber
    number: int
    rating: int
    score: HalfPoints
    fictitious: HalfPoints
    colours: tuple[Colour, ...]
    preference: ColourPreference | None
    met_in_round: Mapping[PairingNumber, int]
    forfeited_in_round: Mapping[PairingNumber, int] = field(default_factory=dict)
    forbidden_opponents: frozenset[PairingNumber]
    floats: tuple[FloatDirection | None, ...]
    results: tuple[Result, ...]
    is_to_be_paired: bool

    @property
    def pairing_score(self) -> HalfPoints:
        return self.score + self.fictitious

    @property
    def colour_difference(self) -> int:
        return colour_difference(self.colours)

    @property
    def due_colour(self) -> Colour | None:
        return self.preference.colour if self.preference else None

    def float_rounds_ago(self, rounds_back: int) -> FloatDirection | None:
        """Return the float mark `rounds_back` rounds before the one to be paired (1 = the round just before)."""
        return self.floats[-rounds_back] if rounds_back <= len(self.floats) else None

    def has_any_result(self, *results: Result) -> bool:
        return any(result in results for result in self.results)


def players_from_snapshot(
    snapshot: TournamentSnapshot,
    *,
    numbers: Mapping[PairingNumber, int] | None = None,
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None = None,
) -> tuple[PairingPlayer, ...]:
    """Return every player on the starting list, sorted by `number`, then TPN.

    `numbers` gives the order inside a score group (default: the TPN). `fictitious` gives the fictitious half points of
    every round up to the one to be paired (default: those entered manually in the snapshot, or none).
    """
    extra = {card.tpn: _fictitious_of(card, snapshot, fictitious) for card in snapshot.cards}
    worth = points_by_result_in_system(snapshot.system, snapshot.points)
    scores = {card.tpn: _running_scores(card, worth) for card in snapshot.cards}
    forbidden = _forbidden_opponents(snapshot)
    contenders = [
        PairingPlayer(
            tpn=card.tpn,
            number=card.tpn if numbers is None else numbers[card.tpn],
            rating=card.rating,
            score=scores[card.tpn][-1],
            fictitious=extra[card.tpn][-1],
            colours=(colours := played_colours(card)),
            preference=colour_preference(colours),
            met_in_round={
                record.opponent: number
                for number, record in enumerate(card.records, start=1)
                if record.opponent is not None and record.result in PLAYED_RESULTS
            },
            forfeited_in_round=_forfeited_in_round(card, results := tuple([record.result for record in card.records])),
            forbidden_opponents=forbidden.get(card.tpn, frozenset()),
            floats=_floats(card, scores, extra),
            results=results,
            is_to_be_paired=card.unavailable is None,
        )
        for card in snapshot.cards
    ]
    return tuple(sorted(contenders, key=lambda contender: (contender.number, contender.tpn)))


def _forfeited_in_round(card: PairingCard, results: Sequence[Result]) -> Mapping[PairingNumber, int]:
    """Return the round of each forfeited game by opponent. Most players have none."""
    if _FORFEITS.isdisjoint(results):
        return _NO_FORFEITS
    return {
        record.opponent: number
        for number, record in enumerate(card.records, start=1)
        if record.opponent is not None and record.result not in PLAYED_RESULTS
    }


_FORFEITS = frozenset({Result.FORFEIT_WIN, Result.FORFEIT_LOSS})
_NO_FORFEITS: Mapping[PairingNumber, int] = MappingProxyType({})


def played_colours(card: PairingCard) -> tuple[Colour, ...]:
    """Return the colours of the played games, earliest first."""
    return tuple(
        [record.colour for record in card.records if record.colour is not None and record.result in PLAYED_RESULTS]
    )


def have_met(one: PairingPlayer, other: PairingPlayer) -> bool:
    """Return True if two players have played a game against each other. A forfeited pairing does not count."""
    return other.tpn in one.met_in_round


def _running_scores(card: PairingCard, worth: Mapping[Result, HalfPoints]) -> list[HalfPoints]:
    """Return the real scores before round 1, 2, ... and before the round to be paired."""
    return [0, *accumulate([worth[record.result] for record in card.records])]


def _fictitious_of(
    card: PairingCard,
    snapshot: TournamentSnapshot,
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None,
) -> Sequence[HalfPoints]:
    """Return the fictitious points before each round up to the one to be paired. Manual ones take precedence."""
    rounds = snapshot.round_number
    if card.fictitious:
        by_hand = card.fictitious[:rounds]
        return by_hand + (0,) * (rounds - len(by_hand))
    return fictitious[card.tpn] if fictitious is not None else (0,) * rounds


def _floats(
    card: PairingCard,
    scores: Mapping[PairingNumber, Sequence[HalfPoints]],
    extra: Mapping[PairingNumber, Sequence[HalfPoints]],
) -> tuple[FloatDirection | None, ...]:
    """Return the float marks by the pairing scores of each round. A pairing-allocated bye is a downfloat."""
    marks: list[FloatDirection | None] = []
    own_scores, own_extra = scores[card.tpn], extra[card.tpn]
    for index, record in enumerate(card.records):
        opponent = record.opponent
        if opponent is None:
            marks.append(FloatDirection.DOWN if record.result is Result.PAIRING_ALLOCATED_BYE else None)
        else:
            own = own_scores[index] + own_extra[index]
            theirs = scores[opponent][index] + extra[opponent][index]
            marks.append(None if own == theirs else FloatDirection.DOWN if own > theirs else FloatDirection.UP)
    return tuple(marks)


def _forbidden_opponents(snapshot: TournamentSnapshot) -> dict[PairingNumber, frozenset[PairingNumber]]:
    """Return for every player named in a rule those they must not meet."""
    rules: dict[PairingNumber, set[PairingNumber]] = {}
    for pair in snapshot.forbidden_pairs:
        for tpn in pair:
            rules.setdefault(tpn, set()).update(pair - {tpn})
    return {tpn: frozenset(others) for tpn, others in rules.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrder:
    """An order of the whole starting list that a procedure uses instead of the TPNs.

    `system` is the system that sets it (also the system of the paired round). `positions` gives every TPN its place, 1
    the highest, no place twice. Such an order does not follow the ratings. So rules about rating gaps (the maxi events
    of `fide-1989`) do not apply under it.
    """

    system: str
    positions: Mapping[PairingNumber, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroup:
    """The players to be paired with the same pairing score (in half points), the highest ranked first."""

    score: HalfPoints
    residents: tuple[PairingPlayer, ...]


def score_groups(players: Iterable[PairingPlayer]) -> tuple[ScoreGroup, ...]:
    """Return the players by pairing score, the highest first, and in each group by number."""
    by_score: dict[HalfPoints, list[PairingPlayer]] = {}
    for player in players:
        by_score.setdefault(player.pairing_score, []).append(player)
    return tuple(
        ScoreGroup(score=score, residents=tuple(sorted(by_score[score], key=lambda player: player.number)))
        for score in sorted(by_score, reverse=True)
    )
