"""The players as this system sees them (1): floats, preferences, topscorers, unplayed games."""

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
    """Return a reference to an article or criterion of C.04.3, as used in reasons."""
    return f"dutch-2026 {number}"


def players_with_floats(
    snapshot: TournamentSnapshot, fictitious: Mapping[PairingNumber, Sequence[int]] | None
) -> tuple[PairingPlayer, ...]:
    """Return everyone on the starting list, with the floats of 1.4."""
    field = players_from_snapshot(snapshot, fictitious=fictitious)
    return tuple(replace(player, floats=_floats(player, snapshot.points)) for player in field)


def _floats(player: PairingPlayer, points: PointSystem) -> tuple[FloatDirection | None, ...]:
    """Return a player's floats (1.4).

    A game gives a float if the scores differ. Scoring more than a loss without playing is a downfloat.
    """
    return tuple(
        mark
        if result.is_played
        else FloatDirection.DOWN
        if points.points_for_result(result) > points.loss or result is Result.PAIRING_ALLOCATED_BYE
        else None
        for mark, result in zip(player.floats, player.results, strict=True)
    )


def rank_key(player: PairingPlayer) -> tuple[int, int]:
    """Return the key that sorts by score, then by pairing number (1.2). The smallest key ranks first."""
    return (-player.pairing_score, player.tpn)


def topscorers(players: Sequence[PairingPlayer], snapshot: TournamentSnapshot) -> frozenset[PairingNumber]:
    """Return the players above half of the maximum score in the last round (1.8)."""
    if not snapshot.is_last_round:
        return frozenset()
    most = snapshot.points.win * snapshot.rounds_paired
    return frozenset(player.tpn for player in players if 2 * player.score > most)


def without_absolute_preference(player: PairingPlayer) -> PairingPlayer:
    """Return a topscorer's data without an absolute preference, because C3 does not apply to them."""
    return replace(player, preference=non_absolute_preference(player.colours))


def can_have_bye(player: PairingPlayer) -> bool:
    """Return True unless the player has had a bye, or the points for a win without playing (C2)."""
    return not player.has_any_result(*RESULTS_BARRING_BYE)


def count_unplayed_games(player: PairingPlayer) -> int:
    """Count the rounds a player did not play (C9)."""
    return sum(not result.is_played for result in player.results)


def is_due_colour(player: PairingPlayer, colour: Colour, *strengths: PreferenceStrength) -> bool:
    """Return True if the player is due this colour with one of the given strengths, or with any if none is given."""
    preference = player.preference
    return (
        preference is not None and preference.colour is colour and (not strengths or preference.strength in strengths)
    )
