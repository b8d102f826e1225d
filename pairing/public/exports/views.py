"""The pages of all files of an event and of a club, and the files of an event."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubs.access import get_club_for_arbiter, roles_in
from clubs.models import Role
from clubs.requests import OfficerRequest
from common.tabular.answers import TABLE_KINDS, file_answer, table_answer
from pairing.frame import frame
from pairing.public.exports.folder import folder_of
from pairing.public.exports.games import pgn_headers, round_as_text
from pairing.public.exports.tables import TABLES, pairings_table
from tournaments.access import get_round_for_reader, get_tournament_for_arbiter
from tournaments.problems import ArbiterProblem


@require_safe
def event_files(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """All that goes into an event as a file, and all that comes out of it."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    rounds = [each for each in tournament.rounds.order_by("number") if each.is_public]
    for each in rounds:
        each.tournament = tournament
    context = frame(tournament, may_run=True, here="overview") | {
        "club": tournament.club,
        "tables": TABLES.items(),
        "kinds": TABLE_KINDS,
        "published": rounds,
        "latest_text": round_as_text(rounds[-1]) if rounds else "",
    }
    return render(request, "pairing/public/exports/event_files.html", context)


@require_safe
def club_files(request: OfficerRequest, club: str) -> HttpResponse:
    """The files of a club: events from files, its book, its rating lists."""
    the_club = get_club_for_arbiter(request.user, club)
    events = the_club.tournaments.order_by("-starts_on", "-pk")[:20]
    is_secretary = Role.SECRETARY in roles_in(request.user, the_club)
    context = {"club": the_club, "events": events, "is_secretary": is_secretary}
    return render(request, "pairing/public/exports/club_files.html", context)


@require_safe
def event_table(request: OfficerRequest, club: str, event: str, table: str, kind: str) -> HttpResponse:
    """A table of the event."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    if table not in TABLES or kind not in TABLE_KINDS:
        raise Http404
    try:
        made = TABLES[table].make(tournament)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("event_files", club, event)
    return table_answer(made.headings, made.rows, f"{tournament.slug}-{table}", kind, title=made.title)


@require_safe
def event_folder(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """The event as a folder of pages for any web site."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    try:
        folder = folder_of(tournament)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("event_files", club, event)
    return file_answer(folder, tournament.slug, "zip")


@require_safe
def round_file(request: OfficerRequest, club: str, event: str, number: int, kind: str) -> HttpResponse:
    """A published round as a table, as PGN headers or as a text."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    this_round = get_round_for_reader(request.user, club, event, number)
    name = f"{tournament.slug}-{number}"
    if kind == "pgn":
        return file_answer(pgn_headers(this_round), name, kind)
    if kind == "txt":
        return file_answer(round_as_text(this_round).encode(), name, kind)
    if kind not in TABLE_KINDS:
        raise Http404
    made = pairings_table(this_round)
    return table_answer(made.headings, made.rows, name, kind, title=made.title)
