"""An event: making it, its overview, changing it, its log and its report file."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import can_run, get_club_for_arbiter
from clubs.requests import OfficerRequest, WebRequest
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.evening import latest_public_round, next_step
from tournaments.exporting import export_trf
from tournaments.forms.events import TournamentForm
from tournaments.log_sentences import sentence
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.setting_up import change_tournament, create_tournament

LINES_A_PAGE = 100


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
    return render(request, "tournaments/tournament.html", context)


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
    return render(request, "tournaments/tournament_new.html", context, status=422 if form.errors else 200)


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
    return render(request, "tournaments/tournament_edit.html", context, status=422 if form.errors else 200)


@require_safe
def tournament_log(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Who did what, the latest first."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    page = Paginator(the_event.log.select_related("actor", "round"), LINES_A_PAGE).get_page(request.GET.get("page"))
    lines = [(entry, sentence(entry)) for entry in page]
    context = {"tournament": the_event, "may_run": True, "here": "log", "page": page, "lines": lines}
    return render(request, "tournaments/log.html", context)


@require_safe
def trf_export(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """The event as a report file."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    try:
        report = export_trf(the_event)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("tournament", club, event)
    return _download(report, the_event)


def _download(report: bytes, event: Tournament) -> HttpResponse:
    response = HttpResponse(report, content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{event.slug}.trf"'
    return response
