"""A search for members, players on rating lists and walk-ins, who are entered with one click."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from clubs.request_types import AuthenticatedRequest
from tournaments.access import get_tournament_for_arbiter
from tournaments.entries.enrolment import first_open_round
from tournaments.entries.forms import FromRoundForm, WalkInForm
from tournaments.entries.player_search import enter_candidate, enter_walk_in, find_player_candidates
from tournaments.entries.views.entries import next_round, unpublished_rounds
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

TEMPLATE = "tournaments/entries/entries_add.html"
MAX_LATEST_SHOWN = 5


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Target")
def entries_add(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Find a player by name or ID and enter them, or enter a walk-in by their own details."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    rounds = unpublished_rounds(the_event)
    initial = {"from_round": first_open_round(the_event)}
    if request.method == "POST":
        return _add(request, the_event, WalkInForm(request.POST, rounds=rounds, initial=initial))
    sent = {"from_round": request.GET["from_round"]} if request.GET.get("from_round") else None
    chosen = FromRoundForm(sent, rounds=rounds, initial=initial)
    context = _context(the_event, request.GET.get("q", "")) | {"from_round_form": chosen}
    part = f"{TEMPLATE}#found" if request.htmx.target == "found" else TEMPLATE
    return render(request, part, context)


def _add(request: AuthenticatedRequest, the_event: Tournament, form: WalkInForm) -> HttpResponse:
    """Enter the chosen player or the walk-in. A refusal is shown above the form."""
    key = request.POST.get("add", "")
    problem, entered = None, None
    try:
        # A chosen player needs no name: only the round of the form counts.
        valid = form.is_valid()
        from_round = form.cleaned_data.get("from_round")
        if from_round is None:
            problem = ArbiterProblem(str(form.errors["from_round"][0]))
        elif key != "walk-in":
            entered = enter_candidate(the_event, key, by=request.user, from_round=from_round)
        elif valid:
            entered = enter_walk_in(the_event, form.player_row, by=request.user, from_round=from_round)
    except ArbiterProblem as refused:
        problem = refused
    if entered is not None and not request.htmx:
        messages.success(request, _("%(name)s has been entered.") % {"name": entered.name})
        return redirect("entries_add", the_event.club.slug, the_event.slug)
    query = "" if entered else request.POST.get("q", "")
    context = _context(the_event, query) | {"from_round_form": form, "problem": problem, "entered": entered}
    if entered is None and key == "walk-in":
        context["walk_in_form"] = form
    template = f"{TEMPLATE}#adding" if request.htmx else TEMPLATE
    return render(request, template, context, status=200 if entered else 422)


def _context(the_event: Tournament, query: str) -> dict[str, object]:
    players = the_event.entries.filter(withdrawn_from_round=None).count()
    latest = list(the_event.entries.order_by("-pk")[:MAX_LATEST_SHOWN])
    return {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "found": find_player_candidates(the_event, query),
        "latest": latest,
        "players": players,
        "next_round": next_round(the_event, players),
    }
