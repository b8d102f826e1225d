"""Ways to pages of other rooms in templates."""

from __future__ import annotations

from typing import Any

from django import template

from clubs.membership.club_settings.menu import club_menu_links
from clubs.models import Club
from common.navigation import RenderedMenuLink, menu_links_for

register = template.Library()


@register.simple_tag(takes_context=True)
def menu_links(context: template.Context, spot: str, *arguments: Any) -> list[RenderedMenuLink]:
    """The ways that stand here: `{% ways "book" club.slug as found %}`; `common.navigation.MenuSlot`."""
    return menu_links_for(spot, {str(name): value for name, value in context.flatten().items()}, *arguments)


@register.simple_tag(takes_context=True)
def current_club(context: template.Context) -> Club | None:
    """The club whose page this is: given by the view, or that of its event."""
    found = context.get("club") or getattr(context.get("tournament"), "club", None)
    return found if isinstance(found, Club) else None


@register.simple_tag(takes_context=True)
def club_menu(context: template.Context, club: Club) -> list[RenderedMenuLink]:
    """The lasting menu of a club, as whoever looks may use it."""
    return club_menu_links(club, context["user"], {str(name): value for name, value in context.flatten().items()})
