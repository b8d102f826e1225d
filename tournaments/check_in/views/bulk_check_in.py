"""Views for checking in all players in one step."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubs.request_types import AuthenticatedRequest, parse_key
from tournaments.access import get_round_for_arbiter
from tournaments.check_in.bulk_check_in import check_in_all_players, entries_shown_on_page, undo_bulk_check_in
from tournaments.problems import ArbiterProblem


@require_POST
def check_in_everybody(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Mark everyone on the page as here. With "everyone except", mark the ticked players as absent."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    newest, since = (parse_key(request.POST.get(name, "")) for name in ("newest", "since"))
    shown = entries_shown_on_page(the_round, newest=newest, since=since)
    absent = (
        {parse_key(key) for key in request.POST.getlist("absent")} if request.POST.get("who") == "others" else set()
    )
    try:
        marked = check_in_all_players(the_round, shown=shown, absent=absent, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        said = ngettext("%(n)d player is here.", "%(n)d players are here.", marked.here) % {"n": marked.here}
        if marked.absent:
            away = ngettext("%(n)d player is absent.", "%(n)d players are absent.", marked.absent)
            said += " " + away % {"n": marked.absent}
        messages.success(request, said)
    return redirect("round_check_in", club, event, number)


@require_POST
def check_in_everybody_undo(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Undo a bulk check-in."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    try:
        undo_bulk_check_in(the_round, parse_key(request.POST.get("line", "")), by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Undone."))
    return redirect("round_check_in", club, event, number)
