"""How this browser shows pages."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from clubs.requests import WebRequest

A_YEAR = 365 * 24 * 60 * 60


@login_not_required
@require_POST
def look(request: WebRequest) -> HttpResponse:
    """Remember light, dark or the device's own look in this browser, and go back to the page."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "home"
    response = redirect(back)
    wanted = request.POST.get("look")
    if wanted in ("light", "dark"):
        response.set_cookie("look", wanted, max_age=A_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie("look", samesite="Lax")
    return response
