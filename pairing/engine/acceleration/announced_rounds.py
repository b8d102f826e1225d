"""What every acceleration needs to know of an event."""

from __future__ import annotations

from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot


def announced_rounds(snapshot: TournamentSnapshot) -> int:
    """The event's number of rounds; InvalidSnapshot without one, as no acceleration can end then."""
    if snapshot.rounds_announced is None:
        raise InvalidSnapshot(
            f"{snapshot.acceleration} acceleration needs the event's number of rounds (XXR in the file, or --rounds)"
        )
    return snapshot.rounds_announced
