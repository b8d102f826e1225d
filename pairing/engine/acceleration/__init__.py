"""Accelerations: fictitious points with which rounds are paired. Standings ignore them.

`ACCELERATIONS` is the closed list. An acceleration gives every player fictitious half points for rounds 1, 2, ...,
including the one to be paired. They are computed from the results each time.

An acceleration is imported when first used, because most events have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pairing.engine.rules.players import AccelerationFunction
from pairing.engine.snapshot import HalfPoints, InvalidSnapshot, PairingNumber, TournamentSnapshot


def _progressive(snapshot: TournamentSnapshot) -> Mapping[PairingNumber, Sequence[HalfPoints]]:
    from pairing.engine.acceleration import progressive

    return progressive.fictitious_points(snapshot)


def _baku(snapshot: TournamentSnapshot) -> Mapping[PairingNumber, Sequence[HalfPoints]]:
    from pairing.engine.acceleration import baku

    return baku.fictitious_points(snapshot)


ACCELERATIONS: Mapping[str, AccelerationFunction] = {"progressive": _progressive, "baku": _baku}


def fictitious_points(snapshot: TournamentSnapshot) -> Mapping[PairingNumber, Sequence[HalfPoints]] | None:
    """Return the fictitious half points of the snapshot's acceleration, or None if there is none.

    Raises InvalidSnapshot if the acceleration is unknown, or if the event has no announced number of rounds.
    """
    if snapshot.acceleration == "none":
        return None
    if snapshot.acceleration not in ACCELERATIONS:
        raise InvalidSnapshot(f"unknown acceleration {snapshot.acceleration!r}")
    return ACCELERATIONS[snapshot.acceleration](snapshot)
