"""Views of the pages that list files, and of an event's exports."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubs.access import get_club_for_arbiter
from clubs.models import Role
from clubs.request_types import AuthenticatedRequest
from clubs.roles import roles_in_club
from common.tabular.file_responses import TABLE_FORMATS, file_response, table_response
from pairing.page_context import event_page_context
from pairing.public.exports.event_tables import EXPORT_TABLES, pairings_table
from pairing.public.exports.pgn_and_text import pgn_headers, round_as_text
from pairing.public.exports.static_site import build_static_site
from tournaments.access import get_round_for_reader, get_tournament_for_arbiter
from tournaments.problems import ArbiterProblem


@require_safe
def event_files(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show the page for importing players and exporting an event."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    rounds = [each for each in tournament.rounds.order_by("number") if each.is_public]
    for each in rounds:
        each.tournament = tournament
    context = event_page_context(tournament, may_run=True, here="overview") | {
        "club": tournament.club,
        "tables": EXPORT_TABLES.items(),
        "kinds": TABLE_FORMATS,
        "published": rounds,
        "latest_text": round_as_text(rounds[-1]) if rounds else "",
    }
    return render(request, "pairing/public/exports/event_files.html", context)


@require_safe
def club_files(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the files of a club: its events, members, rating lists and reports to FIDE."""
    the_club = get_club_for_arbiter(request.user, club)
    events = the_club.tournaments.order_by("-starts_on", "-pk")[:20]
    is_secretary = Role.SECRETARY in roles_in_club(request.user, the_club)
    context = {"club": the_club, "events": events, "is_secretary": is_secretary}
    return render(request, "pairing/public/exports/club_files.html", context)


@require_safe
def event_table_export(request: AuthenticatedRequest, club: str, event: str, table: str, kind: str) -> HttpResponse:
    """Return a table of the event as a file."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    if table not in EXPORT_TABLES or kind not in TABLE_FORMATS:
        raise Http404
    try:
        made = EXPORT_TABLES[table].make(tournament)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("event_files", club, event)
    return table_response(made.headings, made.rows, f"{tournament.slug}-{table}", kind, title=made.title)


@require_safe
def event_static_site(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Return the static website of the event."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    try:
        folder = build_static_site(tournament)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("event_files", club, event)
    return file_response(folder, tournament.slug, "zip")


@require_safe
def round_export(request: AuthenticatedRequest, club: str, event: str, number: int, kind: str) -> HttpResponse:
    """Return a published round as a table, as PGN headers or as text."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    this_round = get_round_for_reader(request.user, club, event, number)
    name = f"{tournament.slug}-{number}"
    if kind == "pgn":
        return file_response(pgn_headers(this_round.tournament, [this_round]), name, kind)
    if kind == "txt":
        return file_response(round_as_text(this_round).encode(), name, kind)
    if kind not in TABLE_FORMATS:
        raise Http404
    made = pairings_table(this_round)
    return table_response(made.headings, made.rows, name, kind, title=made.title)
