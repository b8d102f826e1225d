"""Pages that start the what-if job and show its result. Nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from clubs.request_types import AuthenticatedRequest
from common.jobs.redirects import enqueue_and_redirect
from common.models import Job
from pairing.engine.snapshot import PairingCard
from pairing.page_context import event_page_context
from pairing.rounds.comparison import jobs
from pairing.rounds.comparison.what_if import WhatIfBoard, WhatIfRound, published_rounds_from
from tournaments.access import get_round_for_arbiter
from tournaments.import_export.snapshots import snapshot_before_round


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedWhatIfBoard:
    """A board of one of the two pairings, with names."""

    board: int | None
    white: PairingCard
    black: PairingCard | None
    difference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedWhatIfRound:
    """A round ready for `pairing/rounds/comparison/what_if_result.html`: as paired and as it would be now."""

    outcome: WhatIfRound
    was: tuple[NamedWhatIfBoard, ...]
    would_be: tuple[NamedWhatIfBoard, ...]


@require_http_methods(["GET", "HEAD", "POST"])
def round_what_if(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Start the job that pairs the rounds from this one on again."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    rounds = published_rounds_from(this_round.tournament, number)
    if request.method == "POST" and rounds:
        return enqueue_and_redirect(request, jobs.create_what_if_job(this_round, by=request.user))
    context = event_page_context(this_round.tournament, may_run=True, number=number)
    context |= {"round": this_round, "last": rounds[-1].number if rounds else None}
    return render(request, "pairing/rounds/comparison/what_if_form.html", context)


@require_safe
def round_what_if_result(request: AuthenticatedRequest, club: str, event: str, number: int, job: int) -> HttpResponse:
    """Show, round by round, which boards would differ now."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    done = Job.objects.filter(pk=job, task=jobs.WHAT_IF_JOB, state=Job.State.DONE).first()
    if done is None or done.arguments["round"] != this_round.pk:
        raise Http404
    told: list[WhatIfRound] = done.result["rounds"]
    cards = {card.tpn: card for card in snapshot_before_round(this_round.tournament, number).cards}
    context = event_page_context(this_round.tournament, may_run=True, number=number) | {
        "round": this_round,
        "at": done.finished_at,
        "lines": [
            NamedWhatIfRound(outcome=one, was=_lines(one["was"], cards), would_be=_lines(one["would_be"], cards))
            for one in told
        ],
    }
    return render(request, "pairing/rounds/comparison/what_if_result.html", context)


def _lines(seats: list[WhatIfBoard], cards: dict[int, PairingCard]) -> tuple[NamedWhatIfBoard, ...]:
    """Add names to the boards. Boards of players who have since left the list are dropped."""
    return tuple(
        NamedWhatIfBoard(
            board=seat["board"],
            white=cards[seat["white"]],
            black=None if seat["black"] is None else cards[seat["black"]],
            difference=seat["difference"],
        )
        for seat in seats
        if seat["white"] in cards and (seat["black"] is None or seat["black"] in cards)
    )
