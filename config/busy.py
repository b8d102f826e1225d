"""When the database does not answer in time: a sentence, and the form as it was sent, to be sent once more."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

RETRY_AFTER = 5
"""Seconds after which a program that asks may ask again."""

_GAVE_WAY = {"40001", "40P01", "55P03", "57014"}
"""PostgreSQL's states for a transaction that lost to another: serialization, deadlock, no lock, stopped."""

_NOT_REPEATED = {"csrfmiddlewaretoken", "password"}


class AnswerBusy:
    """Middleware: a writer that waited for the database in vain (SQLite: 20 seconds) has changed nothing.

    What was typed comes back with a button that sends it again; files have to be chosen again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page for an answer that did not come; None for every other mistake."""
        if not _was_busy(exception):
            return None
        context = {"sent": _sent_again(request), "has_files": bool(request.method == "POST" and request.FILES)}
        response = render(request, "busy.html", context, status=HTTPStatus.SERVICE_UNAVAILABLE)
        response.headers["Retry-After"] = str(RETRY_AFTER)
        response.headers["Cache-Control"] = "private, no-store"
        return response


def _was_busy(exception: Exception) -> bool:
    if not isinstance(exception, OperationalError):
        return False
    state = getattr(exception.__cause__, "sqlstate", None)
    return state in _GAVE_WAY if state else "locked" in str(exception) or "busy" in str(exception)


def _sent_again(request: HttpRequest) -> list[tuple[str, str]]:
    if request.method != "POST":
        return []
    try:
        return [
            (name, value)
            for name, values in request.POST.lists()
            if name not in _NOT_REPEATED
            for value in values
            if isinstance(value, str)
        ]
    except BadRequest:
        return []
