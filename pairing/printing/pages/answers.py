"""How a paper is answered with: as PDF, as a page to be looked at first, or with the way to where it is being set.

Every address of a paper takes `language` and `paper` (its size), and `as`: `page` is what the PDF is made from, shown
on the screen, `css` its style, and `sheets` how many sheets it takes; `part` chooses one of several parts.
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
from clubs.requests import WebRequest
from pairing.printing.papers import papers
from pairing.printing.papers.papers import Wishes
from pairing.printing.pdf.making import pages_of
from pairing.printing.pdf.pdfs import Paper, Part
from pairing.printing.pdf.setting import set_later, takes_a_while
from tournaments.problems import ArbiterProblem


def paper_answer(request: WebRequest, club: Club, name: str, make: Callable[[Wishes], Paper]) -> HttpResponse:
    """The paper as it was asked for, or the page that says why there is none."""
    asked = request.GET
    wishes = papers.wishes_of(
        club, language=asked.get("language", ""), second=asked.get("second", ""), size=asked.get("paper", "")
    )
    try:
        paper = make(wishes)
        if asked.get("as") in ("page", "css"):
            return _shown(request, paper)
        if asked.get("as") == "sheets":
            return _counted(request, paper, _names(make, wishes, paper))
        # Only those who are signed in have jobs; public lists are short enough to be waited for.
        if isinstance(request.user, User) and takes_a_while(paper):
            address = request.get_full_path()
            return redirect("job", set_later(paper, by=request.user, club=club, name=name, address=address).pk)
        pdf = papers.printed(paper)
    except ArbiterProblem as problem:
        return _private(render(request, "pairing/printing/papers/cannot.html", {"problem": problem}, status=409))
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return _private(response)


def _shown(request: WebRequest, paper: Paper) -> HttpResponse:
    """A part of the paper for the screen: the page its PDF is made from, or its style."""
    number = _part_wanted(request, paper)
    part = paper.parts[number - 1]
    if request.GET["as"] == "css":
        return _private(HttpResponse(part.css, content_type="text/css; charset=utf-8"))
    return _private(HttpResponse(_page(request, part, number, paper.parts)))


def _names(make: Callable[[Wishes], Paper], wishes: Wishes, paper: Paper) -> dict[str, str]:
    """What the parts are called in the reader's language, by what they are called in the paper's."""
    here = translation.get_language()
    if len(paper.parts) == 1 or here == wishes.language or takes_a_while(paper):
        return {}
    of_reader = make(replace(wishes, language=here, second=""))
    return {ours.name: theirs.name for ours, theirs in zip(paper.parts, of_reader.parts, strict=False)}


def _counted(request: WebRequest, paper: Paper, names: Mapping[str, str]) -> HttpResponse:
    """How many sheets it takes; setting it for that is no waste, as what has been set is kept for whoever prints it."""
    if takes_a_while(paper):
        return _private(render(request, "pairing/printing/pages/sheets.html", {"takes_a_while": True}))
    papers.printed(paper)
    both_sides = "backs" in request.GET
    counts = [
        (names.get(name, name), (pages + 1) // 2 if both_sides else pages) for name, pages in pages_of(paper) or []
    ]
    context = {"counts": counts, "sheets": sum(count for _name, count in counts), "both_sides": both_sides}
    return _private(render(request, "pairing/printing/pages/sheets.html", context))


def _page(request: WebRequest, part: Part, number: int, parts: Sequence[Part]) -> str:
    """The page of a part with its style for the screen, and the way to the other parts."""
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
    head = render_to_string("pairing/printing/papers/screen_head.html", context).strip()
    nav = render_to_string("pairing/printing/papers/screen_parts.html", context).strip()
    return part.html.replace("</head>", f"{head}</head>", 1).replace("</body>", f"{nav}</body>", 1)


def _labels(parts: Sequence[Part]) -> list[tuple[int, str]]:
    """The parts by their numbers and names, another copy left out; a pile of the same name in several is numbered."""
    piles = len({part.name for part in parts}) == 1
    found: dict[Part, tuple[int, str]] = {}
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
