"""Pages whose address is a secret: a personal link, the code on the wall."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.utils.cache import patch_cache_control

from clubs.requests import WebRequest

View = Callable[..., HttpResponse]


def kept_private(view: View) -> View:
    """No search engine keeps the address, no other page learns it, no shared cache stores what it shows."""

    @wraps(view)
    def answer(request: WebRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        # Not "no-referrer": browsers would then send forms with the origin "null", which the guard against forged
        # requests refuses.
        response.headers["Referrer-Policy"] = "strict-origin"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return answer
