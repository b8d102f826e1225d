"""Forms that every page has, also those that are the same for everybody and so hold no token of one visitor."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

View = Callable[..., HttpResponseBase]


def from_here_only(view: View) -> View:
    """In place of the token against forged requests, for what changes a browser's language and look and nothing else.

    A browser says in a header that no page can change from which one a form was sent ("null": from nowhere it names);
    what is no browser has no visitor to be harmed.
    """

    @csrf_exempt
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.get_host():
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return answer
