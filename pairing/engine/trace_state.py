"""The state of a round after any step of `pairing_trace`, like the cards on an arbiter's table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.pairing_trace import TraceStep, TraceStepKind
from pairing.engine.snapshot import HalfPoints, PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroupState:
    """A score group after some steps.

    `waiting` are the players without an opponent: residents in their order, then floaters. `incoming_floaters` are
    those of them, and of `pairs`, who belong to another group.
    """

    half_points: HalfPoints
    waiting: tuple[PairingNumber, ...]
    incoming_floaters: frozenset[PairingNumber]
    pairs: tuple[tuple[PairingNumber, PairingNumber], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceState:
    """The state after some steps: the groups from the highest, pairs of no group, the bye, and the boards."""

    score_groups: tuple[ScoreGroupState, ...]
    ungrouped_pairs: tuple[tuple[PairingNumber, PairingNumber], ...]
    bye: PairingNumber | None
    boards: tuple[tuple[int, PairingNumber, PairingNumber], ...]


def state_after_steps(steps: Iterable[TraceStep]) -> TraceState:
    """Return the state after these steps, which must be the first of a round."""
    waiting: dict[HalfPoints, list[PairingNumber]] = {}
    came: dict[HalfPoints, set[PairingNumber]] = {}
    pairs: dict[HalfPoints | None, list[tuple[PairingNumber, PairingNumber]]] = {}
    bye: PairingNumber | None = None
    boards = []
    for step in steps:
        match step.kind:
            case TraceStepKind.GROUPS:
                waiting[step.half_points or 0] = list(step.players)
            case TraceStepKind.BYE:
                (bye,) = step.players
                _take(waiting, bye)
            case TraceStepKind.FLOAT:
                (floater,) = step.players
                _take(waiting, floater)
                waiting.setdefault(step.half_points or 0, []).append(floater)
                came.setdefault(step.half_points or 0, set()).add(floater)
            case TraceStepKind.PAIR:
                for player in step.players:
                    _take(waiting, player)
                pairs.setdefault(step.half_points, []).append((step.players[0], step.players[1]))
            case TraceStepKind.BOARD:
                boards.append((step.board or 0, step.players[0], step.players[1]))
    return TraceState(
        score_groups=tuple(
            ScoreGroupState(
                half_points=score,
                waiting=tuple(waiting[score]),
                incoming_floaters=frozenset(came.get(score, ())),
                pairs=tuple(pairs.get(score, ())),
            )
            for score in sorted(waiting, reverse=True)
        ),
        ungrouped_pairs=tuple(pairs.get(None, ())),
        bye=bye,
        boards=tuple(boards),
    )


def _take(waiting: dict[HalfPoints, list[PairingNumber]], player: PairingNumber) -> None:
    for group in waiting.values():
        if player in group:
            group.remove(player)
