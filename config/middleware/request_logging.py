"""The server's log: one JSON object per line, with its request or job."""

from __future__ import annotations

import json
import logging
import re
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse

from common.log_context import job_id, request_id
from config.log_redaction import redact_tokens

REQUEST_ID_HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")
_FILES = "/static/"
_QUIET = ("/healthz", "/readyz", "/metrics", _FILES)
"""Frequent requests of programs, which are not logged."""

_log = logging.getLogger("clubnight.requests")


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON, with the time in UTC."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact_tokens(record.getMessage()),
        }
        # The record's own id goes first: its thread may have started another request.
        if request := getattr(record, "request_id", "") or request_id.get():
            line["request"] = request
        if job := job_id.get():
            line["job"] = job
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["exception"] = redact_tokens(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def log_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that runs first: give every request an ID (the web server's, if it sends one), and log it.

    The response has the id too, so that people can report it with a fault.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        name = given if _GIVEN.match(given) else uuid.uuid4().hex
        before, begun = request_id.set(name), time.perf_counter()
        try:
            response = get_response(request)
            # Static files are not logged, so an id would be useless; a page has a dozen of them.
            if not request.path.startswith(_FILES):
                response.headers[REQUEST_ID_HEADER] = name
            if not request.path.startswith(_QUIET):
                _log.info("%s %s %s", request.method, request.path, response.status_code, extra=_facts(request, begun))
            return response
        finally:
            request_id.reset(before)

    return middleware


def _facts(request: HttpRequest, begun: float) -> dict[str, object]:
    match = request.resolver_match
    milliseconds = round((time.perf_counter() - begun) * 1000, 1)
    return {"facts": {"view": match.view_name if match else "", "ms": milliseconds}}
