"""The round page and the arbiter's controls: pair, publish, discard, unpublish, finish."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.request_types import AuthenticatedRequest, WebRequest
from clubs.roles import can_run_events
from common.jobs.redirects import enqueue_and_redirect
from common.models import Job
from common.text.qr_codes import qr_code_response
from pairing.access import get_round_for_visitor
from pairing.page_context import event_page_context
from pairing.pages.round.round_page import round_page_context
from pairing.pages.round.views.check_in import waiting_round_page
from pairing.rounds.lifecycle import jobs
from pairing.rounds.lifecycle import transitions as rounds
from pairing.rounds.lifecycle.draft_checks import parse_seen_version
from pairing.rounds.lifecycle.provisional_pairings import declare_pairing_final, parse_provisional_until
from pairing.rounds.proposals.jobs import create_proposals_after_corrections
from pairing.view_models.diagrams.score_group_map import score_group_map
from pairing.view_models.sheets.round_pairings import pairing_sheet
from tournaments.access import get_round_for_arbiter, get_tournament_for_reader
from tournaments.live_updates.page_decorators import cache_event_page
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import finish_round, reopen_round


@login_not_required
@require_safe
@cache_event_page
def round_page(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show a round: published boards to everyone, drafts, controls and results entry to arbiters."""
    try:
        this_round, may_run = get_round_for_visitor(request.user, club, event, number)
    except Http404:
        return _not_yet(request, club, event, number)
    if may_run and this_round.state == Round.State.WAITING:
        return waiting_round_page(cast("AuthenticatedRequest", request), this_round)
    context = round_page_context(request, this_round, may_run=may_run)
    is_search = request.htmx.target == "boards"
    return render(
        request, "pairing/pages/round/round.html#boards" if is_search else "pairing/pages/round/round.html", context
    )


@login_not_required
@require_safe
def latest_round(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Redirect to the latest published round, officers to the round that is next to do. Posters have this URL."""
    tournament = get_tournament_for_reader(request.user, club, event)
    rounds_in_order = tournament.rounds.order_by("number")
    latest = rounds_in_order.only_published().last()
    if can_run_events(request.user, tournament.club):
        latest = rounds_in_order.exclude(state=Round.State.FINISHED).first() or latest
    if latest is None:
        return _not_yet(request, club, event, 1)
    query = request.GET.urlencode()
    return redirect(f"{reverse('round', args=[club, event, latest.number])}{'?' if query else ''}{query}")


@login_not_required
@require_safe
def round_qr_code(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Return an SVG QR code that links to the latest published round."""
    tournament = get_tournament_for_reader(request.user, club, event)
    address = request.build_absolute_uri(reverse("latest_round", args=[tournament.club.slug, tournament.slug]))
    return qr_code_response(address, is_private=False)


@require_POST
def round_pair(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Pair the round, then show the draft or the progress. A second click joins the first job."""
    this_round = get_round_for_arbiter(request.user, club, event, number)

    job = jobs.create_pairing_job(this_round, by=request.user)
    answer = enqueue_and_redirect(request, job)
    job.refresh_from_db()
    if job.state == Job.State.DONE and not job.result["is_new"]:
        messages.info(request, _("Round %(number)d was already paired. Here are its pairings.") % {"number": number})
    return answer


@require_POST
def round_publish(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Publish the draft, if it is still the one on the arbiter's page."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    version, until = parse_seen_version(request.POST), request.POST.get("until", "")

    def publish_draft() -> None:
        end = parse_provisional_until(until, now=timezone.localtime())
        rounds.publish_round(this_round, by=request.user, version=version, provisional_until=end)
        create_proposals_after_corrections(this_round.tournament, by=request.user)

    return run_round_action(request, this_round, publish_draft)


@require_POST
def round_discard(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Discard the draft."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    version = parse_seen_version(request.POST)
    return run_round_action(
        request, this_round, lambda: rounds.discard_draft(this_round, by=request.user, version=version)
    )


@require_POST
def round_unpublish(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Make a published round a draft again, with a written reason."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    reason = request.POST.get("reason", "").strip()
    if not reason:
        messages.error(request, _("Enter a reason for unpublishing this round. We'll add it to the log."))
        return redirect(_address(this_round))
    version = parse_seen_version(request.POST)
    return run_round_action(
        request, this_round, lambda: rounds.unpublish_round(this_round, by=request.user, reason=reason, version=version)
    )


@require_POST
def round_finish(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Close the round once every result is entered."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return run_round_action(request, this_round, lambda: finish_round(this_round, by=request.user))


@require_POST
def round_reopen(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Reopen the latest finished round."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return run_round_action(request, this_round, lambda: reopen_round(this_round, by=request.user))


def run_round_action(request: WebRequest, this_round: Round, act: Callable[[], object]) -> HttpResponse:
    """Run the arbiter's action and show the round. Errors are shown on its page."""
    try:
        act()
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    return redirect(_address(this_round))


def _not_yet(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show that a round is not published yet, with a link to the latest one."""
    tournament = get_tournament_for_reader(request.user, club, event)
    get_object_or_404(tournament.rounds, number=number)
    latest = tournament.rounds.only_published().order_by("number").last()
    context = event_page_context(tournament, may_run=False, number=number) | {"latest": latest}
    return render(request, "pairing/pages/round/round_unpublished.html", context, status=404)


def _address(this_round: Round) -> str:
    tournament: Tournament = this_round.tournament
    return reverse("round", args=[tournament.club.slug, tournament.slug, this_round.number])


@login_not_required
@require_safe
@cache_event_page
def pairing_version_status(request: WebRequest, club: str, event: str, number: int, version: int) -> HttpResponse:
    """Show whether this version of a printed pairing list is current. The QR code on the list links here."""
    tournament = get_tournament_for_reader(request.user, club, event)
    this_round = get_object_or_404(tournament.rounds, number=number)
    this_round.tournament = tournament
    context = event_page_context(tournament, may_run=can_run_events(request.user, tournament.club), number=number) | {
        "round": this_round,
        "version": version,
        "is_current": this_round.is_public and this_round.publications == version,
    }
    return render(request, "pairing/pages/round/pairing_version_status.html", context)


@require_POST
def round_declare_final(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Declare the provisional pairing final."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return run_round_action(request, this_round, lambda: declare_pairing_final(this_round, by=request.user))


@login_not_required
@require_safe
@cache_event_page
def round_map_page(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the score groups and floats of a round, as a diagram and as a table."""
    this_round, may_run = get_round_for_visitor(request.user, club, event, number)
    context = event_page_context(this_round.tournament, may_run=may_run, number=number) | {
        "round": this_round,
        "map": score_group_map(pairing_sheet(this_round)),
    }
    return render(request, "pairing/pages/round/round_map.html", context)
