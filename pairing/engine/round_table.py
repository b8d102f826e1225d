"""The cards on the arbiter's table after any step of a round: what `round_steps` tells, as it lies there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.round_steps import Step, StepKind
from pairing.engine.snapshot import HalfPoints, PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A score group on the table.

    `waiting`: who stands there without an opponent, in its order, then who has come; `came`: those of them, and of
    `pairs`, who belong to another group.
    """

    half_points: HalfPoints
    waiting: tuple[PairingNumber, ...]
    came: frozenset[PairingNumber]
    pairs: tuple[tuple[PairingNumber, PairingNumber], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table after some steps: the groups from the highest, pairs of no group, the bye, and the boards laid out."""

    columns: tuple[Column, ...]
    apart: tuple[tuple[PairingNumber, PairingNumber], ...]
    bye: PairingNumber | None
    boards: tuple[tuple[int, PairingNumber, PairingNumber], ...]


def table_after(steps: Iterable[Step]) -> Table:
    """Lay out these steps, the first of a round, one after the other."""
    waiting: dict[HalfPoints, list[PairingNumber]] = {}
    came: dict[HalfPoints, set[PairingNumber]] = {}
    pairs: dict[HalfPoints | None, list[tuple[PairingNumber, PairingNumber]]] = {}
    bye: PairingNumber | None = None
    boards = []
    for step in steps:
        match step.kind:
            case StepKind.GROUPS:
                waiting[step.half_points or 0] = list(step.players)
            case StepKind.BYE:
                (bye,) = step.players
                _take(waiting, bye)
            case StepKind.FLOAT:
                (floater,) = step.players
                _take(waiting, floater)
                waiting.setdefault(step.half_points or 0, []).append(floater)
                came.setdefault(step.half_points or 0, set()).add(floater)
            case StepKind.PAIR:
                for player in step.players:
                    _take(waiting, player)
                pairs.setdefault(step.half_points, []).append((step.players[0], step.players[1]))
            case StepKind.BOARD:
                boards.append((step.board or 0, step.players[0], step.players[1]))
    return Table(
        columns=tuple(
            Column(
                half_points=score,
                waiting=tuple(waiting[score]),
                came=frozenset(came.get(score, ())),
                pairs=tuple(pairs.get(score, ())),
            )
            for score in sorted(waiting, reverse=True)
        ),
        apart=tuple(pairs.get(None, ())),
        bye=bye,
        boards=tuple(boards),
    )


def _take(waiting: dict[HalfPoints, list[PairingNumber]], player: PairingNumber) -> None:
    for group in waiting.values():
        if player in group:
            group.remove(player)
