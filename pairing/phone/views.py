"""A player's own page, opened by his personal link: no sign-in, for the phone."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from clubs.requests import WebRequest
from pairing.phone.personal_sheet import personal_sheet
from pairing.reasons.with_names import explained, names_of
from pairing.sheets.due_colours import due_colour
from tournaments.door.access import get_entry_for_holder
from tournaments.door.byes import ask_for_bye, take_bye_back
from tournaments.door.check_in import check_in_by_player, undo_by_player
from tournaments.door.personal_links import personal_address, personal_token
from tournaments.door.private_pages import kept_private
from tournaments.live.topics import versions_of
from tournaments.models import Entry, Game, Round
from tournaments.problems import ArbiterProblem
from tournaments.results.reporting import REPORTABLE, report_result


@require_safe
@kept_private
def personal_page(request: WebRequest, token: str) -> HttpResponse:
    """The player's board, place, colours, and what he can do himself."""
    entry = get_entry_for_holder(token)
    return _page(request, entry)


@require_POST
@kept_private
def personal_check_in(request: WebRequest, token: str) -> HttpResponse:
    """He is here, on the way, or it was a slip of the finger."""
    entry = get_entry_for_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    tap = request.POST.get("tap")
    if tap == "undo":
        return _settle(request, entry, lambda: undo_by_player(entry, the_round))
    return _settle(request, entry, lambda: check_in_by_player(entry, the_round, late=tap == "late"))


@require_POST
@kept_private
def personal_bye(request: WebRequest, token: str) -> HttpResponse:
    """He asks for a bye of a round to come, or takes it back."""
    entry = get_entry_for_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    act = take_bye_back if request.POST.get("take") == "back" else ask_for_bye
    return _settle(request, entry, lambda: act(entry, the_round))


@require_POST
@kept_private
def personal_result(request: WebRequest, token: str) -> HttpResponse:
    """He reports how his game ended."""
    entry = get_entry_for_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    result = request.POST.get("result")
    game = Game.objects.filter(round=the_round, board=_number(request.POST.get("board"))).first()
    if game is None or result not in REPORTABLE:
        raise Http404
    return _settle(request, entry, lambda: report_result(entry, game, result))


def _settle(request: WebRequest, entry: Entry, act: Callable[[], object]) -> HttpResponse:
    """Do what he asked for and show his page; what stands in the way is said on it."""
    try:
        act()
    except ArbiterProblem as problem:
        return _page(request, entry, problem=problem)
    return redirect(personal_address(entry))


def _page(request: WebRequest, entry: Entry, *, problem: ArbiterProblem | None = None) -> HttpResponse:
    tournament = entry.tournament
    request.versions = versions_of([tournament.pk])[tournament.pk]
    if request.htmx.target == "live":
        request.layout = "part.html"
    sheet = personal_sheet(entry, version=request.versions.officers)
    context = {
        "entry": entry,
        "tournament": tournament,
        "token": personal_token(entry),
        "sheet": sheet,
        "why": explained(sheet.latest.reasons, names_of(tournament)) if sheet.latest else (),
        "due": due_colour(sheet.card, tournament),
        "problem": problem,
    }
    return render(request, "pairing/phone/personal.html", context, status=422 if problem else 200)


def _round(entry: Entry, number: str | None) -> Round:
    found = entry.tournament.rounds.filter(number=_number(number)).first()
    if found is None:
        raise Http404
    found.tournament = entry.tournament
    return found


def _number(text: str | None) -> int:
    """A small number from a form; 0, which nothing has, for anything else."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else 0
