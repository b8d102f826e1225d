"""The club settings page."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.forms import ModelForm
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.access import get_club_for_secretary
from clubs.membership.club_settings.forms import ByeRulesForm, ClubIdentityForm, ClubLanguageForm, OfficerTwoFactorForm
from clubs.models import Club, User
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest

FORM_SECTIONS = ("identity", "people", "languages", "byes")
"""The sections with a form on this page. The others are separate pages, shown as links."""


@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show all settings and save the one section that was submitted."""
    the_club = get_club_for_secretary(request.user, club)
    sent = request.POST.get("section", "") if request.method == "POST" else ""
    if request.method == "POST" and sent not in FORM_SECTIONS:
        return HttpResponseBadRequest()
    forms = {name: _form(name, request if name == sent else None, the_club, request.user) for name in FORM_SECTIONS}
    if sent and forms[sent].is_valid():
        forms[sent].save()
        messages.success(request, _("Saved."))
        return redirect(f"{request.path}#{sent}")
    if sent:
        # Show the rejected values in their form only, not elsewhere on the page.
        the_club.refresh_from_db()
    context = club_page_context(request.user, the_club, "settings") | {
        "forms": forms,
        "refused": forms[sent] if sent else None,
        "has_mail": bool(settings.EMAIL_HOST),
        "has_live": bool(settings.LIVE_ADDRESS),
    }
    return render(request, "clubs/membership/club_settings/settings.html", context, status=422 if sent else 200)


def _form(name: str, request: AuthenticatedRequest | None, club: Club, user: User) -> ModelForm[Club]:
    # Each form gets its own copy, because a form with errors changes its instance.
    data: dict[str, Any] = {"instance": Club.objects.get(pk=club.pk) if request else club, "auto_id": f"{name}_%s"}
    if request is not None:
        data |= {"data": request.POST, "files": request.FILES}
    if name == "identity":
        return ClubIdentityForm(**data)
    if name == "people":
        return OfficerTwoFactorForm(by=user, **data)
    return ClubLanguageForm(**data) if name == "languages" else ByeRulesForm(**data)
