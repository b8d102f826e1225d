"""Views of an event's log."""

from __future__ import annotations

from itertools import groupby

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.request_types import AuthenticatedRequest
from tournaments.access import get_tournament_for_arbiter
from tournaments.audit_log.log_file import render_log_file
from tournaments.audit_log.sentences import log_heading, log_line_sentence
from tournaments.models import LogEntry

LINES_PER_PAGE = 100


@require_safe
def tournament_log(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show the log, latest lines first."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    page = Paginator(the_event.log.select_related("actor", "round"), LINES_PER_PAGE).get_page(request.GET.get("page"))
    together = [list(lines) for _occasion, lines in groupby(page, _occasion)]
    entries = [(lines[0], log_heading(lines), _sentences(lines)) for lines in together]
    of_days = [(day, list(found)) for day, found in groupby(entries, lambda entry: timezone.localdate(entry[0].at))]
    context = {"tournament": the_event, "may_run": True, "here": "log", "page": page, "of_days": of_days}
    return render(request, "tournaments/audit_log/tournament_log.html", context)


def _occasion(line: LogEntry) -> tuple[object, ...]:
    """Return what lines shown together have in common, such as the results that one person entered in one minute."""
    minute = timezone.localtime(line.at).replace(second=0, microsecond=0)
    author = line.actor_id or line.details.get("by_program") or line.details.get("by_name")
    return minute, author, line.round_id, line.action


def _sentences(lines: list[LogEntry]) -> list[str]:
    """Return the sentences of lines shown together, those about boards in the order of the boards."""
    if all(isinstance(line.details.get("board"), int) for line in lines):
        lines = sorted(lines, key=lambda line: (line.details["board"], line.pk))
    return [log_line_sentence(line) for line in lines]


@require_safe
def tournament_log_file(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Return the whole log with its seals, one JSON object per line, for later comparison."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    response = HttpResponse(render_log_file(the_event), content_type="application/jsonl; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{the_event.slug}-log.jsonl"'
    return response
