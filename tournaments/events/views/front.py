"""The front page and a club's page: where everyone comes in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from clubs.access import RUNNING_ROLES, clubs_of, roles_in
from clubs.frame import frame
from clubs.models import Club
from clubs.moving_in.opening import is_empty
from tournaments.events.progress import listed, running
from tournaments.models import Tournament


@login_not_required
@require_safe
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
    return render(request, "tournaments/events/home.html", context)


@login_not_required
@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club: its events and, for those who work for it, what they can do."""
    the_club = get_object_or_404(Club, slug=club)
    roles = roles_in(request.user, the_club)
    events = the_club.tournaments.all() if roles else the_club.tournaments.filter(is_public=True)
    context = frame(request.user, the_club, "events") | {
        "events": listed(events),
        "may_run": bool(roles & RUNNING_ROLES),
    }
    return render(request, "tournaments/events/club.html", context)
