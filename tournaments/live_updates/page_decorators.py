"""Decorators for pages that stay up to date with an event, rendered only if something has changed.

A page says which state of the event it shows. Its script (`static/js/live_updates.js`) learns of a new state and
requests the same URL with `HX-Target: live`. The answer has the parts of the page that may have changed.

All visitors who are not signed in see the same page of a public event. It is rendered once for each state of the event
and cached (`shared_page_middleware`). For signed-in users it is always rendered, as they may see more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.contrib.messages import get_messages
from django.core.cache import caches
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language

from clubs.membership.accounts.request_limits import RATE_PERIOD_SECONDS, is_over_limit
from clubs.models import Club
from clubs.request_types import WebRequest
from clubs.roles import clubs_of_user, roles_in_club
from tournaments.live_updates.event_state import EventPageState, load_event_state
from tournaments.live_updates.shared_page_middleware import SharedPageInfo, chosen_colour_scheme
from tournaments.live_updates.text_patches import make_text_patch
from tournaments.live_updates.topics import (
    LiveTopic,
    PageAudience,
    TopicKind,
    event_list_version,
    event_versions_by_slug,
)

ViewFunction = Callable[..., HttpResponse]

MAX_QUERIES_PER_MINUTE = 240
"""Pages that are rendered for visitors of one address because their query, headers or cookies rule out the cached page.
A hall of people may search for their names."""
PART_CACHE_SECONDS = 15 * 60
"""Seconds for which a part is cached, also as the base for later changes."""


def cache_event_page(view: ViewFunction) -> ViewFunction:
    """Cache a public event's page for visitors, and render it again only after something in the event has changed."""

    @wraps(view)
    def wrapper(request: WebRequest, club: str, event: str, *args: Any, **kwargs: Any) -> HttpResponse:
        def build_response() -> HttpResponse:
            is_odd = bool(request.GET) or not getattr(request, "may_be_cached", True)
            if (
                is_odd
                and not request.user.is_authenticated
                and is_over_limit(request, "queries", MAX_QUERIES_PER_MINUTE)
            ):
                return too_many_requests(request)
            request.versions = event_versions_by_slug(club, event)
            return view(request, club, event, *args, **kwargs)

        state = (
            (getattr(request, "state_found", None) or load_event_state(club, event)) if _is_visitor(request) else None
        )
        if state is not None:
            request.is_indexable = state.is_public and state.is_indexable and not request.GET
        etag = _etag(request, state) if state is not None and state.is_public else None
        request.is_shared_page = etag is not None
        response = _answered(request, etag, build_response)
        if not request.user.is_authenticated:
            response.headers["Keep-Offline"] = "all"
        if etag and state is not None and not request.is_expiring_page:
            made = SharedPageInfo(club=club, event=event, state=state.digest, part=_part(request))
            response.shared_page_middleware = made  # type: ignore[attr-defined]
        return response

    wrapper.is_event_page = True  # type: ignore[attr-defined]
    return wrapper


def too_many_requests(request: WebRequest) -> HttpResponse:
    """Return the response for an address that has sent too many requests in a minute."""
    response = render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(RATE_PERIOD_SECONDS)
    return response


def revalidate_event_list(
    view: ViewFunction, *, is_personal: Callable[[WebRequest], bool] = lambda request: False
) -> ViewFunction:
    """Decorate a page that lists one club's or all clubs' events. Browsers revalidate it. The server doesn't cache it.

    A request that `is_personal` gets a page that is like nobody else's.
    """

    @wraps(view)
    def wrapper(request: WebRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.event_list_state = _listed(request, kwargs.get("club"))
        # Strangers see nobody's name on it.
        request.is_indexable = not request.GET
        request.is_shared_page = False
        etag = None
        if request.event_list_state is not None and _is_visitor(request) and not is_personal(request):
            topic, version = request.event_list_state
            # Includes the day, because the page has a token that expires.
            words = (
                topic.kind,
                topic.key,
                version,
                timezone.localdate().toordinal(),
                get_language(),
                chosen_colour_scheme(request),
            )
            etag = f'"{".".join(str(word) for word in words)}.{_part(request)}"'
        response = _answered(request, etag, partial(view, request, *args, **kwargs))
        if request.user.is_authenticated:
            # The page has private content: dues, birthdays, missing players.
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return wrapper


def public_event_digest(club: str, event: str) -> str | None:
    """Return a digest that changes when an event's public content may have changed. None if the event is not public.

    One query. The digest does not depend on the visitor's language or colour scheme.
    """
    state = load_event_state(club, event)
    return state.digest if state is not None and state.is_public else None


def _answered(request: WebRequest, etag: str | None, make: Callable[[], HttpResponse]) -> HttpResponse:
    request.is_expiring_page = False
    if _part(request) == "live":
        request.layout = "fragment_base.html"
    response = get_conditional_response(request, etag=etag) if etag else None
    if response is None:
        response = _made(request, etag, make)
    if etag and not request.is_expiring_page:
        response.headers["ETag"] = etag
    # Without these a browser may show last week's boards without asking, or a part instead of the whole page.
    patch_cache_control(response, no_cache=True, private=True)
    patch_vary_headers(response, ["HX-Target"])
    return response


def _listed(request: WebRequest, club: str | None) -> tuple[LiveTopic, int] | None:
    """Return the list that a page shows, with its version before rendering, or None if there is no such club."""
    if club is None:
        is_of_house, key = bool(clubs_of_user(request.user)), 0
    else:
        the_club = Club.objects.filter(slug=club).first()
        if the_club is None:
            return None
        is_of_house, key = bool(roles_in_club(request.user, the_club)), the_club.pk
    topic = LiveTopic(key, PageAudience.OFFICERS if is_of_house else PageAudience.PLAYERS, TopicKind.EVENT_LIST)
    return topic, event_list_version(topic)


def mark_page_expiring(request: WebRequest) -> None:
    """Mark a page whose content expires at a set time, so that it is rendered for every request."""
    request.is_expiring_page = True


def _is_visitor(request: WebRequest) -> bool:
    """Return True if the visitor is not signed in and has no pending messages."""
    return not request.user.is_authenticated and not len(get_messages(request))


def _is_odd_visit(request: WebRequest) -> bool:
    """Return True if somebody who is not signed in asks for a page in a way that rules out the cached one."""
    is_odd = bool(request.GET) or not getattr(request, "may_be_cached", True)
    return is_odd and not request.user.is_authenticated


def _etag(request: WebRequest, state: EventPageState) -> str:
    """Return the ETag of what a visitor sees of an event in this state at this URL."""
    part = _part(request)
    look = "" if part else chosen_colour_scheme(request)
    return f'"{state.digest}.{get_language()}.{look}.{part}"'


def _part(request: WebRequest) -> str:
    target = request.htmx.target
    return target if target in ("boards", "live") else ""


def _made(request: WebRequest, etag: str | None, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the view's answer. A shared part comes from the cache if it was rendered before."""
    if etag is None or _part(request) != "live" or "name" in request.GET:
        return make()
    key = _part_key(request, etag)
    kept = caches["parts"].get(key)
    if kept is not None:
        status, content = kept
        return _changes(request, key, content) or HttpResponse(content, status=status)
    response = make()
    # A form's token belongs to one visitor, so a part with a form is never shared.
    is_own = request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or request.is_expiring_page
    if response.status_code in (200, 404) and not is_own:
        caches["parts"].set(key, (response.status_code, response.content), PART_CACHE_SECONDS)
        return _changes(request, key, response.content) or response
    return response


def _changes(request: WebRequest, key: str, content: bytes) -> HttpResponse | None:
    """Return the changes since the page's state, computed once for all who have it.

    None if that state is not known here, or if little of it is left.
    """
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
        told = make_text_patch(before[1].decode(), content.decode()) or ""
        caches["parts"].set(between, told, PART_CACHE_SECONDS)
    return HttpResponse(told, content_type="application/json") if told else None


def _part_key(request: WebRequest, etag: str) -> str:
    return sha256(f"{request.get_full_path()} {request.get_host()} {etag}".encode()).hexdigest()
