"""Setting up the server, making clubs, asking for one."""

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
from clubs.frame import frame
from clubs.membership.accounts.adapter import wait_for_turn
from clubs.membership.accounts.client_address import client_address, neighbourhood
from clubs.membership.accounts.invitations import send_and_say
from clubs.membership.accounts.slowing import Count, succeeded
from clubs.membership.onboarding.access import (
    check_administrator,
    check_clubs_may_be_asked_for,
    get_request_for_administrator,
)
from clubs.membership.onboarding.forms import ClubForm, ClubRequestForm, CodeForm, FirstAccountForm, LaterClubForm
from clubs.membership.onboarding.making import grant, invite_secretary, make_club, refuse
from clubs.membership.onboarding.making import set_up as set_up_server
from clubs.membership.onboarding.opening import is_empty, is_set_up_code
from clubs.models import Club, ClubRequest, Invitation
from clubs.requests import OfficerRequest, WebRequest
from common.problems import OfficerProblem

CODE_IN_SESSION = "set_up_code"


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: WebRequest) -> HttpResponse:
    """The code, then the first log-in and the first club; nothing any more once they are there."""
    if not is_empty():
        return redirect("home")
    if not is_set_up_code(request.session.get(CODE_IN_SESSION, "")):
        return _ask_for_code(request)
    data = request.POST if request.method == "POST" else None
    account = FirstAccountForm(data, auto_id="account_%s")
    club = ClubForm(data, request.FILES or None, browser=_languages_of(request), auto_id="club_%s", prefix="club")
    if data is not None and account.is_valid() & club.is_valid():
        user = account.save(commit=False)
        try:
            made = set_up_server(user, club.save(commit=False), logo=club.cleaned_data["logo_file"])
        except OfficerProblem as problem:
            messages.error(request, problem.message)
            return redirect("home")
        return perform_login(request, user, redirect_url=_next_in(made, club))
    status = 422 if data is not None else 200
    return render(request, "clubs/membership/onboarding/set_up.html", {"account": account, "form": club}, status=status)


@require_safe
def arrived(request: OfficerRequest, club: str) -> HttpResponse:
    """What comes next in a new club."""
    the_club = get_club_for_secretary(request.user, club)
    context = frame(request.user, the_club, "events") | {
        "rating_list": request.GET.get("rating_list", ""),
        "zone": get_current_timezone_name(),
    }
    return render(request, "clubs/membership/onboarding/arrived.html", context)


def _next_in(club: Club, form: ClubForm) -> str:
    """The page of a new club on which the rating list that was chosen is brought in next."""
    chosen = form.cleaned_data["rating_list"]
    return reverse("arrived", args=[club.slug]) + (f"?rating_list={chosen}" if chosen else "")


@require_safe
def server_clubs(request: OfficerRequest) -> HttpResponse:
    """Every club of the server, and the ones that are asked for."""
    check_administrator(request.user)
    context = {
        "clubs": Club.objects.filter(is_demo=False),
        "asked_for": ClubRequest.objects.filter(state=ClubRequest.State.OPEN),
    }
    return render(request, "clubs/membership/onboarding/server_clubs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: OfficerRequest) -> HttpResponse:
    """A further club."""
    user = check_administrator(request.user)
    form = LaterClubForm(request.POST or None, request.FILES or None, browser=_languages_of(request))
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["secretary_email"]
        made = make_club(
            form.save(commit=False), logo=form.cleaned_data["logo_file"], secretary=None if email else user
        )
        messages.success(request, _("%(club)s is there.") % {"club": made.name})
        if email:
            return _sent(request, invite_secretary(made, email=email, by=user))
        return redirect(_next_in(made, form))
    return render(
        request, "clubs/membership/onboarding/club_new.html", {"form": form}, status=422 if form.errors else 200
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_ask(request: WebRequest) -> HttpResponse:
    """Somebody wants a club on this server."""
    check_clubs_may_be_asked_for()
    form = ClubRequestForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            wait_for_turn((Count(what="club asked for", who=neighbourhood(client_address(request)), free=5),))
        except ValidationError as wait:
            form.add_error(None, wait)
        else:
            form.instance.language = get_language() or ""
            form.save()
            return render(request, "clubs/membership/onboarding/club_asked.html", {"email": form.instance.email})
    return render(
        request, "clubs/membership/onboarding/club_ask.html", {"form": form}, status=422 if form.errors else 200
    )


@require_POST
def club_request_answer(request: OfficerRequest, asked: int) -> HttpResponse:
    """Make the club that was asked for, or say no."""
    found = get_request_for_administrator(request.user, asked)
    try:
        if request.POST.get("answer") == "make":
            return _sent(request, grant(found, by=request.user))
        refuse(found)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    return redirect("server_clubs")


def _ask_for_code(request: WebRequest) -> HttpResponse:
    # The link that the server prints may hold the code; it is entered with a press of the button all the same.
    form = CodeForm(request.POST if request.method == "POST" else None, initial={"code": request.GET.get("code", "")})
    if request.method == "POST":
        counts = (Count(what="set-up code", who=neighbourhood(client_address(request)), free=10),)
        try:
            wait_for_turn(counts)
        except ValidationError as wait:
            form.add_error(None, wait)
        else:
            if form.is_valid():
                succeeded(counts)
                request.session[CODE_IN_SESSION] = form.cleaned_data["code"]
                return redirect("set_up")
    return render(
        request, "clubs/membership/onboarding/set_up_code.html", {"form": form}, status=422 if form.errors else 200
    )


def _languages_of(request: WebRequest) -> str:
    return request.headers.get("Accept-Language", "")


def _sent(request: OfficerRequest, invitation: Invitation) -> HttpResponse:
    """To the page of the link, which is sent as well where letters can be."""
    send_and_say(request, invitation)
    return redirect("invitation", invitation.club.slug, invitation.pk)
