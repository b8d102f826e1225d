"""An evening with papers to print."""

from __future__ import annotations

from tests.factories import make_club, make_event, played, published
from tournaments.models import PairingSystem, Tournament


def a_running_event(system: PairingSystem) -> Tournament:
    """Seven players, two rounds played and one published."""
    event = make_event(make_club("przy-moscie"), players=7, rounds=5, system=system)
    played(event, 1)
    played(event, 2)
    published(event, 3)
    return event
