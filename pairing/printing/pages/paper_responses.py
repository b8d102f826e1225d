"""Responses with a paper: a PDF, a preview, or a redirect to the job that renders it.

The URL of every paper takes `language`, `paper` (its size) and `as`. With `as`, `page` returns the HTML of the PDF,
`css` its screen style, and `sheets` the number of sheets. `part` selects one of several parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_cache_control

from clubs.models import Club, User
from clubs.request_types import WebRequest
from pairing.printing.papers import all_papers
from pairing.printing.papers.all_papers import PrintOptions
from pairing.printing.pdf.paper_jobs import needs_background_job, start_paper_job
from pairing.printing.pdf.paper_templates import known_page_counts
from pairing.printing.pdf.weasyprint_rendering import Paper, PaperPart
from tournaments.problems import ArbiterProblem


def paper_response(request: WebRequest, club: Club, name: str, make: Callable[[PrintOptions], Paper]) -> HttpResponse:
    """Return the requested paper, or a page with the reason why it cannot be made."""
    asked = request.GET
    wishes = all_papers.club_print_options(
        club, language=asked.get("language", ""), second=asked.get("second", ""), size=asked.get("paper", "")
    )
    try:
        paper = make(wishes)
        if asked.get("as") in ("page", "css"):
            return _shown(request, paper)
        if asked.get("as") == "sheets":
            return _counted(request, paper, _names(make, wishes, paper))
        # Only users who are signed in have jobs; public lists are short enough to wait for.
        if isinstance(request.user, User) and needs_background_job(paper):
            address = request.get_full_path()
            return redirect(
                "job_page", start_paper_job(paper, by=request.user, club=club, name=name, address=address).pk
            )
        pdf = all_papers.render_pdf(paper)
    except ArbiterProblem as problem:
        return _private(render(request, "pairing/printing/pages/not_printed.html", {"problem": problem}, status=409))
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return _private(response)


def _shown(request: WebRequest, paper: Paper) -> HttpResponse:
    """Return a part of the paper for the screen: the page its PDF is made from, or its CSS."""
    number = _part_wanted(request, paper)
    part = paper.parts[number - 1]
    if request.GET["as"] == "css":
        return _private(HttpResponse(part.css, content_type="text/css; charset=utf-8"))
    return _private(HttpResponse(_page(request, part, number, paper.parts)))


def _names(make: Callable[[PrintOptions], Paper], wishes: PrintOptions, paper: Paper) -> dict[str, str]:
    """Return the parts' names in the reader's language, by their names in the paper's language."""
    here = translation.get_language()
    if len(paper.parts) == 1 or here == wishes.language or needs_background_job(paper):
        return {}
    of_reader = make(replace(wishes, language=here, second_language=""))
    return {ours.name: theirs.name for ours, theirs in zip(paper.parts, of_reader.parts, strict=False)}


def _counted(request: WebRequest, paper: Paper, names: Mapping[str, str]) -> HttpResponse:
    """Return the number of sheets; this renders the paper, which is then cached for printing."""
    if needs_background_job(paper):
        return _private(render(request, "pairing/printing/pages/sheet_count.html", {"takes_a_while": True}))
    all_papers.render_pdf(paper)
    both_sides = "backs" in request.GET
    counts = [
        (names.get(name, name), (pages + 1) // 2 if both_sides else pages)
        for name, pages in known_page_counts(paper) or []
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
    """Return the parts by number and name, without copies; parts with a common name are numbered."""
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
