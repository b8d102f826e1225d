"""The entry form, the confirmation of the address, a person's own page about their entry, and the public list."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.membership.accounts.adapter import throttle_form
from clubs.membership.accounts.client_address import client_address, site_of_address
from clubs.membership.accounts.private_pages import limit_posts_per_minute, private_page
from clubs.membership.accounts.request_limits import count_request
from clubs.request_types import WebRequest
from clubs.roles import can_run_events
from clubs.time_zones import activate_club_time_zone
from tournaments.access import get_tournament_for_reader
from tournaments.check_in.remembered_device import acting_members_of_device
from tournaments.events.next_evening import next_evening
from tournaments.live_updates.page_decorators import too_many_requests
from tournaments.models import OnlineEntry, Tournament
from tournaments.online_entries.fees import fee_lines, payment_instructions
from tournaments.online_entries.forms import OnlineEntryForm
from tournaments.online_entries.links import (
    online_entry_by_confirmation_token,
    online_entry_by_status_token,
    personal_page_of,
    status_token,
)
from tournaments.online_entries.places import (
    OPEN_STATES,
    accept_offer,
    confirm_online_entry,
    count_free_places,
    entry_form_of,
    events_taking_entries,
    find_member,
    is_form_open,
    is_withdrawn,
    withdraw_online_entry,
)
from tournaments.online_entries.processing import request_processing
from tournaments.online_entries.state_texts import describe_state
from tournaments.online_entries.submission import submit_online_entry
from tournaments.problems import ArbiterProblem

FREE_SUBMISSIONS = 30
"""From one network within an hour. After that, each one has to wait longer, up to a minute."""
SEARCHES_PER_MINUTE = 60
POSTS_PER_MINUTE = 20
"""Per link."""


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Target")
def online_entry_form(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the entry form. A POST sends an email to confirm the entry, and always gives the same answer."""
    the_event = get_tournament_for_reader(request.user, club, event)
    settings = entry_form_of(the_event)
    context = _page_context(request, the_event) | {"settings": settings, "is_open": is_form_open(settings)}
    if not context["is_open"]:
        is_past = settings.closes_at is not None and settings.closes_at <= timezone.now()
        context |= {
            "closed_since": settings.closes_at if is_past else None,
            "open_events": events_taking_entries(the_event.club),
        }
        return render(request, "tournaments/online_entries/online_entry_form.html", context)
    if "sent" in request.GET:
        return render(request, "tournaments/online_entries/online_entry_form.html", context)
    context |= {
        "evening": next_evening(Tournament.objects.filter(pk=the_event.pk)),
        "free": count_free_places(settings),
        "fees": fee_lines(settings),
    }
    if request.method == "POST":
        try:
            throttle_form("online entry", client_address(request), FREE_SUBMISSIONS)
        except ValidationError as wait:
            # Nothing is searched or checked, but what the person typed is kept.
            messages.error(request, wait.message)
            context |= {"form": OnlineEntryForm(initial=request.POST.dict(), settings=settings)}
            return render(request, "tournaments/online_entries/online_entry_form.html", context, status=429)
        form = OnlineEntryForm(request.POST, settings=settings)
        if _is_sent(request, form):
            return redirect(f"{reverse('online_entry_form', args=[club, event])}?sent")
        context |= {"form": form}
        return render(request, "tournaments/online_entries/online_entry_form.html", context, status=422)
    if request.htmx.target == "listed":
        if count_request("entry-search", site_of_address(client_address(request))) > SEARCHES_PER_MINUTE:
            return too_many_requests(request)
        context |= {"form": OnlineEntryForm(request.GET, settings=settings), "is_search": True}
        return render(request, "tournaments/online_entries/online_entry_form.html#listed", context)
    context |= {"form": OnlineEntryForm(settings=settings)}
    return render(request, "tournaments/online_entries/online_entry_form.html", context)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def online_entry_confirm(request: WebRequest, club: str, event: str, token: str) -> HttpResponse:
    """Confirm an entry from the link in the email. The page has a button, because programs open links too."""
    online = online_entry_by_confirmation_token(token)
    if online is None or (online.tournament.club.slug, online.tournament.slug) != (club, event):
        return render(request, "tournaments/online_entries/link_expired.html", status=410)
    activate_club_time_zone(online.tournament.club)
    problem = ""
    if request.method == "POST":
        try:
            online = confirm_online_entry(online)
        except ArbiterProblem as refused:
            problem = refused.message
        else:
            request_processing()
            return redirect("online_entry_status", club, event, status_token(online))
    context = {"online": online, "tournament": online.tournament, "problem": problem}
    return render(
        request, "tournaments/online_entries/online_entry_confirm.html", context, status=422 if problem else 200
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def online_entry_status(request: WebRequest, club: str, event: str, token: str) -> HttpResponse:
    """Show the status of an entry and how to pay. A POST accepts an offered place or withdraws the entry."""
    online = _get_online_entry(club, event, token)
    problem = ""
    if request.method == "POST":
        try:
            if request.POST.get("do") == "accept":
                online = accept_offer(online)
            elif request.POST.get("do") == "withdraw":
                online = withdraw_online_entry(online, by=None)
                messages.success(request, _("The entry has been withdrawn."))
        except ArbiterProblem as refused:
            problem = refused.message
        else:
            request_processing()
            return redirect("online_entry_status", club, event, token)
    context = {
        "online": online,
        "tournament": online.tournament,
        "sentence": describe_state(online),
        "payment": payment_instructions(online) if online.entry else None,
        "personal_page": personal_page_of(online),
        "may_withdraw": online.state in (*OPEN_STATES, OnlineEntry.State.ENTERED) and not is_withdrawn(online),
        "problem": problem,
    }
    return render(
        request, "tournaments/online_entries/online_entry_status.html", context, status=422 if problem else 200
    )


@login_not_required
@require_safe
def online_entry_list(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the players entered and the waiting list, with initials for those who didn't agree to be named."""
    the_event = get_tournament_for_reader(request.user, club, event)
    settings = entry_form_of(the_event)
    context = _page_context(request, the_event) | {
        "settings": settings,
        "is_open": is_form_open(settings),
        "entries": the_event.entries.filter(withdrawn_from_round=None).order_by("-rating", "name", "pk"),
        "waiting": the_event.online_entries.filter(state=OnlineEntry.State.WAITING).select_related("member"),
    }
    return render(request, "tournaments/online_entries/online_entry_list.html", context)


def _page_context(request: WebRequest, tournament: Tournament) -> dict[str, object]:
    return {"tournament": tournament, "may_run": can_run_events(request.user, tournament.club), "here": "overview"}


def _is_sent(request: WebRequest, form: OnlineEntryForm) -> bool:
    """Send the confirmation email, and return True unless the form has errors. A bot is told that it was sent."""
    if not form.is_valid():
        return False
    if form.is_robot:
        return True
    online = form.instance
    # Only the person who confirms is told that the player is already entered. Strangers must not learn it.
    online.language, online.site = get_language() or "", request.build_absolute_uri("/")
    member = find_member(online)
    if member is not None and member.pk in acting_members_of_device(request, member.club):
        online.member, online.is_member_certain = member, True
    submit_online_entry(online)
    return True


def _get_online_entry(club: str, event: str, token: str) -> OnlineEntry:
    online = online_entry_by_status_token(token)
    if online is None or (online.tournament.club.slug, online.tournament.slug) != (club, event):
        raise Http404
    activate_club_time_zone(online.tournament.club)
    return online
