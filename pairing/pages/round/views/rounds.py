"""The page of a round, and the arbiter's controls on it: pair, publish, discard, unpublish, finish."""

from __future__ import annotations

from collections.abc import Callable

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.requests import OfficerRequest, WebRequest
from common.jobs.waiting import soon
from common.models import Job
from pairing.access import get_round_for_visitor
from pairing.frame import frame
from pairing.pages.round.round_page import round_context
from pairing.rounds.lifecycle import background
from pairing.rounds.lifecycle import pairing as rounds
from pairing.rounds.lifecycle.provisional import until_time
from pairing.rounds.lifecycle.seen_version import version_in
from pairing.rounds.proposals.background import look_after_correction
from tournaments.access import get_round_for_arbiter, get_tournament_for_reader
from tournaments.live_updates.freshness import sent_once
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import finish_round, reopen_round


@login_not_required
@require_safe
@sent_once
def round_page(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """A round: boards for everyone once published; drafts, controls and results entry for those who run the event."""
    try:
        this_round, may_run = get_round_for_visitor(request.user, club, event, number)
    except Http404:
        return _not_yet(request, club, event, number)
    context = round_context(request, this_round, may_run=may_run)
    is_search = request.htmx.target == "boards"
    return render(
        request, "pairing/pages/round/round.html#boards" if is_search else "pairing/pages/round/round.html", context
    )


@login_not_required
@require_safe
def latest_round(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Leads to the latest published round: the address for the wall and for players' phones."""
    tournament = get_tournament_for_reader(request.user, club, event)
    latest = tournament.rounds.published().order_by("number").last()
    if latest is None:
        return _not_yet(request, club, event, 1)
    query = request.GET.urlencode()
    return redirect(f"{reverse('round', args=[club, event, latest.number])}{'?' if query else ''}{query}")


@login_not_required
@require_safe
def round_code(request: WebRequest, club: str, event: str) -> HttpResponse:
    """A QR code that leads to the latest published round, as a picture."""
    tournament = get_tournament_for_reader(request.user, club, event)
    address = request.build_absolute_uri(reverse("latest_round", args=[tournament.club.slug, tournament.slug]))
    picture = segno.make(address, micro=False).svg_inline(scale=6, border=4, dark="#000", light="#fff", svgclass=None)
    return HttpResponse(
        picture.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1), content_type="image/svg+xml"
    )


@require_POST
def round_pair(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Have the round paired; show the draft if it is there soon, else how far it is. A second press joins the first."""
    this_round = get_round_for_arbiter(request.user, club, event, number)

    job = background.ask_to_pair(this_round, by=request.user)
    answer = soon(request, job)
    job.refresh_from_db()
    if job.state == Job.State.DONE and not job.result["is_new"]:
        messages.info(request, _("Round %(number)d was paired already: this is its pairing.") % {"number": number})
    return answer


@require_POST
def round_publish(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the draft to everyone, if it is still the one on the arbiter's page."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    version, until = version_in(request.POST), request.POST.get("until", "")

    def publish_draft() -> None:
        end = until_time(until, now=timezone.localtime())
        rounds.publish(this_round, by=request.user, version=version, provisional_until=end)
        look_after_correction(this_round.tournament, by=request.user)

    return settle(request, this_round, publish_draft)


@require_POST
def round_discard(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Throw the draft away."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    version = version_in(request.POST)
    return settle(request, this_round, lambda: rounds.discard_draft(this_round, by=request.user, version=version))


@require_POST
def round_unpublish(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Make a published round a draft again, for a written reason."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    reason = request.POST.get("reason", "").strip()
    if not reason:
        messages.error(request, _("Write down why the published round is taken back: the reason goes into the log."))
        return redirect(_address(this_round))
    version = version_in(request.POST)
    return settle(
        request, this_round, lambda: rounds.unpublish(this_round, by=request.user, reason=reason, version=version)
    )


@require_POST
def round_finish(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Close the round once every result is in."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return settle(request, this_round, lambda: finish_round(this_round, by=request.user))


@require_POST
def round_reopen(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Open the latest finished round again."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return settle(request, this_round, lambda: reopen_round(this_round, by=request.user))


def settle(request: WebRequest, this_round: Round, act: Callable[[], object]) -> HttpResponse:
    """Do what the arbiter asked for and show the round; what stands in the way is said on its page."""
    try:
        act()
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    return redirect(_address(this_round))


def _not_yet(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """A round that is announced, but not published: said in words, with the way to what there is."""
    tournament = get_tournament_for_reader(request.user, club, event)
    get_object_or_404(tournament.rounds, number=number)
    latest = tournament.rounds.published().order_by("number").last()
    context = frame(tournament, may_run=False, number=number) | {"latest": latest}
    return render(request, "pairing/pages/round/round_not_yet.html", context, status=404)


def _address(this_round: Round) -> str:
    tournament: Tournament = this_round.tournament
    return reverse("round", args=[tournament.club.slug, tournament.slug, this_round.number])
