"""Pages go over the wire compressed: an eighth of their length, which is what a phone in a full hall waits for.

Compressing what holds a secret beside what a stranger can have written into it lets him guess the secret by lengths
(BREACH). Here form tokens are masked anew for every answer, Django adds a random number of bytes to every compressed
one, and pages whose address is a secret show nothing that came with the request.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_KINDS = ("text/", "application/javascript", "application/json", "image/svg+xml")
"""What gets shorter. Papers and pictures are compressed already."""


class CompressTextMiddleware(GZipMiddleware):
    """Compresses answers that are text, for browsers that take it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.headers.get("Content-Type", "").startswith(_KINDS):
            return response
        return super().process_response(request, response)
