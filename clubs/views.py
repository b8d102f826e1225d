"""Pages of people: the front page, a club, its members."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

A_YEAR = 365 * 24 * 60 * 60


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Clubs and the events that are running."""
    return render(request, "clubs/home.html")


@require_POST
def look(request: HttpRequest) -> HttpResponse:
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
