"""The secretary's page of applications, decisions on them, and the settings of the form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.applications.decisions import (
    accept_application,
    current_season,
    find_known_member,
    is_certainly_known,
    refuse_application,
)
from clubs.membership.applications.forms import MembershipFormSettingsForm, RefusalForm
from clubs.membership.applications.submission import contact_name, is_minor
from clubs.models import Applicant, Member, MembershipApplication, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest, parse_key
from common.emails.outbox import create_sending_job
from common.emails.smtp_delivery import is_email_configured
from common.jobs.queue import enqueue_job
from common.problems import OfficerProblem

MAX_DECIDED_SHOWN = 20
_State = MembershipApplication.State


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicantRow:
    """A person who wants to join, and the member who may be the same person."""

    person: Applicant
    known: Member | None
    is_certain: bool
    """True if it is certainly that person. Otherwise the secretary decides."""
    is_minor: bool


@require_safe
def applications_review(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the open applications, and the latest decisions. Viewing them is logged."""
    the_club = get_club_for_secretary(request.user, club)
    today = timezone.localdate()
    waiting = the_club.applications.filter(state=_State.OPEN).prefetch_related("people")
    rows = [(each, contact_name(each), [_row(person, today) for person in each.people.all()]) for each in waiting]
    decided = the_club.applications.exclude(decided_at=None).order_by("-decided_at").prefetch_related("people__member")
    if rows:
        log_data_access(the_club, PersonalDataAccess.DataAccessKind.CONTACT, by=request.user, applications=len(rows))
    context = club_page_context(request.user, the_club, "members") | {
        "rows": rows,
        "decided": decided.select_related("decided_by")[:MAX_DECIDED_SHOWN],
        "unconfirmed": the_club.applications.filter(state=_State.UNCONFIRMED).count(),
        "season": current_season(the_club, today=today),
        "address": request.build_absolute_uri(reverse("application_form", args=[club])),
        "has_mail": is_email_configured(),
    }
    return render(request, "clubs/membership/applications/applications_review.html", context)


@require_POST
def application_decide(request: AuthenticatedRequest, club: str, application: int) -> HttpResponse:
    """Accept or decline an application."""
    the_club = get_club_for_secretary(request.user, club)
    sent = get_object_or_404(MembershipApplication, club=the_club, pk=application)
    form = RefusalForm(request.POST)
    try:
        if request.POST.get("do") == "accept":
            same_people = {parse_key(key) for key in request.POST.getlist("same")} - {None}
            accept_application(sent, by=request.user, same_people=same_people)
            messages.success(request, _("Accepted. A welcome email with the membership number and dues is on its way."))
        elif request.POST.get("do") == "refuse" and form.is_valid():
            refuse_application(sent, reason=form.cleaned_data["reason"], by=request.user)
            messages.success(request, _("Declined. The applicant will get an email."))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        enqueue_job(create_sending_job())
    return redirect("applications_review", club)


@require_http_methods(["GET", "HEAD", "POST"])
def application_settings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Change the settings of the membership form."""
    the_club = get_club_for_secretary(request.user, club)
    form = MembershipFormSettingsForm(request.POST or None, instance=the_club)
    if request.method == "POST" and form.is_valid():
        form.instance.save(update_fields=list(form.fields))
        messages.success(request, _("Saved."))
        return redirect("applications_review", club)
    context = club_page_context(request.user, the_club, "members") | {"form": form, "has_mail": is_email_configured()}
    return render(
        request,
        "clubs/membership/applications/application_settings.html",
        context,
        status=422 if form.errors else 200,
    )


def _row(person: Applicant, today: date) -> ApplicantRow:
    known = find_known_member(person)
    return ApplicantRow(
        person=person,
        known=known,
        is_certain=known is not None and is_certainly_known(person, known),
        is_minor=is_minor(person.birth_date, on=today),
    )
