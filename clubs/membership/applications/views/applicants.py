"""The membership form, the confirmation of the address, and the sender's own page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.membership.accounts.adapter import throttle_form
from clubs.membership.accounts.client_address import client_address
from clubs.membership.accounts.invitations import invitation_path
from clubs.membership.accounts.private_pages import limit_posts_per_minute, private_page
from clubs.membership.applications.decisions import (
    current_season,
    invite_new_member,
    member_to_invite,
    withdraw_application,
)
from clubs.membership.applications.emails import describe_application, first_dues, new_members, welcome_text
from clubs.membership.applications.forms import (
    MAX_PEOPLE,
    ApplicantForm,
    ApplicationForm,
    BaseApplicantFormSet,
    applicant_formset,
)
from clubs.membership.applications.links import (
    application_by_confirmation_token,
    application_by_status_token,
    status_token,
)
from clubs.membership.applications.submission import (
    confirm_application,
    is_form_open,
    is_waiting_already,
    submit_application,
)
from clubs.models import Club, MembershipApplication
from clubs.request_types import WebRequest, parse_key, submitted_row_count
from clubs.time_zones import activate_club_time_zone
from common.emails.outbox import create_sending_job
from common.jobs.queue import enqueue_job
from common.problems import OfficerProblem

FREE_SUBMISSIONS = 40
"""From one network within an hour, such as a club evening's. Further ones wait, longer each time, up to a minute."""
POSTS_PER_MINUTE = 20
"""Per link."""
_TEMPLATE = "clubs/membership/applications/application_form.html"
_SENT_TO = "application sent to"
"""The session's key of the address that the page repeats."""
_SENT = "application sent"
"""The session's key of the application's own key."""
TIME_TO_CORRECT = timedelta(hours=1)
"""How long a sent application can be filled in again. Others may use the device later."""
_KEPT_FIELDS = ("email", "phone", "address", "guardian_name", "publishes_names", "shows_photos", "dues_payment")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def application_form(request: WebRequest, club: str) -> HttpResponse:
    """Show the form for joining the club. A POST sends an email to confirm it, and always gives the same answer.

    If the form was closed meanwhile, the page says so and keeps what the person typed.
    """
    the_club = get_object_or_404(Club, slug=club)
    activate_club_time_zone(the_club)
    season = current_season(the_club, today=timezone.localdate())
    fees = season.fee_classes.filter(amount__gt=0) if season else ()
    context: dict[str, object] = {"club": the_club, "season": season, "fees": fees}
    if not is_form_open(the_club, request.user):
        form_as_sent = _form_as_sent(request, the_club) if request.method == "POST" else {}
        return render(request, _TEMPLATE, context | form_as_sent | {"is_closed": True}, status=410)
    if "sent" in request.GET:
        context["sent_to"] = request.session.get(_SENT_TO, "")
        return render(request, _TEMPLATE, context)
    if request.method != "POST":
        return render(request, _TEMPLATE, context | _empty_form(request, the_club))
    if {"add", "remove"} & request.POST.keys():
        return render(request, _TEMPLATE, context | _form_as_sent(request, the_club))
    try:
        throttle_form("application", client_address(request), FREE_SUBMISSIONS)
    except ValidationError as wait:
        # Nothing is checked, but what the person typed is kept.
        messages.error(request, wait.message)
        return render(request, _TEMPLATE, context | _form_as_sent(request, the_club), status=429)
    form, people = ApplicationForm(request.POST, club=the_club), applicant_formset(request.POST)
    if _is_sent(request, form, people):
        request.session[_SENT_TO], request.session[_SENT] = form.cleaned_data["email"], form.instance.pk
        return redirect(f"{reverse('application_form', args=[club])}?sent")
    return render(request, _TEMPLATE, context | {"form": form, "people": people}, status=422)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def application_confirm(request: WebRequest, club: str, token: str) -> HttpResponse:
    """Confirm an application from the link in the email. The page has a button, because programs open links too."""
    application = application_by_confirmation_token(club, token)
    if application is None:
        return render(request, "clubs/membership/applications/link_expired.html", status=410)
    activate_club_time_zone(application.club)
    problem = ""
    if request.method == "POST":
        try:
            application = confirm_application(application)
        except OfficerProblem as refused:
            problem = refused.message
        else:
            enqueue_job(create_sending_job())
            return redirect("application_status", club, status_token(application))
    context = {
        "application": application,
        "club": application.club,
        "problem": problem,
        "is_waiting_already": is_waiting_already(application),
    }
    return render(
        request, "clubs/membership/applications/application_confirm.html", context, status=422 if problem else 200
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def application_status(request: WebRequest, club: str, token: str) -> HttpResponse:
    """Show what became of an application, and the first dues. A POST withdraws it, or leads to an account."""
    application = application_by_status_token(club, token)
    if application is None:
        raise Http404
    activate_club_time_zone(application.club)
    problem = ""
    if request.method == "POST":
        try:
            if request.POST.get("do") == "account":
                return redirect(invitation_path(invite_new_member(application)))
            withdraw_application(application)
        except OfficerProblem as refused:
            problem = refused.message
        else:
            messages.success(request, _("Your application has been withdrawn."))
            return redirect("application_status", club, token)
    is_accepted = application.state == MembershipApplication.State.ACCEPTED
    context = {
        "application": application,
        "club": application.club,
        "sentence": describe_application(application),
        "members": new_members(application) if is_accepted else (),
        "welcome": welcome_text(application) if is_accepted else "",
        "dues": first_dues(application) if is_accepted else None,
        "invited": member_to_invite(application),
        "can_apply_again": is_form_open(application.club, request.user),
        "needs_paper_mandate": application.dues_payment == MembershipApplication.DuesPayment.PAPER,
        "problem": problem,
    }
    return render(
        request, "clubs/membership/applications/application_status.html", context, status=422 if problem else 200
    )


def _is_sent(request: WebRequest, form: ApplicationForm, people: BaseApplicantFormSet) -> bool:
    """Send the confirmation email, and return True unless there are errors. A bot is told that it was sent."""
    if not (form.is_valid() & people.is_valid()):
        return False
    if form.is_robot:
        return True
    form.check_guardian(people.people)
    if form.errors:
        return False
    application = form.instance
    # Only the secretary is told whether somebody is already a member. Strangers must not learn it.
    application.language, application.site = get_language() or "", request.build_absolute_uri("/")
    submit_application(application, people.people)
    return True


def _empty_form(request: WebRequest, club: Club) -> dict[str, object]:
    """Return the empty form or, to correct a wrong address, filled in as just sent. Bank details are left out."""
    kept = None
    if "again" in request.GET:
        recent = club.applications.filter(state=MembershipApplication.State.UNCONFIRMED)
        recent = recent.filter(sent_at__gt=timezone.now() - TIME_TO_CORRECT)
        kept = recent.filter(pk=request.session.get(_SENT, 0)).first()
    if kept is None:
        return {"form": ApplicationForm(club=club), "people": applicant_formset()}
    rows = [{name: getattr(each, name) for name in ApplicantForm.base_fields} for each in kept.people.all()]
    return {
        "form": ApplicationForm(initial={name: getattr(kept, name) for name in _KEPT_FIELDS}, club=club),
        "people": _people_forms(rows),
    }


def _people_forms(rows: list[dict[str, Any]]) -> BaseApplicantFormSet:
    people = applicant_formset(rows=len(rows))
    for form, row in zip(people.forms, rows, strict=True):
        form.initial = row
    return people


def _form_as_sent(request: WebRequest, club: Club) -> dict[str, object]:
    """Return the form with what was typed. `add` adds a row with the last family name, `remove` removes that row."""
    sent, names = request.POST, ApplicantForm.base_fields
    rows = [
        {name: sent.get(f"people-{row}-{name}", "") for name in names}
        for row in range(min(max(1, submitted_row_count(sent, "people")), MAX_PEOPLE))
    ]
    if "add" in sent and len(rows) < MAX_PEOPLE:
        rows.append({"family_name": rows[-1]["family_name"]})
    if "remove" in sent and len(rows) > 1:
        rows = [row for number, row in enumerate(rows, start=1) if number != parse_key(sent["remove"])]
    form = ApplicationForm(initial=sent.dict(), club=club)
    return {"form": form, "people": _people_forms(rows), "is_added": "add" in sent}
