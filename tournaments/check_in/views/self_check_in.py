"""Views behind the check-in code: players check themselves in without a sign-in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from clubs.membership.accounts.private_pages import limit_posts_per_minute, private_page
from clubs.request_types import WebRequest, parse_key
from common.text.name_search import matches_search_words, split_search_words
from tournaments.check_in.access import get_round_for_check_in_code
from tournaments.check_in.personal_links import CheckInCodeProof
from tournaments.check_in.presence import (
    CheckInRow,
    CheckInStatus,
    check_in_by_player,
    check_in_rows,
    is_check_in_open,
    undo_check_in_by_player,
)
from tournaments.models import Entry, Round
from tournaments.problems import ArbiterProblem

TAPS_PER_MINUTE = 240
"""Per code, which everyone in the hall uses."""
MAX_PLAYERS_PER_DEVICE = 4
"""The most players of a round that one phone can check in: enough for a family, too few for a prank."""


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(TAPS_PER_MINUTE)
@private_page
@vary_on_headers("HX-Target")
def self_check_in(request: WebRequest, club: str, event: str, token: str) -> HttpResponse:
    """Until check-in is closed, let players find their name, check in and see a confirmation."""
    the_round, code = get_round_for_check_in_code(club, event, token)
    if not is_check_in_open(the_round):
        return render(request, "tournaments/check_in/self_check_in_closed.html", _frame(the_round, token), status=410)
    if request.method == "POST":
        return _tap(request, the_round, token, to_be_confirmed=code is CheckInCodeProof.UNCERTAIN)
    lines = check_in_rows(the_round)
    tapped = _tapped_here(request, the_round)
    done = request.GET.get("done", "")
    if line := next((line for line in lines if str(line.entry.pk) == done and _is_done(line)), None):
        context = _frame(the_round, token) | {"line": line, "may_undo": line.entry.pk in tapped}
        return render(request, "tournaments/check_in/self_check_in_done.html", context)
    query = request.GET.get("q", "").strip()
    words = split_search_words(query)
    found = [line for line in lines if matches_search_words(line.entry.name, words)]
    context = _frame(the_round, token) | {"lines": found, "query": query, "total": len(lines)}
    part = (
        "tournaments/check_in/self_check_in.html#found"
        if request.htmx.target == "found"
        else "tournaments/check_in/self_check_in.html"
    )
    return render(request, part, context)


def _tap(request: WebRequest, the_round: Round, token: str, *, to_be_confirmed: bool) -> HttpResponse:
    key = parse_key(request.POST.get("entry", ""))
    entry = get_object_or_404(Entry, tournament=the_round.tournament, pk=key)
    tapped = _tapped_here(request, the_round)
    try:
        if request.POST.get("tap") == "undo":
            if entry.pk in tapped:
                undo_check_in_by_player(entry, the_round)
                tapped.discard(entry.pk)
        else:
            _check_limit(entry, tapped)
            is_new = not any(_is_done(line) for line in check_in_rows(the_round, only=[entry.pk]))
            check_in_by_player(entry, the_round, to_be_confirmed=to_be_confirmed)
            if is_new:
                tapped.add(entry.pk)
    except ArbiterProblem as problem:
        context = _frame(the_round, token) | {"problem": problem, "lines": [], "query": "", "total": 0}
        return render(request, "tournaments/check_in/self_check_in.html", context, status=422)
    request.session[_session_key(the_round)] = sorted(tapped)
    tournament = the_round.tournament
    # The same code as before: a page never gives out a newer one.
    address = reverse("self_check_in", args=[tournament.club.slug, tournament.slug, token])
    return redirect(f"{address}?{urlencode({'done': entry.pk})}")


def _is_done(line: CheckInRow) -> bool:
    """Return True if the player is here or the arbiter is informed. A tap on another phone cannot undo that."""
    return line.status is CheckInStatus.HERE or line.has_claimed_presence


def _check_limit(entry: Entry, tapped: set[int]) -> None:
    if entry.pk not in tapped and len(tapped) >= MAX_PLAYERS_PER_DEVICE:
        raise ArbiterProblem(
            _("This phone has already checked in %(n)d players. Ask the arbiter to check in the others.")
            % {"n": len(tapped)}
        )


def _tapped_here(request: WebRequest, the_round: Round) -> set[int]:
    """Return the players this device has checked in for this round."""
    return set(request.session.get(_session_key(the_round), []))


def _session_key(the_round: Round) -> str:
    return f"checked-in-{the_round.pk}"


def _frame(the_round: Round, token: str) -> dict[str, object]:
    return {"tournament": the_round.tournament, "round": the_round, "token": token}
