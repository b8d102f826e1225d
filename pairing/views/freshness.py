"""Pages that a phone asks for again and again, and gets again only when something has happened."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import condition

from clubs.requests import WebRequest
from tournaments.models import LogEntry, Round

View = Callable[..., HttpResponse]


def sent_once(view: View) -> View:
    """Whoever is not signed in gets a page of an event again only after something was done in the event."""
    conditional = condition(etag_func=_etag)(view)

    @wraps(view)
    def answer(request: WebRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = conditional(request, *args, **kwargs)
        # Without these a browser may show last week's boards without asking, or a part in place of the whole page.
        patch_cache_control(response, no_cache=True, private=True)
        patch_vary_headers(response, ["HX-Target"])
        return response

    return answer


def _etag(request: WebRequest, club: str, event: str, **_rest: int) -> str | None:
    """Everything done in an event writes a line in its log, so its latest line stands for the state of every page."""
    if request.user.is_authenticated:
        return None
    latest = LogEntry.objects.filter(tournament__club__slug=club, tournament__slug=event).first()
    if latest is None:
        return None
    look = request.COOKIES.get("look") if request.COOKIES.get("look") in ("light", "dark") else ""
    now = timezone.now()
    of_event = Round.objects.filter(tournament=latest.tournament_id)
    provisional = of_event.filter(state=Round.State.PUBLISHED, provisional_until__gt=now).count()
    part = "boards" if request.htmx.target == "boards" else ""
    return f'"{latest.pk}.{get_language()}.{look}.{part}.{provisional}"'
