"""The arbiter's reminder to the players who haven't said whether they are coming."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubs.request_types import AuthenticatedRequest
from common.jobs.queue import enqueue_job
from tournaments.access import get_round_for_arbiter
from tournaments.notifications.silent_players import remind_silent_players


@require_POST
def silent_players_remind(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Remind the players without an answer, at most once a day, and list those who get no reminders."""
    sent = remind_silent_players(get_round_for_arbiter(request.user, club, event, number), by=request.user)
    if sent.job is not None:
        enqueue_job(sent.job)
    said = ngettext("%(n)d player gets a reminder today.", "%(n)d players get a reminder today.", sent.reminded)
    messages.success(request, said % {"n": sent.reminded})
    if sent.unreachable:
        said = ngettext(
            "%(n)d player gets no reminders from us, so ask them yourself: %(names)s",
            "%(n)d players get no reminders from us, so ask them yourself: %(names)s",
            len(sent.unreachable),
        )
        messages.warning(request, said % {"n": len(sent.unreachable), "names": "; ".join(sent.unreachable)})
    return redirect("round_check_in", club, event, number)
