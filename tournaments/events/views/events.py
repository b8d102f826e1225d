"""Creating an event and changing its settings."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.access import get_club_for_arbiter
from clubs.request_types import AuthenticatedRequest, parse_key
from tournaments.access import get_tournament_for_arbiter
from tournaments.events.event_setup import change_tournament, create_tournament
from tournaments.events.forms import ChangeSystemForm, TournamentForm
from tournaments.events.system_change import change_pairing_system, next_round_to_pair
from tournaments.models import PairingSystem, Round
from tournaments.problems import ArbiterProblem


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Create an event."""
    the_club = get_club_for_arbiter(request.user, club)
    usual = ("requested_bye_worth", "requested_byes_allowed", "bye_in_last_round", "bye_deadline_hours")
    last = the_club.tournaments.order_by("-pk").first()
    initial = {
        "city": the_club.city,
        "starts_on": timezone.localdate(),
        "system": last.system if last else PairingSystem.DUTCH_2026,
        "procedure": last.procedure if last else "",
        **{name: getattr(the_club, name) for name in usual},
    }
    form = TournamentForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            made = create_tournament(the_club, by=request.user, **form.cleaned_data)
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("“%(name)s” created. Now enter the players.") % {"name": made.name})
            # With members, the next step is ticking them; without, searching for players.
            way = "entries_add_members" if the_club.members.exclude_former().exists() else "entries_add"
            return redirect(way, the_club.slug, made.slug)
    context = {"club": the_club, "here": "events", "form": form}
    return render(request, "tournaments/events/tournament_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_edit(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Change an event's settings."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    is_paired = the_event.rounds.exclude(state=Round.State.WAITING).exists()
    form = TournamentForm(request.POST or None, instance=the_event, is_paired=is_paired)
    if request.method == "POST" and form.is_valid():
        try:
            changed = change_tournament(the_event, by=request.user, **form.changed_values)
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Event saved."))
            return redirect("tournament", club, changed.slug)
    context = {"tournament": the_event, "may_run": True, "here": "overview", "form": form}
    context["coming"] = next_round_to_pair(the_event) if is_paired else None
    return render(request, "tournaments/events/tournament_edit.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_system_edit(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Change the pairing system from the next round onwards, with a reason."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    form = ChangeSystemForm(request.POST or None, instance=the_event)
    if request.method == "POST" and form.is_valid():
        try:
            change_pairing_system(
                the_event,
                by=request.user,
                from_round=parse_key(request.POST.get("from_round", "")),
                **form.cleaned_data,
            )
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("System changed. Earlier rounds aren't affected."))
            return redirect("tournament", club, event)
    context = {"tournament": the_event, "may_run": True, "here": "overview", "form": form}
    context["coming"] = next_round_to_pair(the_event)
    return render(request, "tournaments/events/tournament_system.html", context, status=422 if form.errors else 200)
