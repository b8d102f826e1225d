"""When the database does not answer in time: a sentence, and the form as it was sent, to be sent once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus

from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
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
        return _busy(request, context)


class SessionsThatGiveUp(SessionMiddleware):
    """Middleware, in place of Django's: a session that could not be saved in time is a sentence as well.

    The view has done its work by then; so whoever sent something is told to look before he sends it again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer, or the page that says that it cannot be given."""
        try:
            return super().process_response(request, response)
        except (OperationalError, SessionInterrupted) as error:
            # Django takes a session that could not be written for one that is no more, whatever the reason was.
            if not any(_was_busy(each) for each in _behind(error)):
                raise
        is_done = request.method == "POST" and response.status_code < HTTPStatus.BAD_REQUEST
        goes_to = response.headers.get("Location", "") if is_done else ""
        return _busy(request, {"is_done": is_done, "goes_to": goes_to, "sent": _sent_again(request)})


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__context__


def _busy(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    response = render(request, "busy.html", context, status=HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _was_busy(exception: BaseException) -> bool:
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
