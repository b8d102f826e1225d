"""Deleting, restoring and repeating events."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_arbiter
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest
from tournaments.access import get_tournament_for_arbiter
from tournaments.events.event_deletion import (
    RESTORE_PERIOD,
    delete_event,
    deleted_events,
    erasure_date,
    event_state_token,
    is_empty_event,
    restore_event,
)
from tournaments.events.event_repetition import repeat_event
from tournaments.models import Round
from tournaments.problems import ArbiterProblem, EventDeleted


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_delete(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Delete an event. Unless it is empty, the user must type its name."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    problem = ""
    if request.method == "POST":
        typed, seen = request.POST.get("name", ""), request.POST.get("seen", "")
        try:
            is_kept = delete_event(the_event, by=request.user, typed=typed, seen=seen)
        except EventDeleted as deleted:
            messages.info(request, deleted.message)
            return redirect("club", club)
        except ArbiterProblem as found:
            problem = found.message
        else:
            said = (
                _("“%(name)s” deleted. You can restore it for %(days)s days.") if is_kept else _("“%(name)s” deleted.")
            )
            messages.success(request, said % {"name": the_event.name, "days": RESTORE_PERIOD.days})
            return redirect("deleted_event_list" if is_kept else "club", club)
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "overview",
        "is_empty": is_empty_event(the_event),
        "players": the_event.entries.count(),
        "played": the_event.rounds.exclude(state=Round.State.WAITING).count(),
        "days": RESTORE_PERIOD.days,
        "seen": event_state_token(the_event),
        "problem": problem,
    }
    return render(request, "tournaments/events/tournament_delete.html", context, status=422 if problem else 200)


@require_safe
def deleted_event_list(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show a club's deleted events to people who run its events."""
    the_club = get_club_for_arbiter(request.user, club)
    events = [(event, erasure_date(event)) for event in deleted_events(the_club)]
    context = club_page_context(request.user, the_club, "events") | {"events": events, "days": RESTORE_PERIOD.days}
    return render(request, "tournaments/events/deleted_event_list.html", context)


@require_POST
def deleted_event_restore(request: AuthenticatedRequest, club: str, deleted: int) -> HttpResponse:
    """Restore a deleted event."""
    the_club = get_club_for_arbiter(request.user, club)
    try:
        restored = restore_event(the_club, deleted, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("deleted_event_list", club)
    messages.success(request, _("“%(name)s” restored.") % {"name": restored.name})
    return redirect("tournament", club, restored.slug)


@require_POST
def tournament_repeat(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Repeat an event some weeks later, with the same players if requested."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    with_players = "players" in request.POST
    try:
        made, is_new = repeat_event(
            the_event,
            by=request.user,
            with_players=with_players,
            with_entry_form="entry_form" in request.POST,
            today=timezone.localdate(),
        )
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("tournament", club, event)
    said = (
        _("“%(name)s” created. Check its date and name, then continue.")
        if is_new
        else _("“%(name)s” was already created. Here it is.")
    )
    messages.success(request, said % {"name": made.name})
    return redirect("tournament" if with_players else "entries", club, made.slug)
