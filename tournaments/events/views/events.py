"""An event: making it, its overview, changing it, its log and its report file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import can_run, get_club_for_arbiter
from clubs.requests import OfficerRequest, WebRequest
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.events.forms import TournamentForm
from tournaments.events.progress import latest_public_round, next_step
from tournaments.events.setting_up import change_tournament, create_tournament
from tournaments.models import Round
from tournaments.problems import ArbiterProblem


@require_safe
def tournament(request: WebRequest, club: str, event: str) -> HttpResponse:
    """How far the event has got, and what comes next."""
    the_event = get_tournament_for_reader(request.user, club, event)
    rounds = list(the_event.rounds.all())
    may_run = can_run(request.user, the_event.club)
    context = {
        "tournament": the_event,
        "may_run": may_run,
        "here": "overview",
        "rounds": rounds,
        "players": the_event.entries.filter(withdrawn_from_round__isnull=True).count(),
        "latest": latest_public_round(rounds),
        "to_come": next((each for each in rounds if each.state == Round.State.WAITING), None),
        "step": next_step(the_event, rounds) if may_run else None,
    }
    return render(request, "tournaments/events/tournament.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Make an event."""
    the_club = get_club_for_arbiter(request.user, club)
    form = TournamentForm(request.POST or None, initial={"city": the_club.city})
    if request.method == "POST" and form.is_valid():
        try:
            made = create_tournament(the_club, by=request.user, **form.cleaned_data)
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("“%(name)s” is made. Now enter the players.") % {"name": made.name})
            return redirect("entries", the_club.slug, made.slug)
    context = {"club": the_club, "form": form}
    return render(request, "tournaments/events/tournament_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_edit(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Change what was announced of an event."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    is_paired = the_event.rounds.exclude(state=Round.State.WAITING).exists()
    form = TournamentForm(request.POST or None, instance=the_event, is_paired=is_paired)
    if request.method == "POST" and form.is_valid():
        try:
            changed = change_tournament(the_event, by=request.user, **form.changes)
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("The event is changed."))
            return redirect("tournament", club, changed.slug)
    context = {"tournament": the_event, "may_run": True, "here": "overview", "form": form}
    return render(request, "tournaments/events/tournament_edit.html", context, status=422 if form.errors else 200)
