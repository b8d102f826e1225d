"""Responses when the database fails or the disk is full: an explanation, and the form to send again."""

from __future__ import annotations

import errno
import logging
import re
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from http import HTTPStatus

from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import BadRequest
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults

RETRY_AFTER_SECONDS = 5
"""Seconds until a client may retry (Retry-After)."""

_GAVE_WAY = {"40001", "40P01", "55P03", "57014"}
"""PostgreSQL states of a transaction that gave way: serialization, deadlock, lock not available, cancelled."""

_FULL_STATES = {"53100", "25006"}
"""PostgreSQL states of a disk that is full or read-only."""

_FULL_WORDS = ("disk is full", "readonly database", "disk I/O", "unable to open database")
"""SQLite's messages for these."""

_FULL_FILES = {errno.ENOSPC, errno.EROFS, errno.EDQUOT}

_NOT_REPEATED = re.compile("csrfmiddlewaretoken|password")

_log = logging.getLogger(__name__)


class OutageKind(StrEnum):
    """The reason for an outage."""

    BUSY = "busy"
    """Another writer held the lock for too long; nothing has changed."""
    UNREACHABLE = "away"
    """The database cannot be reached; it is not known if data just sent was saved."""
    DISK_FULL = "full"
    """Nothing can be written; nothing has changed."""


class DatabaseErrorMiddleware:
    """Middleware: explain that nothing was saved if a request's write timed out (SQLite: after 20 seconds).

    The page has the form's data and a button to send it again; files must be chosen again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the outage page, or None for other exceptions."""
        trouble = _trouble(exception)
        return _answer(request, trouble) if trouble else None


class SessionErrorMiddleware(SessionMiddleware):
    """Session middleware that also handles sessions that could not be saved in time.

    The view has already run by then, so people are asked to check before they send anything again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return the response, or the outage page."""
        try:
            return super().process_response(request, response)
        except (OperationalError, SessionInterrupted) as error:
            # Django reports any session that could not be written as deleted.
            trouble = next(filter(None, map(_trouble, _behind(error))), None)
            if trouble is None:
                raise
        is_done = request.method == "POST" and response.status_code < HTTPStatus.BAD_REQUEST
        goes_to = response.headers.get("Location", "") if is_done else ""
        return _answer(request, trouble, is_done=is_done, goes_to=goes_to)


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle errors outside views (`handler500`), for example while the user of a session is loaded."""
    error = sys.exc_info()[1]
    trouble = _trouble(error) if error else None
    return _answer(request, trouble) if trouble else defaults.server_error(request)


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__context__


def _answer(request: HttpRequest, trouble: OutageKind, *, is_done: bool = False, goes_to: str = "") -> HttpResponse:
    context = {
        "trouble": trouble,
        "is_done": is_done,
        "goes_to": goes_to,
        "sent": _sent_again(request),
        "has_files": bool(request.method == "POST" and _files(request)),
    }
    if trouble is not OutageKind.BUSY:
        _log.error("no answer to %s %s: %s", request.method, request.path, trouble, exc_info=True)
    # The outage page makes no query, not even for the user.
    template = "503_busy.html" if trouble is OutageKind.BUSY else "503_unavailable.html"
    response = render(request, template, context, status=HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _trouble(exception: BaseException) -> OutageKind | None:
    if isinstance(exception, OSError):
        return OutageKind.DISK_FULL if exception.errno in _FULL_FILES else None
    if not isinstance(exception, OperationalError | InterfaceError | InternalError):
        return None
    words, state = str(exception), getattr(exception.__cause__, "sqlstate", None)
    if state in _GAVE_WAY or "locked" in words or "busy" in words:
        return OutageKind.BUSY
    if state in _FULL_STATES or any(each in words for each in _FULL_WORDS):
        return OutageKind.DISK_FULL
    # Shut down, starting up, or unreachable.
    is_postgresql = any(each.__module__.startswith("psycopg") for each in type(exception.__cause__).__mro__)
    if (
        is_postgresql
        and (state is None or state.startswith(("08", "57P")))
        and not isinstance(exception, InternalError)
    ):
        return OutageKind.UNREACHABLE
    return None


def _files(request: HttpRequest) -> bool:
    try:
        return bool(request.FILES)
    except (BadRequest, OSError):
        return True


def _sent_again(request: HttpRequest) -> list[tuple[str, str]]:
    if request.method != "POST":
        return []
    try:
        return [
            (name, value)
            for name, values in request.POST.lists()
            if not _NOT_REPEATED.search(name)
            for value in values
            if isinstance(value, str)
        ]
    except (BadRequest, OSError):
        return []
