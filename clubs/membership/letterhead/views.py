"""The letterhead settings page and the stored logo."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.letterhead.forms import LetterheadForm
from clubs.models import ClubLetterhead
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest


@require_http_methods(["GET", "HEAD", "POST"])
def letterhead_settings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show and save the club's letterhead."""
    the_club = get_club_for_secretary(request.user, club)
    paper = ClubLetterhead.get_or_default(the_club)
    had_logo = bool(paper.logo)
    form = LetterheadForm(request.POST or None, request.FILES or None, instance=paper)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved. All of the club's printouts now use these settings."))
        return redirect("letterhead_settings", club)
    context = club_page_context(request.user, the_club, "settings") | {"form": form, "has_logo": had_logo}
    return render(
        request, "clubs/membership/letterhead/letterhead_settings.html", context, status=422 if form.errors else 200
    )


@require_safe
def letterhead_logo(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Return the stored logo as a PNG. Raises Http404 if there is none."""
    the_club = get_club_for_secretary(request.user, club)
    paper = ClubLetterhead.objects.filter(club=the_club).first()
    if paper is None or not paper.logo:
        raise Http404
    response = HttpResponse(bytes(paper.logo), content_type="image/png")
    patch_cache_control(response, private=True, no_cache=True)
    return response
