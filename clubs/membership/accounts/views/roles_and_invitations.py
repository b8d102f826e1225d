"""Pages where a secretary gives and removes roles and invites people."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.accounts.access import get_invitation_for_secretary, get_membership_for_secretary
from clubs.membership.accounts.forms import InvitationForm, RoleForm
from clubs.membership.accounts.invitations import (
    create_invitation,
    invitation_path,
    send_invitation_with_message,
    withdraw_invitation,
)
from clubs.membership.accounts.role_assignment import give_role, list_role_holders, remove_role
from clubs.models import Club, Invitation, Role
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest
from common.problems import OfficerProblem
from common.text.qr_codes import qr_code_response


@require_http_methods(["GET", "HEAD", "POST"])
def club_roles(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show everyone with a role and all open invitations, and create a new invitation."""
    the_club = get_club_for_secretary(request.user, club)
    form = InvitationForm(request.POST or None, club=the_club, initial={"member": request.GET.get("member")})
    if request.method == "POST" and form.is_valid():
        invitation = _invited(request, the_club, form)
        return redirect("invitation_detail", club, invitation.pk)
    return _page(request, the_club, form, RoleForm(club=the_club))


@require_POST
def role_give(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Give a role to a person in the club."""
    the_club = get_club_for_secretary(request.user, club)
    form = RoleForm(request.POST, club=the_club)
    if not form.is_valid():
        return _page(request, the_club, InvitationForm(club=the_club), form)
    user, role = form.cleaned_data["who"], Role(form.cleaned_data["role"])
    give_role(the_club, user, role)
    messages.success(request, _("%(name)s is now %(role)s.") % {"name": user, "role": role.label})
    return redirect("club_roles", club)


@require_POST
def role_remove(request: AuthenticatedRequest, club: str, membership: int) -> HttpResponse:
    """Remove a person's role."""
    held = get_membership_for_secretary(request.user, club, membership)
    try:
        remove_role(held.club, held.user, Role(held.role))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        said = _("%(name)s is no longer %(role)s.")
        messages.success(request, said % {"name": held.user, "role": held.get_role_display()})
    is_own = held.user_id == request.user.pk and held.role == Role.SECRETARY
    return redirect("club", club) if is_own else redirect("club_roles", club)


@never_cache
@require_safe
def invitation_detail(request: AuthenticatedRequest, club: str, invitation: int) -> HttpResponse:
    """Show an invitation's link and QR code."""
    found = get_invitation_for_secretary(request.user, club, invitation)
    context = club_page_context(request.user, found.club, "settings") | {
        "invitation": found,
        "address": request.build_absolute_uri(invitation_path(found)),
    }
    return render(request, "clubs/membership/accounts/invitation.html", context)


@never_cache
@require_safe
def invitation_qr_code(request: AuthenticatedRequest, club: str, invitation: int) -> HttpResponse:
    """Return the invitation's link as a QR code in SVG."""
    found = get_invitation_for_secretary(request.user, club, invitation)
    return qr_code_response(request.build_absolute_uri(invitation_path(found)))


@require_POST
def invitation_withdraw(request: AuthenticatedRequest, club: str, invitation: int) -> HttpResponse:
    """Withdraw an invitation."""
    withdraw_invitation(get_invitation_for_secretary(request.user, club, invitation))
    messages.success(request, _("Link removed. It no longer works."))
    return redirect("club_roles", club)


def _invited(request: AuthenticatedRequest, club: Club, form: InvitationForm) -> Invitation:
    wanted = form.cleaned_data
    found = create_invitation(
        club,
        Role(wanted["role"]),
        by=request.user,
        valid_for=timedelta(days=wanted["days"]),
        member=wanted["member"],
        email=wanted["email"],
        is_for_many=wanted["is_for_many"],
    )
    if found.email:
        send_invitation_with_message(request, found)
    return found


def _page(request: AuthenticatedRequest, club: Club, form: InvitationForm, role_form: RoleForm) -> HttpResponse:
    context = club_page_context(request.user, club, "settings") | {
        "people": list_role_holders(club),
        "invitations": [each for each in club.invitations.select_related("member") if each.is_open],
        "form": form,
        "role_form": role_form,
    }
    has_errors = form.errors or role_form.errors
    return render(request, "clubs/membership/accounts/club_roles.html", context, status=422 if has_errors else 200)
