"""Protection of pages with a secret URL (personal links, check-in codes): privacy headers and rate limits."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from clubs.membership.accounts.request_limits import RATE_PERIOD_SECONDS, count_request
from clubs.request_types import WebRequest

ViewFunction = Callable[..., HttpResponse]


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
    """Limit POST requests per token per minute. Any above the limit get an error page."""

    def decorator(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def limited_view(request: WebRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and count_request("taps", str(kwargs["token"])) > taps:
                response = render(
                    request, "clubs/membership/accounts/too_many_taps.html", status=HTTPStatus.TOO_MANY_REQUESTS
                )
                response.headers["Retry-After"] = str(RATE_PERIOD_SECONDS)
                return response
            return view(request, *args, **kwargs)

        return limited_view

    return decorator
