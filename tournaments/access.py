"""Who may see and run which event: the first line of every view of events."""

from __future__ import annotations

from clubs.access import Visitor
from tournaments.models import Round, Tournament


def get_tournament_for_arbiter(user: Visitor, club_slug: str, slug: str) -> Tournament:
    """The event, for the secretary or an arbiter of its club; 404 for strangers to the club, 403 for its other members."""
    raise NotImplementedError


def get_tournament_for_reader(user: Visitor, club_slug: str, slug: str) -> Tournament:
    """The event, for everyone if it is public, else for anyone with a role in its club; 404 otherwise."""
    raise NotImplementedError


def get_round_for_arbiter(user: Visitor, club_slug: str, slug: str, number: int) -> Round:
    """A round, whatever its state, for those who run the event."""
    raise NotImplementedError


def get_round_for_reader(user: Visitor, club_slug: str, slug: str, number: int) -> Round:
    """A published or finished round, for those who may read the event; 404 while it is a draft."""
    raise NotImplementedError
