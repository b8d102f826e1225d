"""The page of a round, and the arbiter's controls on it: pair, publish, discard, unpublish, finish."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import segno
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import Visitor
from clubs.jobs.waiting import soon
from clubs.models import Job
from clubs.requests import OfficerRequest, WebRequest
from pairing.access import get_round_for_visitor
from pairing.by_hand.undo import history_of
from pairing.by_hand.views.editing_lines import session_context
from pairing.desk.lines import board_lines, bye_lines
from pairing.frame import frame
from pairing.reasons.with_names import names_of, with_names
from pairing.rounds import background, drafts
from pairing.rounds import pairing as rounds
from pairing.rounds.editing_sessions import session_of
from pairing.rounds.provisional import until_time
from pairing.sheets.rounds import PairingSheet, pairing_sheet
from pairing.trials.background import after_correction, look_after_correction
from pairing.trials.proposing import changed_boards, compare_proposal
from tournaments.access import get_round_for_arbiter, get_tournament_for_reader
from tournaments.door.byes import attendance
from tournaments.door.check_in import absent_without_notice, not_seen
from tournaments.live.freshness import sent_once
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.claims import BoardClaims, claims_of, disputed_boards
from tournaments.results.recording import finish_round, reopen_round

BOARDS_ON_A_PAGE = 200


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
    return render(request, "pairing/desk/round.html#boards" if is_search else "pairing/desk/round.html", context)


@require_safe
def latest_round(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Leads to the latest published round: the address for the wall and for players' phones."""
    tournament = get_tournament_for_reader(request.user, club, event)
    latest = tournament.rounds.published().order_by("number").last()
    if latest is None:
        return _not_yet(request, club, event, 1)
    query = request.GET.urlencode()
    return redirect(f"{reverse('round', args=[club, event, latest.number])}{'?' if query else ''}{query}")


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
    version, until = _version(request), request.POST.get("until", "")

    def publish() -> None:
        end = until_time(until, now=timezone.localtime())
        rounds.publish(this_round, by=request.user, version=version, provisional_until=end)
        look_after_correction(this_round.tournament, by=request.user)

    return settle(request, this_round, publish)


@require_POST
def round_discard(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Throw the draft away."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return settle(request, this_round, lambda: rounds.discard_draft(this_round, by=request.user))


@require_POST
def round_unpublish(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Make a published round a draft again, for a written reason."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    reason = request.POST.get("reason", "").strip()
    if not reason:
        messages.error(request, _("Write down why the published round is taken back: the reason goes into the log."))
        return redirect(_address(this_round))
    return settle(request, this_round, lambda: rounds.unpublish(this_round, by=request.user, reason=reason))


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


def round_context(
    request: WebRequest,
    this_round: Round,
    *,
    may_run: bool,
    refused: Mapping[int, ArbiterProblem] = MappingProxyType({}),
) -> dict[str, Any]:
    """Everything `pairing/desk/round.html` shows; `refused` says of boards why their result was not entered."""
    tournament = this_round.tournament
    name = request.GET.get("name", "").strip()
    page = _page(this_round, request.GET.get("page"))
    is_draft = this_round.state == Round.State.DRAFT
    sheet = pairing_sheet(
        this_round, first=page.start_index() or 1, last=page.end_index() or None, name=name, with_reasons=is_draft
    )
    names = names_of(tournament) if is_draft else {}
    context = frame(tournament, may_run=may_run, number=this_round.number)
    return context | {
        "round": this_round,
        "newer": [each for each in context["rounds"] if each.is_public and each.number > this_round.number][-1:],
        "sheet": sheet,
        "lines": board_lines(sheet, names, refused, _claims(this_round, may_run=may_run)),
        "byes": bye_lines(sheet, names),
        "page": page,
        "searched": name,
        "enters_results": may_run and this_round.state == Round.State.PUBLISHED,
        "is_last": this_round.number >= tournament.rounds_announced,
        **(_controls(this_round, sheet, request.user) if may_run else {}),
    }


def settle(request: WebRequest, this_round: Round, act: Callable[[], object]) -> HttpResponse:
    """Do what the arbiter asked for and show the round; what stands in the way is said on its page."""
    try:
        act()
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    return redirect(_address(this_round))


def _controls(this_round: Round, sheet: PairingSheet, user: Visitor) -> dict[str, Any]:
    """What the arbiter needs to know before he presses the next button."""
    if this_round.state == Round.State.WAITING:
        players = attendance(this_round)
        before = this_round.tournament.rounds.filter(number__lt=this_round.number)
        return {
            "not_seen": not_seen(this_round, players),
            "unfinished": before.exclude(state=Round.State.FINISHED).order_by("number").first(),
            "present_count": sum(1 for player in players if player.is_to_be_paired),
            "away": [player for player in players if not player.is_to_be_paired],
            "being_paired": background.being_paired(this_round),
            "history": history_of(this_round),
        }
    if this_round.state == Round.State.DRAFT:
        names = names_of(this_round.tournament)
        return {
            "warnings": with_names(drafts.warnings_of_draft(this_round), names),
            "is_out_of_date": drafts.is_out_of_date(this_round),
            "unpaired_names": drafts.unpaired_names(this_round),
            "history": history_of(this_round),
            **session_context(session_of(this_round), user),
        }
    if this_round.state == Round.State.PUBLISHED:
        return {
            "may_unpublish": sheet.open_count == sheet.board_count,
            "disputed": disputed_boards(this_round),
            **_corrected(this_round),
        }
    later = this_round.tournament.rounds.filter(number__gt=this_round.number).exclude(state=Round.State.WAITING)
    return {"may_reopen": not later.exists(), "missing": absent_without_notice(this_round)}


def _claims(this_round: Round, *, may_run: bool) -> Mapping[int, BoardClaims]:
    """What players have reported of boards still open, for those who run the event."""
    if may_run and this_round.state == Round.State.PUBLISHED and this_round.tournament.players_report_results:
        return claims_of(this_round)
    return {}


def _corrected(this_round: Round) -> dict[str, Any]:
    """What a correction since the round was published would change in its pairing."""
    found = after_correction(this_round)
    boards = changed_boards(compare_proposal(found)) if found else 0
    return {"corrected": found, "corrected_boards": boards}


def _page(this_round: Round, wanted: str | None) -> Page[int]:
    """Which boards stand on the page: a range of numbers, so that no board is read to find it out."""
    return Paginator(range(1, this_round.games.count() + 1), BOARDS_ON_A_PAGE).get_page(wanted)


def _not_yet(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """A round that is announced, but not published: said in words, with the way to what there is."""
    tournament = get_tournament_for_reader(request.user, club, event)
    get_object_or_404(tournament.rounds, number=number)
    latest = tournament.rounds.published().order_by("number").last()
    context = frame(tournament, may_run=False, number=number) | {"latest": latest}
    return render(request, "pairing/desk/round_not_yet.html", context, status=404)


def _address(this_round: Round) -> str:
    tournament: Tournament = this_round.tournament
    return reverse("round", args=[tournament.club.slug, tournament.slug, this_round.number])


def _version(request: WebRequest) -> int:
    """The version of the pairing on the page the press came from; none is never the current one."""
    version = request.POST.get("version", "")
    return int(version) if version.isdecimal() else -1
