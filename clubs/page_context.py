"""The template context shared by all club pages."""

from __future__ import annotations

from typing import Any

from clubs.models import Club, Role
from clubs.privacy import visible_data_categories
from clubs.roles import OFFICER_ROLES, Visitor, find_own_member, roles_in_club


def club_page_context(user: Visitor, club: Club, here: str) -> dict[str, Any]:
    """Return the club, the current tab, and what the user may see and do."""
    roles = roles_in_club(user, club)
    return {
        "club": club,
        "here": here,
        "sees": visible_data_categories(roles),
        "belongs": bool(roles),
        "reads_members": bool(roles & OFFICER_ROLES),
        "may_edit": Role.SECRETARY in roles,
        "may_book": Role.TREASURER in roles,
        "own": find_own_member(user, club),
    }
