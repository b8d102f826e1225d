"""Unplayed rounds in Swiss events: FIDE Handbook C.07, article 16, and article 8.3's draws of the final round."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from pairing.engine.snapshot import HalfPoints
from pairing.engine.standings.round_outcomes import RoundOutcome
from pairing.engine.standings.tie_break_codes import TieBreakEdition


class TieBreakBasis(Enum):
    """The score or rating that a value of a tie-break is based on."""

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


def score_with_final_draw(outcomes: Sequence[RoundOutcome], points: HalfPoints, *, draw: HalfPoints) -> HalfPoints:
    """Article 8.3: return the adjusted score as if a game paired for the final round, the last outcome, were drawn.

    That game is then no voluntary unplayed round, so byes before it keep their points.
    """
    if outcomes and outcomes[-1].opponent is not None:
        return points - outcomes[-1].points + draw
    return adjusted_score_for_opponents(outcomes, points, draw=draw)


def dummy_opponent_score(
    own: HalfPoints, outcome: RoundOutcome, scheduled: HalfPoints | None, *, draws: HalfPoints, edition: TieBreakEdition
) -> tuple[HalfPoints, TieBreakBasis]:
    """Article 16.4: return the score of the dummy in a player's own unplayed round, and its basis.

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
