"""The front page, a club's page and an event's: where everyone comes in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from clubs.access import RUNNING_ROLES, can_run, clubs_of, get_club_for_secretary, roles_in
from clubs.frame import frame
from clubs.membership.onboarding.opening import is_empty
from clubs.models import Club, Role
from clubs.requests import OfficerRequest, WebRequest
from pairing.pages.home.event_front import event_front
from pairing.pages.home.glance import glance_at
from tournaments.access import events_seen_in, get_tournament_for_reader
from tournaments.events.again import latest_to_repeat, next_day
from tournaments.events.fide_rated import warning_of
from tournaments.events.progress import latest_public_round, listed, next_step, running
from tournaments.live_updates.freshness import list_sent_once, sent_once
from tournaments.models import Round, Tournament

EVENTS_ON_A_PAGE = 50


@login_not_required
@require_safe
@list_sent_once
def home(request: HttpRequest) -> HttpResponse:
    """One's own clubs, the events that are running, and all clubs; an empty server is set up first."""
    own = clubs_of(request.user)
    open_to_reader = Tournament.objects.filter(Q(is_public=True) | Q(club__in=own)).select_related("club")
    others = list(Club.objects.exclude(pk__in=[each.pk for each in own]))
    if not own and not others and is_empty():
        return redirect("set_up")
    context = {
        "own": [each for each in own if not each.is_demo],
        "running": running(open_to_reader.filter(club__is_demo=False)),
        "clubs": [each for each in others if not each.is_demo],
        "demo": [each for each in [*own, *others] if each.is_demo],
    }
    return render(request, "pairing/pages/home/home.html", context)


@login_not_required
@require_safe
@list_sent_once
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club: its events and, for those who work for it, its day at a glance."""
    the_club = get_object_or_404(Club, slug=club)
    roles = roles_in(request.user, the_club)
    all_events, may_run = listed(events_seen_in(roles, the_club)), bool(roles & RUNNING_ROLES)
    page = Paginator(all_events, EVENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = frame(request.user, the_club, "events") | {
        "events": page.object_list,
        "page": page,
        "may_run": may_run,
        "latest": latest_to_repeat(all_events) if may_run else None,
        "is_secretary": Role.SECRETARY in roles,
        "glance": glance_at(the_club, all_events, roles, now=timezone.now()) if roles else None,
    }
    return render(request, "pairing/pages/home/club.html", context)


@require_POST
def club_birthdays(request: OfficerRequest, club: str) -> HttpResponse:
    """Whether the club wishes birthdays to stand on its page."""
    the_club = get_club_for_secretary(request.user, club)
    the_club.shows_birthdays = request.POST.get("show") == "yes"
    the_club.save(update_fields=["shows_birthdays"])
    return redirect("club", club)


@login_not_required
@require_safe
@sent_once
def tournament(request: WebRequest, club: str, event: str) -> HttpResponse:
    """How far the event has got, what comes next, its results and the top of its table; of a finished one, who won."""
    the_event = get_tournament_for_reader(request.user, club, event)
    rounds = list(the_event.rounds.all())
    may_run = can_run(request.user, the_event.club)
    latest = latest_public_round(rounds)
    context = {
        "tournament": the_event,
        "may_run": may_run,
        "here": "overview",
        "rounds": rounds,
        "players": the_event.entries.filter(withdrawn_from_round__isnull=True).count(),
        "latest": latest,
        "to_come": next((each for each in rounds if each.state == Round.State.WAITING), None),
        "step": next_step(the_event, rounds) if may_run else None,
        "rated_warning": warning_of(the_event) if may_run else "",
        "again_on": next_day(the_event, today=timezone.localdate()) if may_run else None,
        "front": event_front(the_event, rounds, latest),
    }
    return render(request, "pairing/pages/home/event.html", context)
