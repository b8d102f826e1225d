"""Pages for personal data: export, erasure, initials, and data kept too long."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary, get_member_for_secretary, get_own_member
from clubs.finance.dues.balances import balance_of_member
from clubs.page_context import club_page_context
from clubs.privacy import public_name
from clubs.request_types import AuthenticatedRequest
from common.problems import OfficerProblem
from common.tabular.file_responses import file_response
from tournaments.privacy.entry_initials import entries_showing_full_name, replace_names_with_initials
from tournaments.privacy.imported_authors import erase_imported_author, find_imported_authors
from tournaments.privacy.personal_data import erase_person, export_personal_data, find_expired_people


@require_safe
def own_data_download(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Download all data the club has about the user."""
    person = get_own_member(request.user, club)
    return file_response(export_personal_data(person, by=request.user), f"{club}-my-data", "json")


@require_safe
def member_data_download(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Download all data about a member, who requested it from the secretary."""
    person = get_member_for_secretary(request.user, club, member)
    return file_response(export_personal_data(person, by=request.user), f"{club}-data-{person.pk}", "json")


@require_http_methods(["GET", "HEAD", "POST"])
def member_erase(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Erase a person permanently, after the user has typed their name."""
    person = get_member_for_secretary(request.user, club, member)
    context = club_page_context(request.user, person.club, "members")
    context |= {"member": person, "balance": balance_of_member(person, today=timezone.localdate())}
    if request.method != "POST":
        return render(request, "tournaments/privacy/member_erase.html", context)
    if " ".join(request.POST.get("name", "").split()) != " ".join(person.name.split()):
        context["problem"] = _("The name doesn't match. Nothing was erased.")
    else:
        try:
            erase_person(person, in_results="in_results" in request.POST, by=request.user)
        except OfficerProblem as problem:
            context["problem"] = problem.message
        else:
            messages.success(request, _("The person's data has been erased."))
            return redirect("member_list", club)
    return render(request, "tournaments/privacy/member_erase.html", context, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
def member_use_initials(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Show public events that name a person who refused publication, and replace the name with initials."""
    person = get_member_for_secretary(request.user, club, member)
    if request.method == "POST":
        chosen = {int(key) for key in request.POST.getlist("event") if key.isdecimal() and len(key) < 19}
        if replace_names_with_initials(person, chosen, by=request.user):
            messages.success(request, _("The selected events now show initials."))
        return redirect("member_use_initials", club, member)
    context = club_page_context(request.user, person.club, "members")
    context |= {"member": person, "entries": entries_showing_full_name(person), "initials": public_name(person)}
    return render(request, "tournaments/privacy/member_use_initials.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def expired_data_list(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show people whose data has been kept too long, and erase names of authors from another server."""
    the_club = get_club_for_secretary(request.user, club)
    if request.method == "POST":
        with transaction.atomic():
            erased = erase_imported_author(the_club, request.POST.get("author", ""), by=request.user)
        if erased:
            messages.success(request, _("Name erased."))
        return redirect("expired_data_list", club)
    context = {
        "overdue": find_expired_people(the_club, today=timezone.localdate()),
        "authors": find_imported_authors(the_club),
    }
    return render(
        request,
        "tournaments/privacy/expired_data_list.html",
        club_page_context(request.user, the_club, "members") | context,
    )
