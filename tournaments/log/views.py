"""The page of an event's log."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.requests import OfficerRequest
from tournaments.access import get_tournament_for_arbiter
from tournaments.log.sentences import sentence

LINES_A_PAGE = 100


@require_safe
def tournament_log(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Who did what, the latest first."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    page = Paginator(the_event.log.select_related("actor", "round"), LINES_A_PAGE).get_page(request.GET.get("page"))
    lines = [(entry, sentence(entry)) for entry in page]
    context = {"tournament": the_event, "may_run": True, "here": "log", "page": page, "lines": lines}
    return render(request, "tournaments/log/log.html", context)
