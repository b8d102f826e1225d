"""What a page needs to keep up with its event by itself."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.request_types import WebRequest
from tournaments.live_updates.board_marks import board_change_marks
from tournaments.live_updates.topics import LiveTopic, PageAudience, ShownPage, stream_url
from tournaments.models import Tournament

register = template.Library()

MAX_ADDRESS_LENGTH = 300
"""Letters of an address whose page's changes a stream carries."""


@register.inclusion_tag("components/live_state.html", takes_context=True)
def live_updates(
    context: dict[str, Any], tournament: Tournament, *, marked: bool = False, said: str = ""
) -> dict[str, Any]:
    """`{% live tournament %}`: the state the page shows, and where its script listens.

    `marked` for pages on which one's own board is pinned; `said` is what those who hear the page are told when it has
    become another sentence. A marked page says which round is published.

    Nothing on pages that do not keep up. The token in the address is made here, after the page's view has let the
    visitor in; `may_run` in the context gives him the officers' news.
    """
    request = context.get("request")
    versions = getattr(request, "versions", None)
    if request is None or versions is None:
        return {}
    is_part = request.htmx.target == "live"
    shown = None if is_part else _shown(request)
    audience = PageAudience.OFFICERS if context.get("may_run") else PageAudience.PLAYERS
    marks = board_change_marks(tournament) if marked and audience is PageAudience.PLAYERS else None
    if marks is not None and marks.published:
        said = _("Round %(number)d is published.") % {"number": marks.published}
    return {
        "of": tournament.pk,
        "marks": marks,
        "said": said,
        "version": versions.version_for_audience(audience),
        "carries": shown is not None,
        # A part is put into a page that listens already.
        "address": "" if is_part else stream_url(LiveTopic(tournament.pk, audience, page=shown)),
        "is_part": is_part,
    }


@register.inclusion_tag("components/live_state.html", takes_context=True)
def live_list_updates(context: dict[str, Any]) -> dict[str, Any]:
    """`{% live_list %}`: the same for a page that lists events, whose view is `revalidate_event_list`."""
    listed = getattr(context.get("request"), "listed", None)
    if listed is None:
        return {}
    topic, version = listed
    return {
        "of": f"{topic.kind}{topic.key}",
        "version": version,
        "address": stream_url(topic),
        "is_part": context["request"].htmx.target == "live",
    }


def _shown(request: WebRequest) -> ShownPage | None:
    path = request.get_full_path()
    if not getattr(request, "is_shared_page", False) or request.is_expiring_page or len(path) > MAX_ADDRESS_LENGTH:
        return None
    return ShownPage(request.scheme or "", request.get_host(), path, get_language())
