"""Pages whose address is a secret, a personal link, the code on the wall: kept private, and how often one may write."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from clubs.request_types import WebRequest

ViewFunction = Callable[..., HttpResponse]

RATE_PERIOD_SECONDS = 60
"""A hall taps fast, a program faster: taps are counted over so long."""


def private_page(view: ViewFunction) -> ViewFunction:
    """No search engine keeps the address, no other page learns it, no shared cache stores what it shows."""

    @wraps(view)
    def wrapper(request: WebRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        # Not "no-referrer": browsers would then send forms with the origin "null", which the guard against forged
        # requests refuses.
        response.headers["Referrer-Policy"] = "strict-origin"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return wrapper


def limit_posts_per_minute(taps: int) -> Callable[[ViewFunction], ViewFunction]:
    """So many POSTs a minute by one token, for each process that answers; more are refused with a sentence."""

    def decorator(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def answer(request: WebRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and _taps_by(str(kwargs["token"])) > taps:
                response = render(
                    request, "tournaments/check_in/too_many_taps.html", status=HTTPStatus.TOO_MANY_REQUESTS
                )
                response.headers["Retry-After"] = str(RATE_PERIOD_SECONDS)
                return response
            return view(request, *args, **kwargs)

        return answer

    return decorator


def _taps_by(token: str) -> int:
    """How many there have been in this minute, this one included. The token itself is kept nowhere."""
    key = f"taps-{hashlib.sha256(token.encode()).hexdigest()}"
    cache.add(key, 0, RATE_PERIOD_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:  # forgotten between the two
        return 1
