"""Endpoints for programs: liveness, readiness, metrics, and the security contact."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from operations.health.metrics import render_metrics
from operations.health.readiness import check_readiness

_FRESH = {"Cache-Control": "no-store"}


@login_not_required
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer as long as the process runs. Nothing else is checked, so a database problem never causes a restart."""
    return JsonResponse({"status": "alive"}, headers=_FRESH)


@login_not_required
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Report whether the server is ready for requests."""
    found = check_readiness()
    ready = all(found.values())
    told = {
        "status": "ready" if ready else "not ready",
        "checks": {name: "ok" if fine else "failed" for name, fine in found.items()},
    }
    return JsonResponse(told, status=HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE, headers=_FRESH)


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return metrics to clients with the token (`Authorization: Bearer ...`). Raises Http404 for others."""
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not constant_time_compare(request.headers.get("Authorization", ""), wanted):
        raise Http404
    return HttpResponse(render_metrics(), content_type=CONTENT_TYPE_LATEST, headers=_FRESH)


@login_not_required
@require_safe
def security_txt(_request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116). Raises Http404 if no contact is set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + timedelta(days=90)).replace(hour=0, minute=0, second=0, microsecond=0)
    contact = settings.SECURITY_CONTACT
    contact = contact if ":" in contact else f"mailto:{contact}"
    languages = ", ".join(code for code, _name in settings.LANGUAGES)
    lines = [f"Contact: {contact}", f"Expires: {expires.isoformat()}", f"Preferred-Languages: {languages}"]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
