"""The lasting menu of a club: the ways to its pages, as whoever looks may go them."""

from __future__ import annotations

from typing import Any

from clubs.access import Visitor
from clubs.frame import frame
from clubs.models import Club
from common.navigation import ShownWay, Spot, ways_at


def menu_of(club: Club, user: Visitor, context: dict[str, Any]) -> list[ShownWay]:
    """The ways in their order; two queries for somebody signed in, none for a visitor."""
    seen = context if "reads_members" in context and "own" in context and "sees" in context else None
    return ways_at(Spot.CLUB, seen or frame(user, club, ""), club.slug)
