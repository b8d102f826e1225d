"""Compression of responses: pages shrink to an eighth, which matters for phones in a full hall.

Compressing a secret together with text chosen by an attacker lets them guess the secret from lengths (BREACH). Here
form tokens are masked again for every response, and Django adds a random number of bytes to compressed ones. Pages with
a secret URL show nothing that came with the request.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_KINDS = ("text/", "application/javascript", "application/json", "image/svg+xml")
"""Content types to compress. Papers and images are compressed already."""


class CompressTextMiddleware(GZipMiddleware):
    """Compresses text responses for browsers that accept it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.headers.get("Content-Type", "").startswith(_KINDS):
            return response
        return super().process_response(request, response)
