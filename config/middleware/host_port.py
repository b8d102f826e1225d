"""Middleware against forged ports in the Host header. The allowed hosts only cover names."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

_PORT = re.compile(r":\d*\Z")


def ignore_host_port(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: on an HTTPS server, drop the port from the host, so that links in emails do not contain it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and "HTTP_HOST" in request.META:
            request.META["HTTP_HOST"] = _PORT.sub("", request.META["HTTP_HOST"])
        return get_response(request)

    return middleware
