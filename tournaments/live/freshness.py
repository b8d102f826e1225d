"""Pages that keep up with an event: sent again, whole or in part, only when something has happened.

A page says which state of the event it shows. Its script (`static/js/live.js`) learns that there is another, and asks
for the same address once more with `HX-Target: live`: the answer holds those parts of the page that may have changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from hashlib import sha256
from typing import Any

from django.core.cache import caches
from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language

from clubs.requests import WebRequest, key_of
from tournaments.live.changes import changes_between
from tournaments.live.topics import LINES, Versions, seen_lines
from tournaments.models import Round, Tournament

View = Callable[..., HttpResponse]

KEPT = 15 * 60
"""Seconds for which a part is kept: for the next who asks, and as what those have who ask for changes since. Its
address changes with every line of the log."""

STATE_KEPT = 2
"""Seconds for which the state of an event is kept for whoever has heard of nothing newer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What a page of an event depends on: everything done writes a line in the log, except that time passes."""

    event: int
    is_public: bool
    versions: Versions
    is_provisional: bool


def sent_once(view: View) -> View:
    """Whoever is not signed in gets a page of a public event again only after something was done in the event.

    A part of it is made once for all of them. What others may see depends on who they are: for them it is always made.
    """

    @wraps(view)
    def answer(request: WebRequest, club: str, event: str, *args: Any, **kwargs: Any) -> HttpResponse:
        state = _state_known(request, club, event) or _state(club, event)
        if state is not None:
            request.versions = state.versions
        if _part(request) == "live":
            request.layout = "part.html"
        etag = _etag(request, state)
        response = get_conditional_response(request, etag=etag) if etag else None
        if response is None:
            response = _made(request, etag, partial(view, request, club, event, *args, **kwargs))
            if etag:
                response.headers["ETag"] = etag
        # Without these a browser may show last week's boards without asking, or a part in place of the whole page.
        patch_cache_control(response, no_cache=True, private=True)
        patch_vary_headers(response, ["HX-Target"])
        return response

    return answer


def mark_of(club: str, event: str) -> str | None:
    """What changes whenever anything that everyone may see of a public event can have changed; None for no such event.

    One query. The answer is without the language and looks of whoever asks.
    """
    state = _state(club, event)
    if state is None or not state.is_public:
        return None
    # Days are told by the club's calendar; an event's public state changes with one alone where a round is provisional.
    return f"{state.event}.{state.versions.officers}.{int(state.is_provisional)}"


def _state(club: str, event: str) -> _State | None:
    """The state of an event, in one query; None if there is no such event."""
    open_pairings = Round.objects.filter(
        tournament=OuterRef("pk"), state=Round.State.PUBLISHED, provisional_until__gt=timezone.now()
    )
    found = (
        Tournament.objects.filter(club__slug=club, slug=event)
        .order_by()
        .annotate(lines=LINES, lines_seen=seen_lines(), is_provisional=Exists(open_pairings))
        .values_list("pk", "is_public", "lines_seen", "lines", "is_provisional")
        .first()
    )
    if found is None:
        return None
    event_key, is_public, lines_seen, lines, is_provisional = found
    versions = Versions(players=lines_seen, officers=lines)
    state = _State(event=event_key, is_public=is_public, versions=versions, is_provisional=is_provisional)
    caches["parts"].set(_state_key(club, event), state, STATE_KEPT)
    return state


def _state_known(request: WebRequest, club: str, event: str) -> _State | None:
    """The state somebody else has just asked for, if it is as new as the news a phone has heard (`Live-Version`).

    So a thousand phones told of one result ask the database once.
    """
    heard = request.headers.get("Live-Version", "")
    if _part(request) != "live" or not (heard == "0" or key_of(heard)) or request.user.is_authenticated:
        return None
    state: _State | None = caches["parts"].get(_state_key(club, event))
    return state if state is not None and state.versions.players >= key_of(heard) else None


def _state_key(club: str, event: str) -> str:
    return f"state/{club}/{event}"


def _etag(request: WebRequest, state: _State | None) -> str | None:
    """The state of the page as one word; none for those for whom it is always made.

    The day is part of it because the page holds a token that gets old.
    """
    if state is None or not state.is_public or request.user.is_authenticated:
        return None
    look = request.COOKIES.get("look") if request.COOKIES.get("look") in ("light", "dark") else ""
    words = (
        state.event,
        state.versions.officers,
        int(state.is_provisional),
        timezone.localdate().toordinal(),
        get_language(),
        look,
        _part(request),
    )
    return f'"{".".join(str(word) for word in words)}"'


def _part(request: WebRequest) -> str:
    target = request.htmx.target
    return target if target in ("boards", "live") else ""


def _made(request: WebRequest, etag: str | None, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What the view answers; a part for everyone comes from the cache if somebody has had it already."""
    if etag is None or _part(request) != "live" or "name" in request.GET:
        return make()
    key = _part_key(request, etag)
    kept = caches["parts"].get(key)
    if kept is not None:
        status, content = kept
        return _changes(request, key, content) or HttpResponse(content, status=status)
    response = make()
    # A form's token belongs to one visitor: a part with a form is nobody else's.
    if response.status_code in (200, 404) and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE"):
        caches["parts"].set(key, (response.status_code, response.content), KEPT)
        return _changes(request, key, response.content) or response
    return response


def _changes(request: WebRequest, key: str, content: bytes) -> HttpResponse | None:
    """What has changed since the state that the page says it has, found once for all who have it; None where that
    state is not known here, or hardly anything of it is left."""
    mark = request.headers.get("If-None-Match", "").removeprefix("W/")
    if "Live-Changes" not in request.headers or not mark:
        return None
    known = _part_key(request, mark)
    between = f"{known}/{key}"
    told = caches["parts"].get(between)
    if told is None:
        before = caches["parts"].get(known)
        if before is None:
            return None
        told = changes_between(before[1].decode(), content.decode()) or ""
        caches["parts"].set(between, told, KEPT)
    return HttpResponse(told, content_type="application/json") if told else None


def _part_key(request: WebRequest, etag: str) -> str:
    return sha256(f"{request.get_full_path()} {request.get_host()} {etag}".encode()).hexdigest()
