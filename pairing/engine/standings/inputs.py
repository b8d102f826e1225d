"""A player's outcome of one round, in the terms of FIDE Handbook C.07, articles 15 and 16."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, cast

from pairing.engine.snapshot import (
    Colour,
    HalfPoints,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    TournamentSnapshot,
)
from pairing.engine.standings.tie_break_codes import TieBreakCode, TieBreakEdition
from pairing.engine.systems.jahr import JahrValues, jahr_values


class RoundOutcome(NamedTuple):
    """The outcome of a round for a player.

    - `opponent`: the one they met or, in a forfeit, should have met; None in byes
    - `is_played`: the game was played (article 15.1 calls all else unplayed)
    - `is_requested_bye`: a half-point or zero-point bye or an absence (16.1.1)
    - `is_voluntary`: one of those or a forfeit loss, a VUR (16.1.2)
    - `is_pending`: an adjourned game; it is played, and gives no points until it is finished
    """

    number: int
    opponent: PairingNumber | None
    points: HalfPoints
    is_black: bool
    is_played: bool
    is_requested_bye: bool
    is_voluntary: bool
    is_pending: bool


_REQUESTED_BYES = frozenset({Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.ABSENT})


class ResultProperties(NamedTuple):
    """The properties of a result, looked up once for the many records that share it."""

    points: HalfPoints
    is_played: bool
    is_requested_bye: bool
    is_voluntary: bool
    is_pending: bool


def outcomes_of_card(card: PairingCard, properties: Mapping[Result, ResultProperties]) -> tuple[RoundOutcome, ...]:
    """Return a player's rounds so far. `properties` come from `result_properties_for_points`."""
    outcomes = []
    for number, record in enumerate(card.records, start=1):
        nature = properties[record.result]
        outcomes.append(RoundOutcome(number, record.opponent, nature[0], record.colour is Colour.BLACK, *nature[1:]))
    return tuple(outcomes)


def result_properties_for_points(points: PointSystem) -> Mapping[Result, ResultProperties]:
    """Return the properties of each result in an event with these points."""
    return {
        result: ResultProperties(
            # An adjourned game is a draw for pairing only; a table shows it as pending (Dutch system 1992, F9).
            points=0 if result is Result.ADJOURNED else points.points_for_result(result),
            is_played=result.is_played,
            is_requested_bye=result in _REQUESTED_BYES,
            is_voluntary=result in _REQUESTED_BYES or result is Result.FORFEIT_LOSS,
            is_pending=result is Result.ADJOURNED,
        )
        for result in Result
    }


class TieBreakBasis(Enum):
    """The score or rating that a tie-break value is based on."""

    OPPONENT = "opponent"
    ADJUSTED_OPPONENT = "adjusted_opponent"
    """The opponent's score with their last byes as draws (16.3.2)."""
    SCHEDULED_OPPONENT = "scheduled_opponent"
    """The opponent of a forfeit that counts as a game."""
    DUMMY = "dummy"
    """A dummy with the player's own score (16.4)."""
    DUMMY_AS_OPPONENT = "dummy_as_opponent"
    """The dummy of a forfeit, capped at the scheduled opponent's adjusted score (16.4.1)."""
    DUMMY_AS_DRAWS = "dummy_as_draws"
    """The dummy of any other unplayed round, capped at a draw in every round (16.4.2)."""
    OWN = "own"
    """The player's own result or score."""
    KEIZER_SELF = "keizer_self"
    """The player's own value in a Keizer season. So in the following ones, except for games and forfeits."""
    KEIZER_GAME = "keizer_game"
    """The opponent's value in a Keizer season, for a game over the board."""
    KEIZER_FORFEIT_WIN = "keizer_forfeit_win"
    KEIZER_FORFEIT_LOSS = "keizer_forfeit_loss"
    KEIZER_WITHDRAWN = "keizer_withdrawn"
    """The player's own value, for a game against somebody who has withdrawn."""
    KEIZER_BYE = "keizer_bye"
    KEIZER_EXCUSED = "keizer_excused"
    KEIZER_ABSENT = "keizer_absent"
    KEIZER_DUTY = "keizer_duty"
    KEIZER_LATE = "keizer_late"
    NOT_MET = "not_met"
    """A tied player they have not met."""


def adjusted_score_for_opponents(
    outcomes: Sequence[RoundOutcome], points: HalfPoints, *, draw: HalfPoints
) -> HalfPoints:
    """Article 16.3: return a player's score for their opponents' tie-breaks.

    Requested byes in the last round, or followed only by voluntary unplayed rounds (16.2.5), are draws. All other
    rounds count with their own points.
    """
    for outcome in reversed(outcomes):
        if outcome.is_requested_bye:
            points += draw - outcome.points
        elif not outcome.is_voluntary:
            break
    return points


def score_with_final_draw(
    outcomes: Sequence[RoundOutcome], points: HalfPoints, *, adjusted: HalfPoints, draw: HalfPoints
) -> HalfPoints:
    """Article 8.3: return the `adjusted` score as if a game paired for the final round, the last outcome, were drawn.

    That game is then not a voluntary unplayed round, so byes before it keep their points.
    """
    if outcomes and outcomes[-1].opponent is not None:
        return points - outcomes[-1].points + draw
    return adjusted


def dummy_opponent_score(
    own: HalfPoints, outcome: RoundOutcome, scheduled: HalfPoints | None, *, draws: HalfPoints, edition: TieBreakEdition
) -> tuple[HalfPoints, TieBreakBasis]:
    """Article 16.4: return the score of the dummy opponent in a player's own unplayed round, and its basis.

    It is the player's own score, capped since 2026. The cap in a forfeit is the adjusted score of the scheduled
    opponent (16.4.1). In any other unplayed round, or if that opponent is unknown, it is `draws`. That is a draw in
    each of the event's rounds (16.4.2).
    """
    if edition is TieBreakEdition.AUGUST_2024:
        return own, TieBreakBasis.DUMMY
    cap, basis = (
        (draws, TieBreakBasis.DUMMY_AS_DRAWS) if scheduled is None else (scheduled, TieBreakBasis.DUMMY_AS_OPPONENT)
    )
    return (cap, basis) if cap < own else (own, TieBreakBasis.DUMMY)


ComputedT = TypeVar("ComputedT")


class StandingsInputs:
    """An event after its rounds. `lots` are places drawn by lot, 1 the best. `edition` is the edition of C.07."""

    def __init__(
        self,
        snapshot: TournamentSnapshot,
        *,
        edition: TieBreakEdition = TieBreakEdition.MARCH_2026,
        lots: Mapping[PairingNumber, int] | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.edition = edition
        self.lots = lots or {}
        self._made: dict[Hashable, Any] = {}

    @property
    def point_system(self) -> PointSystem:
        return self.snapshot.points

    @property
    def rounds_paired(self) -> int:
        return self.snapshot.rounds_paired

    @property
    def is_final_round_paired(self) -> bool:
        """True if the event's last round is paired, or if its number of rounds is not announced."""
        return self.rounds_paired >= (self.snapshot.rounds_announced or 0)

    @property
    def are_pairings_fixed(self) -> bool:
        """True in a round robin, whose pairings are fixed beforehand, so article 16 does not apply (15.2)."""
        return self.snapshot.system == "round-robin"

    @cached_property
    def outcomes_by_player(self) -> Mapping[PairingNumber, tuple[RoundOutcome, ...]]:
        """Everyone's rounds, in the order of the starting list."""
        natures = result_properties_for_points(self.point_system)
        return {
            card.tpn: outcomes_of_card(card, natures) for card in sorted(self.snapshot.cards, key=lambda card: card.tpn)
        }

    @cached_property
    def has_adjourned_games(self) -> bool:
        return any(outcome.is_pending for outcomes in self.outcomes_by_player.values() for outcome in outcomes)

    @cached_property
    def points_by_player(self) -> Mapping[PairingNumber, HalfPoints]:
        return {tpn: sum([outcome.points for outcome in outcomes]) for tpn, outcomes in self.outcomes_by_player.items()}

    @cached_property
    def points_after_each_round(self) -> Mapping[PairingNumber, tuple[HalfPoints, ...]]:
        """Everyone's half points after round 1, 2, ..."""
        return {
            tpn: tuple(accumulate(outcome.points for outcome in outcomes))
            for tpn, outcomes in self.outcomes_by_player.items()
        }

    @cached_property
    def adjusted_scores(self) -> Mapping[PairingNumber, HalfPoints]:
        """Everyone's score for their opponents' tie-breaks (C.07, 16.3)."""
        if self.are_pairings_fixed:
            return self.points_by_player
        return {
            tpn: adjusted_score_for_opponents(outcomes, self.points_by_player[tpn], draw=self.point_system.draw)
            for tpn, outcomes in self.outcomes_by_player.items()
        }

    @cached_property
    def scores_with_final_draws(self) -> Mapping[PairingNumber, HalfPoints]:
        """The adjusted scores as if the games in the final round were drawn (C.07, 8.3), once it is paired."""
        if not self.is_final_round_paired:
            return self.adjusted_scores
        return {
            tpn: score_with_final_draw(
                outcomes,
                self.points_by_player[tpn],
                adjusted=self.adjusted_scores[tpn],
                draw=self.point_system.draw,
            )
            for tpn, outcomes in self.outcomes_by_player.items()
        }

    @cached_property
    def ratings_by_player(self) -> Mapping[PairingNumber, int]:
        return {card.tpn: card.rating for card in self.snapshot.cards}

    @cached_property
    def jahr_values_by_player(self) -> Mapping[PairingNumber, JahrValues]:
        return jahr_values(self.snapshot)

    def do_forfeits_count(self, code: TieBreakCode) -> bool:
        """Return True if a forfeit counts as a game against the scheduled opponent, by modifier or article 15.2."""
        return code.forfeits_as_played or self.are_pairings_fixed

    def edition_for_code(self, code: TieBreakCode) -> TieBreakEdition:
        return code.edition or self.edition

    def compute_once(self, key: Hashable, make: Callable[[], ComputedT]) -> ComputedT:
        """Return the result of `make`, called once for all tie-breaks that use this key."""
        if key not in self._made:
            self._made[key] = make()
        return cast(ComputedT, self._made[key])
