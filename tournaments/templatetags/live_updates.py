"""Template tags for pages that update automatically."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.request_types import WebRequest
from tournaments.live_updates.board_marks import load_board_version_marks
from tournaments.live_updates.topics import DisplayedPage, LiveTopic, PageAudience, stream_url
from tournaments.models import Tournament

register = template.Library()

MAX_ADDRESS_LENGTH = 300
"""The longest address, in characters, of a page whose changes are streamed."""


@register.inclusion_tag("components/live_state.html", takes_context=True)
def live_updates(
    context: dict[str, Any], tournament: Tournament, *, marked: bool = False, said: str = ""
) -> dict[str, Any]:
    """`{% live_updates tournament %}`: the state the page shows, and the address its script listens to.

    `marked` is for pages where players pin their own board; `said` is announced to screen readers when it changes. A
    marked page announces which round is published. Outputs nothing on pages without live updates. The token in the
    address is created here, after the view has checked access. With `may_run` in the context, it gives access to the
    officers' updates.
    """
    request = context.get("request")
    versions = getattr(request, "versions", None)
    if request is None or versions is None:
        return {}
    is_part = request.htmx.target == "live"
    shown = None if is_part else _shown(request)
    audience = PageAudience.OFFICERS if context.get("may_run") else PageAudience.PLAYERS
    marks = load_board_version_marks(tournament) if marked and audience is PageAudience.PLAYERS else None
    if marks is not None and marks.published:
        said = _("Round %(number)d is published.") % {"number": marks.published}
    return {
        "of": tournament.pk,
        "marks": marks,
        "said": said,
        "version": versions.version_for_audience(audience),
        "carries": shown is not None,
        # This part goes into a page that is already listening.
        "address": "" if is_part else stream_url(LiveTopic(tournament.pk, audience, page=shown)),
        "is_part": is_part,
    }


@register.inclusion_tag("components/live_state.html", takes_context=True)
def live_list_updates(context: dict[str, Any]) -> dict[str, Any]:
    """`{% live_list_updates %}`: like `live_updates`, for a list of events with a `revalidate_event_list` view."""
    listed = getattr(context.get("request"), "event_list_state", None)
    if listed is None:
        return {}
    topic, version = listed
    return {
        "of": f"{topic.kind}{topic.key}",
        "version": version,
        "address": stream_url(topic),
        "is_part": context["request"].htmx.target == "live",
    }


def _shown(request: WebRequest) -> DisplayedPage | None:
    path = request.get_full_path()
    if not getattr(request, "is_shared_page", False) or request.is_expiring_page or len(path) > MAX_ADDRESS_LENGTH:
        return None
    return DisplayedPage(request.scheme or "", request.get_host(), path, get_language())
