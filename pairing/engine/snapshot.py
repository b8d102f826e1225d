"""The input of a pairing: a frozen snapshot of an event before a round.

A snapshot holds facts only: pairings and their results. `pairing.engine.rules` derives scores, floats and preferences
from them. All points are whole numbers of half points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TypeAlias

from pairing.engine.rule_interpretations import (
    RULE_INTERPRETATIONS,
    ChosenInterpretations,
    InvalidInterpretation,
    non_default_interpretations,
)

PairingNumber: TypeAlias = int
"""A player's tournament pairing number (TPN): 1 is the first of the starting list."""

HalfPoints: TypeAlias = int
"""Points counted in halves: 3 is one and a half."""


class Colour(Enum):
    """The colour of the pieces a player had, or is due."""

    WHITE = "w"
    BLACK = "b"

    # Members are looked up for every record of an event; Enum's own hash is ten times slower.
    __hash__ = object.__hash__

    @property
    def opposite(self) -> Colour:
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Result(Enum):
    """A player's result in one round. The value is the letter of a FIDE report file (TRF16)."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    UNRATED_WIN = "W"
    UNRATED_DRAW = "D"
    UNRATED_LOSS = "L"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    PAIRING_ALLOCATED_BYE = "U"
    FULL_POINT_BYE = "F"
    HALF_POINT_BYE = "H"
    ZERO_POINT_BYE = "Z"
    ABSENT = " "
    """Not paired and nothing requested: before a late arrival, after a withdrawal."""
    ADJOURNED = "*"
    """Begun and not finished: a draw for pairing only (`dutch-1992` F9)."""

    __hash__ = object.__hash__

    @property
    def is_played(self) -> bool:
        """Return True if the game was played and counts, so the two have met and had these colours."""
        return self in PLAYED_RESULTS

    @property
    def is_from_pairing(self) -> bool:
        """Return True if a pairing of the round gave this result: a game, a forfeit or the pairing-allocated bye."""
        return self in PLAYED_RESULTS or self in _PAIRED_UNPLAYED

    @property
    def is_requested_bye(self) -> bool:
        return self in _REQUESTED_BYES


PLAYED_RESULTS = frozenset(
    {
        Result.WIN,
        Result.DRAW,
        Result.LOSS,
        Result.UNRATED_WIN,
        Result.UNRATED_DRAW,
        Result.UNRATED_LOSS,
        Result.ADJOURNED,
    }
)
"""The results that are `is_played`; a set is faster where ten thousand players are checked."""
_PAIRED_UNPLAYED = frozenset({Result.FORFEIT_WIN, Result.FORFEIT_LOSS, Result.PAIRING_ALLOCATED_BYE})
_REQUESTED_BYES = frozenset({Result.FULL_POINT_BYE, Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE})


@dataclass(frozen=True, slots=True, kw_only=True)
class PointSystem:
    """The points for each result in an event, in half points: 2, 1 and 0 are one point, half a point and none.

    `absence` counts for a forfeit loss, a zero-point bye and an absence. A forfeit win and a full-point bye give as
    much as a win; a half-point bye and an adjourned game as much as a draw.
    """

    win: HalfPoints = 2
    draw: HalfPoints = 1
    loss: HalfPoints = 0
    absence: HalfPoints = 0
    pairing_allocated_bye: HalfPoints = 2

    def points_for_result(self, result: Result) -> HalfPoints:
        return points_by_result(self)[result]

    @property
    def scale_factor(self) -> int | None:
        """The factor by which these points multiply 1, ½ and 0 (2 for 2, 1 and 0), or None if there is none."""
        is_same = self.win == 2 * self.draw and self.loss == self.absence == 0
        return self.draw if is_same and self.pairing_allocated_bye % self.draw == 0 else None


STANDARD_POINTS = PointSystem()


@cache
def points_by_result(points: PointSystem) -> Mapping[Result, HalfPoints]:
    """Return the half points for every result."""
    return {
        **dict.fromkeys((Result.WIN, Result.UNRATED_WIN, Result.FORFEIT_WIN, Result.FULL_POINT_BYE), points.win),
        **dict.fromkeys((Result.DRAW, Result.UNRATED_DRAW, Result.HALF_POINT_BYE, Result.ADJOURNED), points.draw),
        **dict.fromkeys((Result.LOSS, Result.UNRATED_LOSS), points.loss),
        **dict.fromkeys((Result.FORFEIT_LOSS, Result.ZERO_POINT_BYE, Result.ABSENT), points.absence),
        Result.PAIRING_ALLOCATED_BYE: points.pairing_allocated_bye,
    }


@cache
def points_by_result_in_system(system: str, points: PointSystem) -> Mapping[Result, HalfPoints]:
    """Return the half points that a score counts. In a Keizer season, only games over the board give any."""
    worth = points_by_result(points)
    return {result: worth[result] if system != "keizer" or result.is_played else 0 for result in worth}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """A player's round. A forfeited pairing keeps its opponent, but its colour does not count."""

    result: Result
    opponent: PairingNumber | None = None
    colour: Colour | None = None

    @property
    def is_played(self) -> bool:
        return self.result.is_played


ABSENT_RECORD = RoundRecord(result=Result.ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingCard:
    """One player's data before the round to be paired.

    `records` holds one record for each round already paired, round 1 first. `unavailable` is the record the player
    already has for the round to be paired (a requested bye, or ABSENT); None means that they are to be paired.
    `fictitious` holds fictitious half points entered manually (TRF `XXA`) for rounds 1, 2, ..., including the round to
    be paired, and perhaps later ones. An empty tuple leaves them to the acceleration.
    """

    tpn: PairingNumber
    name: str = ""
    title: str = ""
    rating: int = 0
    records: tuple[RoundRecord, ...] = ()
    unavailable: RoundRecord | None = None
    fictitious: tuple[HalfPoints, ...] = ()


class InvalidSnapshot(ValueError):
    """Raised if the snapshot contradicts itself. The arbiter must correct the event's data before pairing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSnapshot:
    """An event before a round.

    - `cards`: every player of the starting list, absent or not, in any order
    - `rounds_paired`: the number of rounds in the records
    - `rounds_announced`: the event's number of rounds; None if unknown (then no round is the last)
    - `first_colour`: the colour of TPN 1 in round 1
    - `forbidden_pairs`: pairs who must not meet (siblings, club mates), each as a frozenset of two TPNs
    - `system`: an entry of `systems.PAIRING_SYSTEMS`
    - `procedure`: the pairing procedure under Jahr's order (None: the system's own)
    - `acceleration`: `none`, `progressive` or `baku`
    - `group_limits`: progressive's two ratings (A from the first up, C below the second)
    - `accelerated_players`: the size of Baku's upper group before round 1 (None: counted from `cards`)
    - `points`: the points of each result
    - `interpretations`: interpretations chosen instead of the defaults
    - `options`: options of the system itself, such as `gap=6` in a Keizer season; the others are the usual ones
    """

    cards: tuple[PairingCard, ...]
    rounds_paired: int
    system: str
    procedure: str | None = None
    rounds_announced: int | None = None
    first_colour: Colour = Colour.WHITE
    forbidden_pairs: frozenset[frozenset[PairingNumber]] = frozenset()
    acceleration: str = "none"
    group_limits: tuple[int, int] | None = None
    accelerated_players: int | None = None
    points: PointSystem = STANDARD_POINTS
    interpretations: ChosenInterpretations = ()
    options: tuple[str, ...] = ()

    def chosen_interpretation(self, name: str) -> str:
        """Return the event's interpretation of an ambiguous article (`rule_interpretations.RULE_INTERPRETATIONS`)."""
        return dict(self.interpretations).get(name, RULE_INTERPRETATIONS[name].default_value)

    @property
    def round_number(self) -> int:
        """The round to be paired, from 1."""
        return self.rounds_paired + 1

    @property
    def is_last_round(self) -> bool:
        return self.rounds_announced is not None and self.round_number == self.rounds_announced

    def check_consistency(self) -> None:
        """Raise InvalidSnapshot unless the records of all players agree with one another."""
        try:
            non_default_interpretations(self.interpretations)
        except InvalidInterpretation as error:
            raise InvalidSnapshot(str(error)) from error
        by_tpn = {card.tpn: card for card in self.cards}
        if len(by_tpn) != len(self.cards):
            twice = min(tpn for tpn, count in Counter(card.tpn for card in self.cards).items() if count > 1)
            raise InvalidSnapshot(f"two players have the pairing number {twice}")
        for card in self.cards:
            if card.tpn < 1:
                raise InvalidSnapshot(f"player {card.tpn}: pairing numbers begin at 1")
            if len(card.records) != self.rounds_paired:
                raise InvalidSnapshot(
                    f"player {card.tpn} has {len(card.records)} rounds recorded, the event {self.rounds_paired}"
                )
            for number, record in enumerate(card.records, start=1):
                _check_record(card, number, record, by_tpn)


_ANSWERS = {
    Result.WIN: {Result.LOSS},
    Result.LOSS: {Result.WIN, Result.DRAW, Result.LOSS},
    Result.DRAW: {Result.DRAW, Result.LOSS},
    Result.UNRATED_WIN: {Result.UNRATED_LOSS},
    Result.UNRATED_LOSS: {Result.UNRATED_WIN, Result.UNRATED_LOSS},
    Result.UNRATED_DRAW: {Result.UNRATED_DRAW},
    Result.FORFEIT_WIN: {Result.FORFEIT_LOSS},
    Result.FORFEIT_LOSS: {Result.FORFEIT_WIN, Result.FORFEIT_LOSS},
    Result.ADJOURNED: {Result.ADJOURNED},
}
"""The results that the opponent may have for each result.

A game lost by both, or drawn by one and lost by the other, is the arbiter's decision.
"""


def results_agree(one: Result, other: Result) -> bool:
    """Return True if two opponents can have these results in the same game."""
    return other in _ANSWERS.get(one, ())


def _check_record(
    card: PairingCard, number: int, record: RoundRecord, by_tpn: dict[PairingNumber, PairingCard]
) -> None:
    where = f"player {card.tpn}, round {number}"
    if record.opponent is None:
        if record.is_played:
            raise InvalidSnapshot(f"{where}: a played game without an opponent")
        return
    if record.opponent == card.tpn:
        raise InvalidSnapshot(f"{where}: paired with themselves")
    opponent = by_tpn.get(record.opponent)
    if opponent is None:
        raise InvalidSnapshot(f"{where}: opponent {record.opponent} is not on the starting list")
    if len(opponent.records) < number or opponent.records[number - 1].opponent != card.tpn:
        raise InvalidSnapshot(f"{where}: opponent {record.opponent} was not paired with player {card.tpn}")
    answer = opponent.records[number - 1]
    if not results_agree(record.result, answer.result):
        raise InvalidSnapshot(
            f"{where}: result {record.result.value!r} does not go with {answer.result.value!r} of player {opponent.tpn}"
        )
    if record.is_played and (record.colour is None or answer.colour is not record.colour.opposite):
        raise InvalidSnapshot(f"{where}: players {card.tpn} and {opponent.tpn} cannot both have had these colours")
