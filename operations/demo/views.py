"""Having the made-up club in a corner of the server, and removing it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.membership.onboarding.access import check_administrator
from clubs.models import Club
from clubs.requests import OfficerRequest
from operations.demo.making import make_demo_corner
from operations.demo.removing import remove_demo_corner


@require_http_methods(["GET", "HEAD", "POST"])
def demo_load(request: OfficerRequest) -> HttpResponse:
    """Ask, then make it."""
    user = check_administrator(request.user)
    if request.method == "POST":
        club = make_demo_corner(by=user)
        messages.success(request, _("Look around: nothing you do here touches your own club."))
        return redirect("club", club.slug)
    return render(request, "operations/demo/demo.html", {"demo": Club.objects.filter(is_demo=True).first()})


@require_POST
def demo_remove(request: OfficerRequest) -> HttpResponse:
    """Remove it with everything in it."""
    check_administrator(request.user)
    if remove_demo_corner():
        messages.success(request, _("The made-up club is gone."))
    return redirect("home")
