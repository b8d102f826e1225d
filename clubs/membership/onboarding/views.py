"""Pages for setting up the server, creating clubs and requesting one."""

from __future__ import annotations

from allauth.account.utils import perform_login
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.accounts.adapter import throttle_attempt
from clubs.membership.accounts.client_address import client_address, network_of_address
from clubs.membership.accounts.invitations import send_invitation_with_message
from clubs.membership.accounts.throttling import AttemptLimit, record_success
from clubs.membership.onboarding.access import (
    check_administrator,
    check_club_requests_allowed,
    get_club_request_for_administrator,
)
from clubs.membership.onboarding.club_creation import (
    approve_club_request,
    create_club,
    decline_club_request,
    invite_secretary,
    is_server_empty,
    is_set_up_code,
)
from clubs.membership.onboarding.club_creation import set_up_server as set_up_server
from clubs.membership.onboarding.forms import (
    AdditionalClubForm,
    ClubRequestForm,
    FirstAccountForm,
    NewClubForm,
    SetUpCodeForm,
)
from clubs.models import Club, ClubRequest, Invitation
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, WebRequest
from common.problems import OfficerProblem

SET_UP_CODE_KEY = "set_up_code"


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def server_set_up(request: WebRequest) -> HttpResponse:
    """Ask for the set-up code, then create the first account and club. Redirects home once the server is set up."""
    if not is_server_empty():
        return redirect("home")
    if not is_set_up_code(request.session.get(SET_UP_CODE_KEY, "")):
        return _ask_for_code(request)
    data = request.POST if request.method == "POST" else None
    account = FirstAccountForm(data, auto_id="account_%s")
    club = NewClubForm(data, request.FILES or None, browser=_languages_of(request), auto_id="club_%s", prefix="club")
    if data is not None and account.is_valid() & club.is_valid():
        user = account.save(commit=False)
        try:
            made = set_up_server(user, club.save(commit=False), logo=club.cleaned_data["logo_file"])
        except OfficerProblem as problem:
            messages.error(request, problem.message)
            return redirect("home")
        return perform_login(request, user, redirect_url=_next_in(made, club))
    status = 422 if data is not None else 200
    return render(
        request, "clubs/membership/onboarding/server_set_up.html", {"account": account, "form": club}, status=status
    )


@require_safe
def club_welcome(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the next steps in a new club."""
    the_club = get_club_for_secretary(request.user, club)
    context = club_page_context(request.user, the_club, "events") | {
        "rating_list": request.GET.get("rating_list", ""),
        "zone": get_current_timezone_name(),
    }
    return render(request, "clubs/membership/onboarding/club_welcome.html", context)


def _next_in(club: Club, form: NewClubForm) -> str:
    """Return the URL of the new club's welcome page, with the chosen rating list."""
    chosen = form.cleaned_data["rating_list"]
    return reverse("club_welcome", args=[club.slug]) + (f"?rating_list={chosen}" if chosen else "")


@require_safe
def server_clubs(request: AuthenticatedRequest) -> HttpResponse:
    """Show all clubs on the server and the open club requests."""
    check_administrator(request.user)
    context = {
        "clubs": Club.objects.filter(is_demo=False),
        "open_requests": ClubRequest.objects.filter(state=ClubRequest.State.OPEN),
    }
    return render(request, "clubs/membership/onboarding/server_clubs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: AuthenticatedRequest) -> HttpResponse:
    """Create another club."""
    user = check_administrator(request.user)
    form = AdditionalClubForm(request.POST or None, request.FILES or None, browser=_languages_of(request))
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["secretary_email"]
        made = create_club(
            form.save(commit=False), logo=form.cleaned_data["logo_file"], secretary=None if email else user
        )
        messages.success(request, _("%(club)s is ready.") % {"club": made.name})
        if email:
            return _sent(request, invite_secretary(made, email=email, by=user))
        return redirect(_next_in(made, form))
    return render(
        request, "clubs/membership/onboarding/club_new.html", {"form": form}, status=422 if form.errors else 200
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_request_new(request: WebRequest) -> HttpResponse:
    """Request a club on this server."""
    check_club_requests_allowed()
    form = ClubRequestForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            throttle_attempt(
                (
                    AttemptLimit(
                        scope="club asked for", subject=network_of_address(client_address(request)), free_failures=5
                    ),
                )
            )
        except ValidationError as wait:
            form.add_error(None, wait)
        else:
            form.instance.language = get_language() or ""
            form.save()
            return render(request, "clubs/membership/onboarding/club_request_sent.html", {"email": form.instance.email})
    return render(
        request, "clubs/membership/onboarding/club_request.html", {"form": form}, status=422 if form.errors else 200
    )


@require_POST
def club_request_answer(request: AuthenticatedRequest, asked: int) -> HttpResponse:
    """Create the requested club or decline the request."""
    found = get_club_request_for_administrator(request.user, asked)
    try:
        if request.POST.get("answer") == "make":
            return _sent(request, approve_club_request(found, by=request.user))
        decline_club_request(found)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    return redirect("server_clubs")


def _ask_for_code(request: WebRequest) -> HttpResponse:
    # The printed link may contain the code, but the user still has to submit it.
    form = SetUpCodeForm(
        request.POST if request.method == "POST" else None, initial={"code": request.GET.get("code", "")}
    )
    if request.method == "POST":
        counts = (
            AttemptLimit(scope="set-up code", subject=network_of_address(client_address(request)), free_failures=10),
        )
        try:
            throttle_attempt(counts)
        except ValidationError as wait:
            form.add_error(None, wait)
        else:
            if form.is_valid():
                record_success(counts)
                request.session[SET_UP_CODE_KEY] = form.cleaned_data["code"]
                return redirect("server_set_up")
    return render(
        request, "clubs/membership/onboarding/set_up_code.html", {"form": form}, status=422 if form.errors else 200
    )


def _languages_of(request: WebRequest) -> str:
    return request.headers.get("Accept-Language", "")


def _sent(request: AuthenticatedRequest, invitation: Invitation) -> HttpResponse:
    """Send the invitation, if email is set up, and redirect to its page."""
    send_invitation_with_message(request, invitation)
    return redirect("invitation_detail", invitation.club.slug, invitation.pk)
