"""Number and duration of requests for Prometheus, by the name of the view and never by URL."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import Histogram

REQUEST_SECONDS = Histogram(
    "clubnight_request_seconds",
    "Time from a request to its answer",
    ["view", "method", "status"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 20),
)
_METHODS = {"GET", "HEAD", "POST"}


def measure_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: measure every request. Values that clients can invent share one label."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = get_response(request)
        match = request.resolver_match
        method = request.method if request.method in _METHODS else "other"
        labels = (match.view_name if match else "none", method, str(response.status_code))
        REQUEST_SECONDS.labels(*labels).observe(time.perf_counter() - begun)
        return response

    return middleware
