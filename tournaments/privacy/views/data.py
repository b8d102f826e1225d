"""Pages of a person's data across the club's book and its events: saved as a file, erased, kept too long."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary, get_member_for_secretary, get_own_member
from clubs.finance.dues.balances import balance_of
from clubs.frame import frame
from clubs.privacy import public_name
from clubs.requests import OfficerRequest
from common.problems import OfficerProblem
from common.tabular.answers import file_answer
from tournaments.privacy.initials import put_initials, shown_by_name
from tournaments.privacy.personal_data import data_file, erase, kept_too_long


@require_safe
def own_data(request: OfficerRequest, club: str) -> HttpResponse:
    """Everything the club knows of oneself, as one file."""
    person = get_own_member(request.user, club)
    return file_answer(data_file(person, by=request.user), f"{club}-my-data", "json")


@require_safe
def member_data(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Everything the club knows of somebody, as one file, for whoever asked the secretary for it."""
    person = get_member_for_secretary(request.user, club, member)
    return file_answer(data_file(person, by=request.user), f"{club}-data-{person.pk}", "json")


@require_http_methods(["GET", "HEAD", "POST"])
def member_erase(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Erase somebody for ever, when his name is written out to be sure."""
    person = get_member_for_secretary(request.user, club, member)
    context = frame(request.user, person.club, "members")
    context |= {"member": person, "balance": balance_of(person, today=timezone.localdate())}
    if request.method != "POST":
        return render(request, "tournaments/privacy/member_erase.html", context)
    if " ".join(request.POST.get("name", "").split()) != " ".join(person.name.split()):
        context["problem"] = _("The name is not the same. Nothing was erased.")
    else:
        try:
            erase(person, in_results="in_results" in request.POST, by=request.user)
        except OfficerProblem as problem:
            context["problem"] = problem.message
        else:
            messages.success(request, _("The person's data is erased."))
            return redirect("members", club)
    return render(request, "tournaments/privacy/member_erase.html", context, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
def member_initials(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Open events in which the name of somebody who has refused publication still stands, and initials put there."""
    person = get_member_for_secretary(request.user, club, member)
    if request.method == "POST":
        chosen = {int(key) for key in request.POST.getlist("event") if key.isdecimal() and len(key) < 19}
        if put_initials(person, chosen, by=request.user):
            messages.success(request, _("Initials stand in the events chosen."))
        return redirect("member_initials", club, member)
    context = frame(request.user, person.club, "members")
    context |= {"member": person, "entries": shown_by_name(person), "initials": public_name(person)}
    return render(request, "tournaments/privacy/member_initials.html", context)


@require_safe
def kept_too_long_page(request: OfficerRequest, club: str) -> HttpResponse:
    """Whose data has been kept as long as it may be."""
    the_club = get_club_for_secretary(request.user, club)
    overdue = kept_too_long(the_club, today=timezone.localdate())
    return render(
        request,
        "tournaments/privacy/kept_too_long.html",
        frame(request.user, the_club, "members") | {"overdue": overdue},
    )
