"""The club's main menu."""

from __future__ import annotations

from typing import Any

from clubs.models import Club
from clubs.page_context import club_page_context
from clubs.roles import Visitor
from common.navigation import MenuSlot, RenderedMenuLink, menu_links_for


def club_menu_links(club: Club, user: Visitor, context: dict[str, Any]) -> list[RenderedMenuLink]:
    """Return the menu links this user may see, in order. Two queries if signed in, none for a visitor."""
    seen = context if "reads_members" in context and "own" in context and "sees" in context else None
    return menu_links_for(MenuSlot.CLUB, seen or club_page_context(user, club, ""), club.slug)
