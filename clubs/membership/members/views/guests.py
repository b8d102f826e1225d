"""Guest pages: attendance and guest fees."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import get_club_for_officer, get_member_for_secretary, get_member_for_treasurer
from clubs.finance.dues.guest_fees import record_guest_fee
from clubs.membership.members.forms import GuestNightForm
from clubs.membership.members.guest_nights import (
    list_guest_attendance,
    make_guest_a_member,
    record_guest_night,
    remove_guest_night,
)
from clubs.models import Member, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from common.problems import OfficerProblem
from common.text.amounts import format_money


@require_safe
def guest_list(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the guests and how often they have come."""
    the_club = get_club_for_officer(request.user, club)
    context = club_page_context(request.user, the_club, "guests") | {
        "guests": list_guest_attendance(the_club),
        "form": GuestNightForm(initial={"on": timezone.localdate()}),
    }
    return render(request, "clubs/membership/members/guest_list.html", context)


@require_POST
def guest_night_record(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Record a guest's evening or remove it."""
    the_club = get_club_for_officer(request.user, club)
    guest = get_object_or_404(Member, club=the_club, pk=member)
    form = GuestNightForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    elif "remove" in request.POST:
        try:
            remove_guest_night(guest, form.cleaned_data["on"])
        except OfficerProblem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, _("Evening removed for %(name)s.") % {"name": guest.name})
    elif record_guest_night(guest, form.cleaned_data["on"]):
        messages.success(request, _("Evening recorded for %(name)s.") % {"name": guest.name})
    else:
        messages.warning(request, _("This evening is already recorded for %(name)s.") % {"name": guest.name})
    return redirect("guest_list", club)


@require_POST
def guest_fee_record(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Record a guest's fee in cash, and the evening."""
    guest = get_member_for_treasurer(request.user, club, member)
    form = GuestNightForm(request.POST)
    if not form.is_valid():
        return _not_read(request, form, club)
    try:
        entry = record_guest_fee(guest, form.cleaned_data["on"], by=request.user)
    except OfficerProblem as problem:
        messages.warning(request, problem.message)
    else:
        said = {
            "name": guest.name,
            "amount": format_money(entry.amount, guest.club.currency),
            "number": entry.printed_receipt_number,
        }
        messages.success(request, _("Evening recorded for %(name)s. %(amount)s paid, receipt %(number)s.") % said)
    return redirect("guest_list", club)


@require_POST
def guest_join(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Make a guest a member. Their dues for the season depend on the day."""
    guest = get_member_for_secretary(request.user, club, member)
    form = GuestNightForm(request.POST)
    if not form.is_valid():
        return _not_read(request, form, club)
    try:
        make_guest_a_member(guest, form.cleaned_data["on"], by=request.user)
    except OfficerProblem as problem:
        messages.warning(request, problem.message)
        return redirect("guest_list", club)
    log_data_access(
        guest.club,
        PersonalDataAccess.DataAccessKind.CHANGE,
        by=request.user,
        member=guest,
        fields=["status", "joined_on"],
    )
    said = _("%(name)s is now a member. The treasurer can charge their dues on the season page.")
    messages.success(request, said % {"name": guest.name})
    return redirect("guest_list", club)


def _not_read(request: AuthenticatedRequest, form: GuestNightForm, club: str) -> HttpResponse:
    messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect("guest_list", club)
