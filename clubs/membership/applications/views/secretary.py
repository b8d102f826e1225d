"""The secretary's page of applications, decisions on them, and the settings of the form."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.applications.decisions import (
    FULL,
    accept_application,
    answer_known_member,
    current_season,
    decided_sentence,
    earlier_refusals,
    find_known_members,
    has_other_address,
    is_certainly_known,
    is_from_member,
    refuse_application,
    suggested_record,
)
from clubs.membership.applications.forms import MembershipFormSettingsForm, RefusalForm
from clubs.membership.applications.submission import contact_name, identity, is_minor
from clubs.models import Applicant, Club, Member, MembershipApplication, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest, parse_key
from common.emails.outbox import create_sending_job
from common.jobs.queue import enqueue_job
from common.problems import OfficerProblem
from common.text.name_search import NameWords

MAX_DECIDED_SHOWN = 20
_State = MembershipApplication.State


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicantRow:
    """A person who wants to join, and who of the member list has the same name and no other birth."""

    person: Applicant
    known: tuple[Member, ...]
    is_certain: bool
    """It is that person for certain. Otherwise the secretary says so."""
    suggested: Member | None
    elsewhere: frozenset[int]
    """The keys of those whose address in the member list is another one."""
    is_minor: bool
    refused_at: datetime | None
    """When they were last refused."""
    is_in_another: bool
    """They also applied from another address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationRow:
    """An application to decide. `contact` is the name of its sender."""

    application: MembershipApplication
    contact: str
    people: tuple[ApplicantRow, ...]

    @property
    def has_member(self) -> bool:
        """True if one of them may be a member already."""
        return any(member.status in FULL for row in self.people for member in row.known)


@require_safe
def applications_review(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the applications to decide, the unconfirmed, and the latest decided ones. Viewing them is logged."""
    the_club = get_club_for_secretary(request.user, club)
    rows = _rows_to_decide(the_club)
    decided = the_club.applications.exclude(decided_at=None).order_by("-decided_at").prefetch_related("people__member")
    unconfirmed = the_club.applications.filter(state=_State.UNCONFIRMED).order_by("-sent_at").prefetch_related("people")
    shown = len(rows) + len(unconfirmed)
    if shown:
        log_data_access(the_club, PersonalDataAccess.DataAccessKind.CONTACT, by=request.user, applications=shown)
    context = club_page_context(request.user, the_club, "members") | {
        "rows": rows,
        "decided": decided.select_related("decided_by")[:MAX_DECIDED_SHOWN],
        "unconfirmed": unconfirmed,
        "season": current_season(the_club, today=timezone.localdate()),
        "address": request.build_absolute_uri(reverse("application_form", args=[club])),
    }
    return render(request, "clubs/membership/applications/applications_review.html", context)


@require_POST
def application_decide(request: AuthenticatedRequest, club: str, application: int) -> HttpResponse:
    """Accept an application, or answer that the person is a member already."""
    the_club = get_club_for_secretary(request.user, club)
    sent = get_object_or_404(MembershipApplication, club=the_club, pk=application)
    if sent.state != _State.OPEN:
        messages.info(request, decided_sentence(sent))
        return redirect("applications_review", club)
    try:
        if request.POST.get("do") == "accept":
            accept_application(sent, by=request.user, same_people=_same_people(sent, request.POST))
            done = _("Accepted. A welcome email with the membership number and dues is on its way.")
            messages.success(request, f"{_names(sent)}: {done}")
        elif request.POST.get("do") == "known":
            answer_known_member(sent, by=request.user)
            told = _("The applicant gets an email that they are already a member.")
            asked = _("The applicant gets an email to contact the club, as the member list has another address.")
            messages.success(request, told if is_from_member(sent) else asked)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        enqueue_job(create_sending_job())
    return redirect("applications_review", club)


def _names(sent: MembershipApplication) -> str:
    return "; ".join(each.name for each in sent.people.all())


@require_http_methods(["GET", "HEAD", "POST"])
def application_refuse(request: AuthenticatedRequest, club: str, application: int) -> HttpResponse:
    """Refuse an application with a reason. Without one, the page asks first."""
    the_club = get_club_for_secretary(request.user, club)
    sent = get_object_or_404(MembershipApplication, club=the_club, pk=application)
    if sent.state != _State.OPEN:
        messages.info(request, decided_sentence(sent))
        return redirect("applications_review", club)
    form = RefusalForm(request.POST or None)
    asks_again = False
    if request.method == "POST" and form.is_valid():
        asks_again = not form.cleaned_data["reason"] and request.POST.get("do") != "without"
        if not asks_again:
            try:
                refuse_application(sent, reason=form.cleaned_data["reason"], by=request.user)
            except OfficerProblem as problem:
                messages.error(request, problem.message)
            else:
                enqueue_job(create_sending_job())
                messages.success(request, f"{_names(sent)}: {_('Declined. The applicant will get an email.')}")
            return redirect("applications_review", club)
    context = club_page_context(request.user, the_club, "members") | {
        "application": sent,
        "form": form,
        "asks_again": asks_again,
    }
    return render(
        request,
        "clubs/membership/applications/application_refuse.html",
        context,
        status=422 if form.errors or asks_again else 200,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def application_settings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Change the settings of the membership form."""
    the_club = get_club_for_secretary(request.user, club)
    form = MembershipFormSettingsForm(request.POST or None, instance=the_club)
    if request.method == "POST" and form.is_valid():
        form.instance.save(update_fields=list(form.fields))
        messages.success(request, _("Saved."))
        return redirect("applications_review", club)
    context = club_page_context(request.user, the_club, "members") | {"form": form}
    return render(
        request,
        "clubs/membership/applications/application_settings.html",
        context,
        status=422 if form.errors else 200,
    )


def _rows_to_decide(club: Club) -> list[ApplicationRow]:
    waiting = club.applications.filter(state=_State.OPEN).prefetch_related("people")
    refused = earlier_refusals(club, [person for each in waiting for person in each.people.all()])
    addresses: dict[tuple[NameWords, date], set[str]] = defaultdict(set)
    for each in waiting:
        for person in each.people.all():
            addresses[identity(person)].add(each.email)
    return [
        ApplicationRow(
            application=each,
            contact=contact_name(each),
            people=tuple(
                _row(person, refused.get(person.pk), is_in_another=len(addresses[identity(person)]) > 1)
                for person in each.people.all()
            ),
        )
        for each in waiting
    ]


def _row(person: Applicant, refused_at: datetime | None, *, is_in_another: bool) -> ApplicantRow:
    known = find_known_members(person)
    return ApplicantRow(
        person=person,
        known=tuple(known),
        is_certain=bool(known) and is_certainly_known(person, known[0]),
        suggested=suggested_record(person, known),
        elsewhere=frozenset(each.pk for each in known if has_other_address(each, person.application.email)),
        is_minor=is_minor(person.birth_date, on=timezone.localdate()),
        refused_at=refused_at,
        is_in_another=is_in_another,
    )


def _same_people(application: MembershipApplication, data: QueryDict) -> dict[int, int]:
    """Return the answers of the form: for an applicant's key the member's, or 0 for somebody else."""
    said = {person.pk: data.get(f"same-{person.pk}", "") for person in application.people.all()}
    return {pk: parse_key(key) for pk, key in said.items() if key == "0" or parse_key(key)}
