"""What a page needs to keep up with its event by itself."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments.live.topics import Audience, Topic, stream_address
from tournaments.models import Tournament

register = template.Library()


@register.inclusion_tag("components/live.html", takes_context=True)
def live(context: dict[str, Any], tournament: Tournament) -> dict[str, Any]:
    """`{% live tournament %}`: the state the page shows, and where its script listens.

    Nothing on pages that do not keep up. The token in the address is made here, after the page's view has let the
    visitor in; `may_run` in the context gives him the officers' news.
    """
    versions = getattr(context.get("request"), "versions", None)
    if versions is None:
        return {}
    audience = Audience.OFFICERS if context.get("may_run") else Audience.PLAYERS
    return {
        "version": versions.of(audience),
        "address": stream_address(Topic(tournament.pk, audience)),
        "is_part": context["request"].htmx.target == "live",
    }
