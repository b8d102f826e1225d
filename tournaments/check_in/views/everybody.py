"""Marking a whole door by one press."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubs.requests import OfficerRequest, key_of
from tournaments.access import get_round_for_arbiter
from tournaments.check_in.everybody import mark_everybody, shown_then, take_back
from tournaments.problems import ArbiterProblem


@require_POST
def check_in_everybody(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Everybody shown is here, or all but those ticked."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    newest, since = (key_of(request.POST.get(name, "")) for name in ("newest", "since"))
    shown = shown_then(the_round, newest=newest, since=since)
    absent = {key_of(key) for key in request.POST.getlist("absent")} if request.POST.get("who") == "others" else set()
    try:
        marked = mark_everybody(the_round, shown=shown, absent=absent, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        said = ngettext("%(n)d player is here.", "%(n)d players are here.", marked.here) % {"n": marked.here}
        if marked.absent:
            away = ngettext("%(n)d player is absent.", "%(n)d players are absent.", marked.absent)
            said += " " + away % {"n": marked.absent}
        messages.success(request, said)
    return redirect("check_in", club, event, number)


@require_POST
def check_in_take_back(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """That press was a mistake."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    try:
        take_back(the_round, key_of(request.POST.get("line", "")), by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Taken back."))
    return redirect("check_in", club, event, number)
