"""The front page and a club's page: where everyone comes in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.access import AUDITORS, OFFICERS, can_run, clubs_of, own_member, roles_in
from clubs.models import Club
from tournaments.events.progress import listed, running
from tournaments.models import Tournament


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """One's own clubs, the events that are running, and all clubs."""
    own = clubs_of(request.user)
    open_to_reader = Tournament.objects.filter(Q(is_public=True) | Q(club__in=own)).select_related("club")
    others = Club.objects.exclude(pk__in=[each.pk for each in own])
    context = {"own": own, "running": running(open_to_reader), "clubs": others}
    return render(request, "tournaments/events/home.html", context)


@login_not_required
@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club: its events and, for those who work for it, what they can do."""
    the_club = get_object_or_404(Club, slug=club)
    roles = roles_in(request.user, the_club)
    events = the_club.tournaments.all() if roles else the_club.tournaments.filter(is_public=True)
    context = {
        "club": the_club,
        "events": listed(events),
        "may_run": can_run(request.user, the_club),
        "belongs": bool(roles),
        "reads_members": bool(roles & OFFICERS),
        "reads_money": bool(roles & AUDITORS),
        "own": own_member(request.user, the_club),
    }
    return render(request, "tournaments/events/club.html", context)
