"""1: the players as this system sees them: floats, preferences, topscorers, unplayed games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from pairing.engine.rules.colour_preferences import PreferenceStrength, non_absolute_preference
from pairing.engine.rules.players import FloatDirection, PairingPlayer, players_from_snapshot
from pairing.engine.snapshot import Colour, PairingNumber, PointSystem, Result, TournamentSnapshot

RESULTS_BARRING_BYE = (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN)


@cache
def article_reference(number: str) -> str:
    """An article or criterion of C.04.3, as reasons name it."""
    return f"dutch-2026 {number}"


def players_with_floats(
    snapshot: TournamentSnapshot, fictitious: Mapping[PairingNumber, Sequence[int]] | None
) -> tuple[PairingPlayer, ...]:
    """Everyone on the starting list, with the floats of 1.4."""
    field = players_from_snapshot(snapshot, fictitious=fictitious)
    return tuple(replace(player, floats=_floats(player, snapshot.points)) for player in field)


def _floats(player: PairingPlayer, points: PointSystem) -> tuple[FloatDirection | None, ...]:
    """1.4: a game between unequal scores; without playing only who scores more than a loss, and he downwards."""
    return tuple(
        mark
        if result.is_played
        else FloatDirection.DOWN
        if points.points_for_result(result) > points.loss or result is Result.PAIRING_ALLOCATED_BYE
        else None
        for mark, result in zip(player.floats, player.results, strict=True)
    )


def rank_key(player: PairingPlayer) -> tuple[int, int]:
    """1.2: by score, then by pairing number; smaller is higher."""
    return (-player.pairing_score, player.tpn)


def topscorers(players: Sequence[PairingPlayer], snapshot: TournamentSnapshot) -> frozenset[PairingNumber]:
    """1.8: in the last round those above half of the points they could have."""
    if not snapshot.is_last_round:
        return frozenset()
    most = snapshot.points.win * snapshot.rounds_paired
    return frozenset(player.tpn for player in players if 2 * player.score > most)


def without_absolute_preference(player: PairingPlayer) -> PairingPlayer:
    """C3: a topscorer may meet whoever is due the same colour absolutely, as if no claim of his were absolute."""
    return replace(player, preference=non_absolute_preference(player.colours))


def can_have_bye(player: PairingPlayer) -> bool:
    """C2: no bye after a bye by pairing, nor after a win's points scored in a round without playing."""
    return not player.has_had_result(*RESULTS_BARRING_BYE)


def count_unplayed_games(player: PairingPlayer) -> int:
    """C9: rounds in which he has not played."""
    return sum(not result.is_played for result in player.results)


def is_due_colour(player: PairingPlayer, colour: Colour, *strengths: PreferenceStrength) -> bool:
    """Whether he is due that colour, as firmly as one of these (default: at all)."""
    preference = player.preference
    return (
        preference is not None and preference.colour is colour and (not strengths or preference.strength in strengths)
    )
