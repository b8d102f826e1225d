"""Pages of guests: how often somebody came who is no member yet."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import get_club_for_officer, get_member_for_secretary, get_member_for_treasurer
from clubs.finance.dues.guest_fees import take_guest_fee
from clubs.frame import frame
from clubs.membership.members.forms import GuestNightForm
from clubs.membership.members.guests import count_guest_night, guest_counts, join, uncount_guest_night
from clubs.models import Member, Viewing
from clubs.privacy import record_viewing
from clubs.requests import OfficerRequest
from common.problems import OfficerProblem
from common.text.amounts import money


@require_safe
def guests(request: OfficerRequest, club: str) -> HttpResponse:
    """Guests and how often they came."""
    the_club = get_club_for_officer(request.user, club)
    context = frame(request.user, the_club, "guests") | {
        "guests": guest_counts(the_club),
        "form": GuestNightForm(initial={"on": timezone.localdate()}),
    }
    return render(request, "clubs/membership/members/guests.html", context)


@require_POST
def guest_night(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Count a guest's evening, or take it back."""
    the_club = get_club_for_officer(request.user, club)
    guest = get_object_or_404(Member, club=the_club, pk=member)
    form = GuestNightForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    elif "remove" in request.POST:
        try:
            uncount_guest_night(guest, form.cleaned_data["on"])
        except OfficerProblem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, _("%(name)s: not counted any more.") % {"name": guest.name})
    elif count_guest_night(guest, form.cleaned_data["on"]):
        messages.success(request, _("%(name)s: counted.") % {"name": guest.name})
    else:
        messages.warning(request, _("%(name)s was counted on that evening already.") % {"name": guest.name})
    return redirect("guests", club)


@require_POST
def guest_fee(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Take the fee of a guest's evening in cash, and count the evening."""
    guest = get_member_for_treasurer(request.user, club, member)
    form = GuestNightForm(request.POST)
    if not form.is_valid():
        return _not_read(request, form, club)
    try:
        entry = take_guest_fee(guest, form.cleaned_data["on"], by=request.user)
    except OfficerProblem as problem:
        messages.warning(request, problem.message)
    else:
        said = {"name": guest.name, "amount": money(entry.amount, guest.club.currency), "number": entry.receipt}
        messages.success(request, _("%(name)s: counted, %(amount)s taken with receipt %(number)s.") % said)
    return redirect("guests", club)


@require_POST
def guest_join(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Make a guest a member; what he pays of the season follows from the day."""
    guest = get_member_for_secretary(request.user, club, member)
    form = GuestNightForm(request.POST)
    if not form.is_valid():
        return _not_read(request, form, club)
    try:
        join(guest, form.cleaned_data["on"], by=request.user)
    except OfficerProblem as problem:
        messages.warning(request, problem.message)
        return redirect("guests", club)
    record_viewing(guest.club, Viewing.What.CHANGE, by=request.user, member=guest, fields=["status", "joined_on"])
    said = _("%(name)s is a member now. The treasurer finds the dues under the season, still to be charged.")
    messages.success(request, said % {"name": guest.name})
    return redirect("guests", club)


def _not_read(request: OfficerRequest, form: GuestNightForm, club: str) -> HttpResponse:
    messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect("guests", club)
