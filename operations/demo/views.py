"""Pages to add and remove the demo club."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.membership.onboarding.access import check_administrator
from clubs.models import Club
from clubs.request_types import AuthenticatedRequest
from operations.demo.demo_club import make_demo_club_without_logins
from operations.demo.removal import remove_demo_club


@require_http_methods(["GET", "HEAD", "POST"])
def demo_load(request: AuthenticatedRequest) -> HttpResponse:
    """Ask for confirmation, then create the demo club."""
    user = check_administrator(request.user)
    if request.method == "POST":
        club = make_demo_club_without_logins(by=user)
        messages.success(request, _("Have a look around. Nothing you do here affects your own club."))
        return redirect("club", club.slug)
    return render(request, "operations/demo/demo_load.html", {"demo": Club.objects.filter(is_demo=True).first()})


@require_POST
def demo_remove(request: AuthenticatedRequest) -> HttpResponse:
    """Remove the demo club with all its data."""
    check_administrator(request.user)
    if remove_demo_club():
        messages.success(request, _("Demo club removed."))
    return redirect("home")
