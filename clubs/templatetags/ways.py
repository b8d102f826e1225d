"""Ways to pages of other rooms in templates."""

from __future__ import annotations

from typing import Any

from django import template

from clubs.ways import ShownWay, ways_at

register = template.Library()


@register.simple_tag(takes_context=True)
def ways(context: template.Context, spot: str, *arguments: Any) -> list[ShownWay]:
    """The ways that stand here: `{% ways "book" club.slug as found %}`; see `clubs.ways.Spot` for the arguments."""
    return ways_at(spot, {str(name): value for name, value in context.flatten().items()}, *arguments)
