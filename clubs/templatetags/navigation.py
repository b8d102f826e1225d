"""Template tags for menus and links to other packages' pages."""

from __future__ import annotations

from typing import Any

from django import template

from clubs.membership.club_settings.menu import club_menu_links
from clubs.models import Club
from common.navigation import MenuSlot, RenderedMenuLink, menu_links_for, parent_link_name

register = template.Library()

EVENTS = "events"
"""The link that leads to every page of an event."""


@register.simple_tag(takes_context=True)
def menu_links(context: template.Context, spot: str, *arguments: Any) -> list[RenderedMenuLink]:
    """Return the links in a menu slot (`MenuSlot`), as in `{% menu_links "club" club.slug as found %}`."""
    return menu_links_for(spot, {str(name): value for name, value in context.flatten().items()}, *arguments)


@register.simple_tag(takes_context=True)
def current_club(context: template.Context) -> Club | None:
    """Return the club of the page, or the club of its event."""
    found = context.get("club") or getattr(context.get("tournament"), "club", None)
    return found if isinstance(found, Club) else None


@register.simple_tag(takes_context=True)
def club_menu(context: template.Context, club: Club) -> list[RenderedMenuLink]:
    """Return the links of the club's main menu that the user may use."""
    return club_menu_links(club, context["user"], {str(name): value for name, value in context.flatten().items()})


@register.simple_tag(takes_context=True)
def current_link(context: template.Context, menu: list[RenderedMenuLink]) -> str:
    """Return the name of the page's link in the club's main menu, or of the link that leads to the page."""
    if "tournament" in context:
        return EVENTS
    here = str(context.get("here", ""))
    return here if any(way.name == here for way in menu) else parent_link_name(MenuSlot.CLUB, here)


@register.simple_tag
def undone_steps(steps: list[RenderedMenuLink]) -> list[RenderedMenuLink]:
    """Return the steps of a checklist that are not done, as in `{% undone_steps steps as undone %}`."""
    return [step for step in steps if step.is_done is False]
