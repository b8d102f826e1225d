"""Protection of pages with a secret URL (personal links, check-in codes): privacy headers and rate limits."""

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
"""The period over which POST requests are counted."""


def private_page(view: ViewFunction) -> ViewFunction:
    """Keep a page's secret URL from search engines and other sites, and its content from shared caches."""

    @wraps(view)
    def wrapper(request: WebRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        # Not "no-referrer": browsers would then send forms with the origin "null", which the CSRF check refuses.
        response.headers["Referrer-Policy"] = "strict-origin"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return wrapper


def limit_posts_per_minute(taps: int) -> Callable[[ViewFunction], ViewFunction]:
    """Limit POST requests per token and minute, counted per process. Answer further ones with an error page."""

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
    """Return the number of requests in this minute, this one included. Only a hash of the token is stored."""
    key = f"taps-{hashlib.sha256(token.encode()).hexdigest()}"
    cache.add(key, 0, RATE_PERIOD_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:  # expired between the two calls
        return 1
