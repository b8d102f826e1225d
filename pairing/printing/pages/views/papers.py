"""Responses with a printout: a PDF, a preview, or a redirect to the job that renders it.

The URL of every printout takes `language`, `paper` (its size) and `as`. With `as`, `page` returns the HTML of the PDF,
`css` its screen style, and `sheets` the number of sheets. `part` selects one of several parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from clubs.access import get_club_for_role, get_receipt_for_viewer
from clubs.finance.dues.receipts import build_receipt_sheet
from clubs.membership.accounts.request_limits import is_over_limit
from clubs.models import Club, PaperSize, User
from clubs.request_types import AuthenticatedRequest, WebRequest
from clubs.roles import can_run_events
from common.jobs import redirects
from common.jobs.queue import wait_for_job
from common.models import Job
from pairing.access import get_round_for_visitor
from pairing.printing.pages.club_papers import CLUB_PAPERS
from pairing.printing.pages.event_papers import EVENT_PAPERS
from pairing.printing.pages.paper_definitions import PaperDefinition, PaperRequest, find_paper_definition
from pairing.printing.pages.round_papers import ROUND_PAPERS
from pairing.printing.papers import clubs
from pairing.printing.pdf.paper_jobs import is_cached, needs_background_job, start_paper_job
from pairing.printing.pdf.paper_templates import PrintOptions, club_print_options, render_pdf, rendered_page_counts
from pairing.printing.pdf.weasyprint_rendering import Paper, PaperPart
from tournaments.access import get_round_for_arbiter, get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.live_updates.page_decorators import too_many_requests
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

MAX_VISITORS_PAPERS_PER_MINUTE = 20
"""Printouts that are rendered for visitors of one address. Those that are kept are not counted."""
REFRESH_SECONDS = 2
REFRESH_SECONDS_BEHIND_OTHERS = 4
"""For visitors waiting behind other people's printouts. At this pace they stay within their limit."""


def paper_response(
    request: WebRequest,
    club: Club,
    name: str,
    make: Callable[[PrintOptions], Paper],
    *,
    is_wall_list: bool = False,
) -> HttpResponse:
    """Return the requested printout, or a page with the reason why it cannot be made."""
    asked = request.GET
    size = asked.get("paper", "")
    wishes = club_print_options(
        club,
        language=asked.get("language", ""),
        second=asked.get("second", ""),
        size=size if is_wall_list or size != PaperSize.A3 else "",
        points=asked.get("points", ""),
    )
    try:
        with translation.override(wishes.language):
            paper = make(wishes)
        if asked.get("as") in ("page", "css"):
            return _shown(request, paper)
        if asked.get("as") == "sheets":
            return _counted(request, paper, _names(make, wishes, paper))
        if not isinstance(request.user, User):
            if (waiting := _wait_as_visitor(request, paper, club, name)) is not None:
                return waiting
        elif needs_background_job(paper):
            address = request.get_full_path()
            return redirect(
                "job_page", start_paper_job(paper, by=request.user, club=club, name=name, address=address).pk
            )
        pdf = render_pdf(paper)
    except ArbiterProblem as problem:
        return _private(render(request, "pairing/printing/pages/not_printed.html", {"problem": problem}, status=409))
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return _private(response)


def _wait_as_visitor(request: WebRequest, paper: Paper, club: Club, name: str) -> HttpResponse | None:
    """Let a worker render a visitor's printout. Return None if it is ready, or else a page that requests it again."""
    if is_cached(paper):
        return None
    if is_over_limit(request, "papers", MAX_VISITORS_PAPERS_PER_MINUTE):
        return too_many_requests(request)
    job = start_paper_job(paper, by=None, club=club, name=name, address="")
    # Only the first in the queue is waited for. Otherwise many print requests would occupy all processes that serve
    # pages.
    is_first = not Job.objects.filter(
        task=job.task, state__in=(Job.State.WAITING, Job.State.RUNNING), pk__lt=job.pk
    ).exists()
    job = wait_for_job(job, redirects.SECONDS_TO_WAIT if is_first else 0)
    if job.is_over:
        # A printout that failed is tried here again, so that the page says why.
        return None
    response = render(request, "pairing/printing/pages/in_preparation.html", {"name": name}, status=202)
    response.headers["Refresh"] = str(REFRESH_SECONDS if is_first else REFRESH_SECONDS_BEHIND_OTHERS)
    return _private(response)


def _shown(request: WebRequest, paper: Paper) -> HttpResponse:
    """Return a part of the printout for the screen: the page its PDF is made from, or its CSS."""
    number = _part_wanted(request, paper)
    part = paper.parts[number - 1]
    if request.GET["as"] == "css":
        return _private(HttpResponse(part.css, content_type="text/css; charset=utf-8"))
    return _private(HttpResponse(_page(request, part, number, paper.parts)))


def _names(make: Callable[[PrintOptions], Paper], wishes: PrintOptions, paper: Paper) -> dict[str, str]:
    """Return the parts' names in the reader's language, by their names in the printout's language."""
    here = translation.get_language()
    if len(paper.parts) == 1 or here == wishes.language or needs_background_job(paper):
        return {}
    of_reader = make(replace(wishes, language=here, second_language=""))
    return {ours.name: theirs.name for ours, theirs in zip(paper.parts, of_reader.parts, strict=False)}


def _counted(request: WebRequest, paper: Paper, names: Mapping[str, str]) -> HttpResponse:
    """Return the number of sheets. This renders the printout, which is then cached for printing."""
    if needs_background_job(paper):
        return _private(render(request, "pairing/printing/pages/sheet_count.html", {"takes_a_while": True}))
    render_pdf(paper)
    both_sides = "backs" in request.GET
    counts = [
        (names.get(name, name), (pages + 1) // 2 if both_sides else pages)
        for name, pages in rendered_page_counts(paper) or []
    ]
    context = {"counts": counts, "sheets": sum(count for _name, count in counts), "both_sides": both_sides}
    return _private(render(request, "pairing/printing/pages/sheet_count.html", context))


def _page(request: WebRequest, part: PaperPart, number: int, parts: Sequence[PaperPart]) -> str:
    """Return the page of a part with its screen style and links to the other parts."""
    query = request.GET.copy()
    query["part"] = str(number)
    query["as"] = "css"
    style = f"{request.path}?{query.urlencode()}"
    links = []
    query["as"] = "page"
    for each, label in _labels(parts):
        query["part"] = str(each)
        links.append((each, label, f"{request.path}?{query.urlencode()}"))
    context = {"style": style, "links": links if len(links) > 1 else [], "number": number}
    head = render_to_string("pairing/printing/pages/screen_preview_head.html", context).strip()
    nav = render_to_string("pairing/printing/pages/screen_preview_parts.html", context).strip()
    return part.html.replace("</head>", f"{head}</head>", 1).replace("</body>", f"{nav}</body>", 1)


def _labels(parts: Sequence[PaperPart]) -> list[tuple[int, str]]:
    """Return the parts by number and name, without copies. Parts with a common name are numbered."""
    piles = len({part.name for part in parts}) == 1
    found: dict[PaperPart, tuple[int, str]] = {}
    for number, part in enumerate(parts, start=1):
        found.setdefault(part, (number, str(number) if piles else part.name))
    return list(found.values())


def _part_wanted(request: WebRequest, paper: Paper) -> int:
    wanted = request.GET.get("part", "")
    return min(max(1, int(wanted)), len(paper.parts)) if wanted.isdecimal() and len(wanted) < 6 else 1


def _private(response: HttpResponse) -> HttpResponse:
    # The page where papers are chosen shows them in a frame.
    response["X-Frame-Options"] = "SAMEORIGIN"
    patch_cache_control(response, private=True, no_cache=True)
    return response


@login_not_required
@require_safe
def event_paper(request: WebRequest, club: str, event: str, *, code: str) -> HttpResponse:
    """Return a printout of an event if the user can see the event."""
    tournament = get_tournament_for_reader(request.user, club, event)
    document = find_paper_definition(EVENT_PAPERS, code)
    if not document.is_available(tournament, can_run_events(request.user, tournament.club)):
        raise Http404
    return _of_event(request, tournament, document)


@require_safe
def event_paper_for_officers(request: AuthenticatedRequest, club: str, event: str, *, code: str) -> HttpResponse:
    """Return a printout of an event if the user is the secretary or an arbiter of its club."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    return _of_event(request, tournament, find_paper_definition(EVENT_PAPERS, code))


@login_not_required
@require_safe
def round_paper(request: WebRequest, club: str, event: str, number: int, *, code: str) -> HttpResponse:
    """Return a printout of a round if the user can see the round."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    return _of_event(request, this_round.tournament, find_paper_definition(ROUND_PAPERS, code), this_round)


@require_safe
def round_paper_for_officers(
    request: AuthenticatedRequest, club: str, event: str, number: int, *, code: str
) -> HttpResponse:
    """Return a printout of a round if the user is the secretary or an arbiter of the club."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return _of_event(request, this_round.tournament, find_paper_definition(ROUND_PAPERS, code), this_round)


@require_safe
def club_paper(request: AuthenticatedRequest, club: str, *, code: str, **numbers: int) -> HttpResponse:
    """Return a printout of a club if the user has one of its roles. `numbers` are in the URL's path."""
    the_club = get_club_for_role(request.user, club, *find_paper_definition(CLUB_PAPERS, code).roles)
    document = find_paper_definition(CLUB_PAPERS, code)
    asked = PaperRequest(request=request, subject=the_club, numbers=numbers)
    name = "-".join([club, document.file_name, *map(str, numbers.values())])
    return paper_response(request, the_club, name, lambda wishes: document.make(asked, wishes))


@require_safe
def print_receipt(request: AuthenticatedRequest, club: str, year: int, number: int) -> HttpResponse:
    """Return a receipt if the user may view the club's money or is the payer."""
    entry = get_receipt_for_viewer(request.user, club, year, number)
    sheet = build_receipt_sheet(entry)
    return paper_response(
        request, entry.club, f"{club}-receipt-{year}-{number}", lambda wishes: clubs.receipt_paper(sheet, wishes)
    )


def _of_event(
    request: WebRequest, tournament: Tournament, document: PaperDefinition[Any], this_round: Round | None = None
) -> HttpResponse:
    """Return a printout of an event, or of one of its rounds."""
    subject: Any = this_round or tournament
    asked = PaperRequest(request=request, subject=subject)
    name = "-".join([tournament.slug, *([str(this_round.number)] if this_round else []), document.file_name])
    return paper_response(
        request, tournament.club, name, lambda wishes: document.make(asked, wishes), is_wall_list=document.is_wall_list
    )
