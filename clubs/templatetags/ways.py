"""Ways to pages of other rooms in templates."""

from __future__ import annotations

from typing import Any

from django import template

from clubs.membership.club_settings.menu import menu_of
from clubs.models import Club
from common.navigation import ShownWay, ways_at

register = template.Library()


@register.simple_tag(takes_context=True)
def ways(context: template.Context, spot: str, *arguments: Any) -> list[ShownWay]:
    """The ways that stand here: `{% ways "book" club.slug as found %}`; `common.navigation.Spot`."""
    return ways_at(spot, {str(name): value for name, value in context.flatten().items()}, *arguments)


@register.simple_tag(takes_context=True)
def club_here(context: template.Context) -> Club | None:
    """The club whose page this is: given by the view, or that of its event."""
    found = context.get("club") or getattr(context.get("tournament"), "club", None)
    return found if isinstance(found, Club) else None


@register.simple_tag(takes_context=True)
def club_menu(context: template.Context, club: Club) -> list[ShownWay]:
    """The lasting menu of a club, as whoever looks may use it."""
    return menu_of(club, context["user"], {str(name): value for name, value in context.flatten().items()})
