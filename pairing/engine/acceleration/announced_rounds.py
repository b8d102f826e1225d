"""The announced number of rounds, which every acceleration needs."""

from __future__ import annotations

from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot


def announced_rounds(snapshot: TournamentSnapshot) -> int:
    """Return the event's number of rounds. Raises InvalidSnapshot if there is none, as acceleration would never end."""
    if snapshot.rounds_announced is None:
        raise InvalidSnapshot(
            f"{snapshot.acceleration} acceleration needs the event's number of rounds (XXR in the file, or --rounds)"
        )
    return snapshot.rounds_announced
