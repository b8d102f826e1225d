"""The page that an invitation link opens."""

from __future__ import annotations

from allauth.account.utils import perform_login
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.membership.accounts.access import get_invitation_for_holder
from clubs.membership.accounts.forms import NewAccountForm
from clubs.membership.accounts.invitations import accept_invitation
from clubs.models import Invitation
from clubs.request_types import WebRequest
from common.problems import OfficerProblem


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_accept(request: WebRequest, token: str) -> HttpResponse:
    """Accept an invitation with the user's account, or with a new one created on this page."""
    invitation = get_invitation_for_holder(token)
    if not invitation.is_open:
        return render(
            request, "clubs/membership/accounts/invitation_closed.html", {"club": invitation.club}, status=410
        )
    form = None
    if not request.user.is_authenticated:
        form = NewAccountForm(request.POST or None, initial=_initial(invitation))
    problem = None
    if request.method == "POST":
        try:
            if request.user.is_authenticated:
                accept_invitation(invitation, request.user)
                return _welcome(request, invitation)
            if form and form.is_valid():
                return _made(request, invitation, form)
        except OfficerProblem as found:
            problem = found.message
    context = {"invitation": invitation, "club": invitation.club, "form": form, "problem": problem, "token": token}
    return render(
        request,
        "clubs/membership/accounts/invitation_accept.html",
        context,
        status=422 if problem or (form and form.errors) else 200,
    )


def _made(request: WebRequest, invitation: Invitation, form: NewAccountForm) -> HttpResponse:
    """Return form values that the club already knows about the person it invites."""
    with transaction.atomic():
        user = form.save()
        accept_invitation(invitation, user)
    _say_welcome(request, invitation)
    return perform_login(request, user, redirect_url=f"/{invitation.club.slug}/")


def _welcome(request: WebRequest, invitation: Invitation) -> HttpResponse:
    _say_welcome(request, invitation)
    return redirect("club", invitation.club.slug)


def _say_welcome(request: WebRequest, invitation: Invitation) -> None:
    said = _("Welcome to %(club)s. Your role: %(role)s.")
    messages.success(request, said % {"club": invitation.club.name, "role": invitation.get_role_display()})


def _initial(invitation: Invitation) -> dict[str, str]:
    """Return form values that the club already knows about the person it invites."""
    member = invitation.member
    found = {"email": invitation.email}
    if member:
        found |= {"first_name": member.given_name, "last_name": member.family_name}
    return found
