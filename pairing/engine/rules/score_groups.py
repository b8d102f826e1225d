"""Score groups: players with the same pairing score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import HalfPoints


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroup:
    """The players to be paired who have one pairing score (half points), the highest of them first."""

    score: HalfPoints
    residents: tuple[PairingPlayer, ...]


def score_groups(players: Iterable[PairingPlayer]) -> tuple[ScoreGroup, ...]:
    """Return the players by pairing score, the highest score first; in each group by number."""
    by_score: dict[HalfPoints, list[PairingPlayer]] = {}
    for player in players:
        by_score.setdefault(player.pairing_score, []).append(player)
    return tuple(
        ScoreGroup(score=score, residents=tuple(sorted(by_score[score], key=lambda player: player.number)))
        for score in sorted(by_score, reverse=True)
    )
