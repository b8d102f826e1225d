"""The home page, a club's page and an event's page."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.applications.submission import is_form_open as is_application_form_open
from clubs.membership.onboarding.club_creation import is_server_empty
from clubs.models import Club, Role
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, WebRequest
from clubs.roles import EVENT_ROLES, can_run_events, clubs_of_user, roles_in_club
from pairing.pages.home.club_dashboard import build_club_dashboard
from pairing.pages.home.event_overview import event_overview
from tournaments.access import events_visible_to_roles, get_tournament_for_reader
from tournaments.check_in.answers import answers_for_coming_days
from tournaments.check_in.current_event import current_entry
from tournaments.check_in.remembered_device import (
    acting_entries_of_device,
    entries_of_device_owners,
    is_device_known,
)
from tournaments.events.event_progress import (
    find_next_step,
    latest_public_round,
    list_events_with_progress,
    list_running_events,
)
from tournaments.events.event_repetition import latest_repeatable_event, next_event_date
from tournaments.events.fide_rating_eligibility import event_fide_rating_warning
from tournaments.events.next_evening import NextEvening, list_coming_evenings, next_evening
from tournaments.live_updates.page_decorators import cache_event_page, mark_page_expiring, revalidate_event_list
from tournaments.models import Entry, Round, Tournament
from tournaments.online_entries.places import entry_form_of, is_form_open

EVENTS_PER_PAGE = 50
MAX_DATES_SHOWN = 4
MIN_EVENTS_OF_OLD_CLUB = 2
"""With fewer events, the club's page shows the secretary which first steps are left."""


@login_not_required
@require_safe
@partial(revalidate_event_list, is_personal=is_device_known)
def home_page(request: HttpRequest) -> HttpResponse:
    """Show the user's clubs, the running events and all clubs. An empty server redirects to its setup."""
    own = clubs_of_user(request.user)
    open_to_reader = Tournament.objects.filter(Q(is_public=True) | Q(club__in=own)).select_related("club")
    others = list(Club.objects.exclude(pk__in=[each.pk for each in own]))
    if not own and not others and is_server_empty():
        return redirect("server_set_up")
    open_events = open_to_reader.filter(club__is_demo=False)
    dates = list_coming_evenings(open_events)
    evening = next_evening(open_events, dates)
    on_card = evening.tournament if evening is not None else None
    runs_evening = evening is not None and can_run_events(request.user, evening.tournament.club)
    context = {
        "own_entry": current_entry(entries_of_device_owners(request)),
        "answers": answers_for_coming_days(acting_entries_of_device(request, Entry.objects.all())),
        "evening": evening,
        "evening_step": (
            find_next_step(evening.tournament, list(evening.tournament.rounds.all()))
            if evening is not None and runs_evening
            else None
        ),
        "own": [each for each in own if not each.is_demo],
        "running": [each for each in list_running_events(open_events) if each.tournament != on_card],
        "coming": _evenings_after(evening, dates),
        "clubs": [each for each in others if not each.is_demo],
        "demo": [each for each in [*own, *others] if each.is_demo],
    }
    return render(request, "pairing/pages/home/home.html", context)


@login_not_required
@require_safe
@partial(revalidate_event_list, is_personal=is_device_known)
def club_page(request: WebRequest, club: str) -> HttpResponse:
    """Show a club's events and, to its staff, the dashboard."""
    the_club = get_object_or_404(Club, slug=club)
    roles = roles_in_club(request.user, the_club)
    all_events, may_run = list_events_with_progress(events_visible_to_roles(roles, the_club)), bool(roles & EVENT_ROLES)
    coming = list_coming_evenings(events_visible_to_roles(roles, the_club))
    evening = next_evening(events_visible_to_roles(roles, the_club), coming)
    entry_form = entry_form_of(evening.tournament) if evening is not None and not roles else None
    takes_entries = entry_form is not None and is_form_open(entry_form)
    if entry_form is not None and takes_entries and entry_form.closes_at is not None:
        mark_page_expiring(request)
    page = Paginator(all_events, EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = club_page_context(request.user, the_club, "events") | {
        "own_entry": current_entry(entries_of_device_owners(request).filter(tournament__club=the_club)),
        "answers": answers_for_coming_days(
            acting_entries_of_device(request, Entry.objects.filter(tournament__club=the_club))
        ),
        "evening": evening,
        "takes_entries": takes_entries,
        "coming": _evenings_after(evening, coming),
        "takes_applications": is_application_form_open(the_club, request.user),
        "events": page.object_list,
        "page": page,
        "may_run": may_run,
        "latest": latest_repeatable_event(all_events) if may_run else None,
        "is_secretary": Role.SECRETARY in roles,
        "is_new": Role.SECRETARY in roles and len(all_events) < MIN_EVENTS_OF_OLD_CLUB,
        "glance": build_club_dashboard(the_club, all_events, roles, now=timezone.now()) if roles else None,
    }
    return render(request, "pairing/pages/home/club.html", context)


def _evenings_after(evening: NextEvening | None, coming: list[NextEvening]) -> list[NextEvening]:
    """Return the evenings to list below the card of the next one."""
    return [each for each in coming if each != evening][:MAX_DATES_SHOWN]


@require_POST
def club_birthdays_edit(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Set whether the club's page shows birthdays."""
    the_club = get_club_for_secretary(request.user, club)
    the_club.shows_birthdays = request.POST.get("show") == "yes"
    the_club.save(update_fields=["shows_birthdays"])
    return redirect("club", club)


@login_not_required
@require_safe
@cache_event_page
def tournament_page(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show an event: progress, next step, latest results and the top of the standings, or the winners."""
    the_event = get_tournament_for_reader(request.user, club, event)
    rounds = list(the_event.rounds.all())
    roles = roles_in_club(request.user, the_event.club)
    may_run = bool(roles & EVENT_ROLES)
    latest = latest_public_round(rounds)
    entry_form = entry_form_of(the_event)
    context = {
        "tournament": the_event,
        "may_run": may_run,
        "here": "overview",
        "rounds": rounds,
        **the_event.entries.aggregate(
            players=Count("pk"), withdrawn=Count("pk", filter=Q(withdrawn_from_round__isnull=False))
        ),
        "latest": latest,
        "evening": next_evening(Tournament.objects.filter(pk=the_event.pk)),
        "to_come": next((each for each in rounds if each.state == Round.State.WAITING), None),
        "step": find_next_step(the_event, rounds) if may_run else None,
        "rated_warning": event_fide_rating_warning(the_event) if may_run else "",
        "again_on": next_event_date(the_event, today=timezone.localdate()) if may_run else None,
        "front": event_overview(the_event, rounds, latest),
        "takes_entries": not may_run and is_form_open(entry_form),
        "has_entry_form": entry_form.pk is not None,
        "is_secretary": Role.SECRETARY in roles,
    }
    return render(request, "pairing/pages/home/event_overview.html", context)
