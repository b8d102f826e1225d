"""What every page of a club's book knows of its visitor."""

from __future__ import annotations

from typing import Any

from clubs.access import OFFICERS, own_member, roles_in
from clubs.models import Club, Role, User
from clubs.privacy import parts_seen_by


def frame(user: User, club: Club, here: str) -> dict[str, Any]:
    """The club, the page's place among the tabs, and what the visitor may see and do in it."""
    roles = roles_in(user, club)
    return {
        "club": club,
        "here": here,
        "sees": parts_seen_by(roles),
        "reads_members": bool(roles & OFFICERS),
        "may_edit": Role.SECRETARY in roles,
        "may_book": Role.TREASURER in roles,
        "own": own_member(user, club),
    }
