"""Who is here for a round, who is not, and who has asked for a bye."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from clubs.requests import OfficerRequest
from clubs.searching import holds, words_of
from tournaments.access import get_round_for_arbiter
from tournaments.byes import Attendance, attendance, mark_absent, mark_present, request_bye
from tournaments.models import Bye, Entry, Round, Tournament
from tournaments.problems import ArbiterProblem


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Target")
def byes(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Everyone who takes part in a round; one tap says that somebody is absent, has a bye, or is here after all."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    if request.method == "POST":
        return _mark(request, the_round)
    context = _context(request, the_round)
    return render(
        request, "tournaments/byes.html#found" if request.htmx.target == "found" else "tournaments/byes.html", context
    )


def _mark(request: OfficerRequest, the_round: Round) -> HttpResponse:
    key = request.POST.get("entry", "")
    entry = get_object_or_404(Entry, tournament=the_round.tournament, pk=key if key.isdecimal() else None)
    problem = None
    try:
        _carry_out(request, entry, the_round)
    except ArbiterProblem as found:
        problem = found
    if request.htmx:
        return _row(request, the_round, entry, problem)
    if problem is not None:
        context = _context(request, the_round) | _problem(request, entry, problem)
        return render(request, "tournaments/byes.html", context, status=422)
    page = reverse("byes", args=[the_round.tournament.club.slug, the_round.tournament.slug, the_round.number])
    query = request.POST.get("q", "")
    return redirect(f"{page}{'?' + urlencode({'q': query}) if query else ''}#player-{entry.pk}")


def _carry_out(request: OfficerRequest, entry: Entry, the_round: Round) -> None:
    mark = request.POST.get("mark")
    if mark == "here":
        mark_present(entry, the_round, by=request.user)
    elif mark == "absent":
        # His requested bye would stand otherwise; whoever taps "absent" has seen it and means it.
        mark_present(entry, the_round, by=request.user)
        mark_absent(entry, the_round, by=request.user)
    elif mark in ("bye", "bye-all-the-same"):
        kind = granted_kind(the_round.tournament)
        request_bye(entry, the_round, kind, by=request.user, beyond_quota=mark == "bye-all-the-same")


def _problem(request: OfficerRequest, entry: Entry, problem: ArbiterProblem | None) -> dict[str, object]:
    """What was refused, in whose row; a bye beyond the rules can be granted all the same."""
    return {"problem": problem, "problem_entry": entry.pk, "may_insist": request.POST.get("mark") == "bye"}


def granted_kind(tournament: Tournament) -> Bye.Kind:
    """The kind of bye that the event grants on request."""
    return Bye.Kind(tournament.requested_bye_worth)


def _row(request: OfficerRequest, the_round: Round, entry: Entry, problem: ArbiterProblem | None) -> HttpResponse:
    """The player's row anew, and the count above the list."""
    context = _context(request, the_round)
    bye = the_round.byes.filter(entry=entry).first()
    context |= {"each": Attendance(entry=entry, bye=bye)} | _problem(request, entry, problem)
    return render(request, "tournaments/byes.html#answer", context)


def _context(request: OfficerRequest, the_round: Round) -> dict[str, object]:
    tournament = the_round.tournament
    everyone = attendance(the_round)
    query = (request.GET.get("q") or request.POST.get("q") or "").strip()
    words = words_of(query)
    return {
        "tournament": tournament,
        "may_run": True,
        "here": "players",
        "rounds": tournament.rounds.all(),
        "number": the_round.number,
        "round": the_round,
        "is_open": the_round.state == Round.State.WAITING,
        "attendances": [each for each in everyone if holds(each.entry.name, words)],
        "total": len(everyone),
        "to_be_paired": sum(1 for each in everyone if each.is_to_be_paired),
        "granted": granted_kind(tournament),
        "query": query,
    }
