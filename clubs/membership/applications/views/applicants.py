"""The membership form, the confirmation of the address, and the sender's own page."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.membership.accounts.adapter import throttle_attempt
from clubs.membership.accounts.client_address import client_address
from clubs.membership.accounts.private_pages import limit_posts_per_minute, private_page
from clubs.membership.accounts.throttling import form_limits
from clubs.membership.applications.decisions import current_season, withdraw_application
from clubs.membership.applications.emails import describe_application, first_dues, new_members
from clubs.membership.applications.forms import MAX_PEOPLE, ApplicationForm, BaseApplicantFormSet, applicant_formset
from clubs.membership.applications.links import (
    application_by_confirmation_token,
    application_by_status_token,
    status_token,
)
from clubs.membership.applications.submission import confirm_application, submit_application
from clubs.models import Club, MembershipApplication
from clubs.request_types import WebRequest, submitted_row_count
from clubs.time_zones import activate_club_time_zone
from common.emails.outbox import create_sending_job
from common.jobs.queue import enqueue_job
from common.problems import OfficerProblem

FREE_SUBMISSIONS = 20
"""From one network within an hour. After that, each one has to wait longer, up to a minute."""
POSTS_PER_MINUTE = 20
"""Per link."""


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def application_form(request: WebRequest, club: str) -> HttpResponse:
    """Show the membership form. A POST sends an email to confirm it, and always gives the same answer."""
    the_club = get_object_or_404(Club, slug=club, takes_applications=True)
    activate_club_time_zone(the_club)
    season = current_season(the_club, today=timezone.localdate())
    context: dict[str, object] = {"club": the_club, "fees": season.fee_classes.filter(amount__gt=0) if season else ()}
    template = "clubs/membership/applications/application_form.html"
    if "sent" in request.GET:
        return render(request, template, context)
    if request.method != "POST":
        context |= {"form": ApplicationForm(club=the_club), "people": applicant_formset()}
        return render(request, template, context)
    if "add" in request.POST:
        return render(request, template, context | _form_as_sent(request, the_club, more=1))
    try:
        throttle_attempt(form_limits("application", client_address(request), FREE_SUBMISSIONS))
    except ValidationError as wait:
        # Nothing is checked, but what the person typed is kept.
        messages.error(request, wait.message)
        return render(request, template, context | _form_as_sent(request, the_club), status=429)
    form, people = ApplicationForm(request.POST, club=the_club), applicant_formset(request.POST)
    if _is_sent(request, form, people):
        return redirect(f"{reverse('application_form', args=[club])}?sent")
    return render(request, template, context | {"form": form, "people": people}, status=422)


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
    context = {"application": application, "club": application.club, "problem": problem}
    return render(
        request, "clubs/membership/applications/application_confirm.html", context, status=422 if problem else 200
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def application_status(request: WebRequest, club: str, token: str) -> HttpResponse:
    """Show the status of an application, and the first dues. A POST withdraws it."""
    application = application_by_status_token(club, token)
    if application is None:
        raise Http404
    activate_club_time_zone(application.club)
    problem = ""
    if request.method == "POST":
        try:
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
        "dues": first_dues(application) if is_accepted else None,
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


def _form_as_sent(request: WebRequest, club: Club, *, more: int = 0) -> dict[str, object]:
    rows = min(max(1, submitted_row_count(request.POST, "people")) + more, MAX_PEOPLE)
    people = applicant_formset(rows=rows)
    for row in people.forms:
        row.initial = {name: request.POST.get(row.add_prefix(name), "") for name in row.fields}
    return {"form": ApplicationForm(initial=request.POST.dict(), club=club), "people": people}
