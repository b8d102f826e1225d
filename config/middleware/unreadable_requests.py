"""Limits on requests, checked in one place before any view."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render

MAX_VALUE_LENGTH = 10_000
"""The most characters of a value in a URL, such as a search, a page number or a return URL."""


def reject_unreadable_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: reject requests that would fail in the database or keep it busy.

    PostgreSQL refuses text with a zero byte. Forms refuse it too, but not all input goes through a form.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if _is_readable(request):
            return get_response(request)
        if request.path.startswith("/api/"):
            return JsonResponse({"detail": "The address contains an invalid character."}, status=HTTPStatus.BAD_REQUEST)
        return render(request, "400_unreadable.html", status=HTTPStatus.BAD_REQUEST)

    return middleware


def _is_readable(request: HttpRequest) -> bool:
    asked = list(_texts(request.GET))
    sent = _texts(request.POST) if request.method == "POST" else ()
    if any(len(text) > MAX_VALUE_LENGTH for text in asked):
        return False
    return "\0" not in request.path and not any("\0" in text for text in (*asked, *sent))


def _texts(sent: QueryDict) -> Iterable[str]:
    for name, values in sent.lists():
        yield name
        for value in values:
            if isinstance(value, str):
                yield value
