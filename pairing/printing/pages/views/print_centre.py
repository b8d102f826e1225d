"""Pages of an event and of a club for choosing printouts, previewing and printing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.views.decorators.http import require_POST, require_safe

from clubs.access import get_club_for_officer
from clubs.models import Club, ClubLetterhead, Role
from clubs.page_context import club_page_context as frame_of_club
from clubs.request_types import AuthenticatedRequest, WebRequest
from clubs.roles import can_run_events, roles_in_club
from pairing.page_context import event_page_context
from pairing.printing.pages.paper_choices import (
    PaperChoice,
    PaperChoiceGroup,
    PaperForm,
    club_paper_choices,
    event_paper_choices,
    load_all_saved_print_options,
    load_saved_print_options,
    printable_rounds,
    round_paper_choices,
    save_print_options,
    selected_choice,
)
from pairing.printing.pages.paper_definitions import MAX_DIGITS
from pairing.printing.pages.posted_papers import (
    PostedPaper,
    forget_printing,
    is_known_paper_code,
    list_posted_papers,
    mark_paper_taken_down,
    record_printing,
)
from pairing.printing.pages.round_papers import ROUND_PACK_CODE
from pairing.view_models.standings.event_standings import get_event_standings
from pairing.view_models.standings.player_categories import offered_categories
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem


@login_not_required
@require_safe
def print_centre(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show all printouts of an event on one page. The query string selects a printout, its round and its options."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run_events(request.user, tournament.club)
    shown = printable_rounds(tournament, may_run=may_run)
    wanted = request.GET.get("of_round", "")
    of_round = next((each for each in shown if str(each.number) == wanted), shown[0] if shown else None)
    groups = event_paper_choices(tournament, of_round, may_run=may_run)
    published = [each.number for each in shown if each.is_public]
    number = of_round.number if of_round else None
    context = event_page_context(tournament, may_run=may_run, here="print", number=number, round_page="print_centre")
    context["of_round"] = of_round
    if may_run:
        lines = _wall(tournament, shown[0] if shown else None, groups, of_round)
        context["to_print"] = [each for each in lines if each.paper.is_due_for_printing]
        context["hanging"] = [each for each in lines if not each.paper.is_due_for_printing]
        context["now"] = reverse("event_paper_print", args=[club, event])
    is_latest = not shown or of_round == shown[0]
    first = context["to_print"][0].paper.code if context.get("to_print") and is_latest else ""
    context |= _chosen(request, tournament.club, groups, published, is_officer=may_run, event=tournament, first=first)
    context["is_missing"] = _take_chosen(context, number)
    context["may_edit"] = Role.SECRETARY in roles_in_club(request.user, tournament.club)
    context["is_here_alone"] = _is_this_computer(request.get_host())
    return render(request, "pairing/printing/pages/print_centre.html", context)


@require_safe
def club_print_centre(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show all printouts of a club on one page."""
    the_club = get_club_for_officer(request.user, club)
    groups = club_paper_choices(the_club, roles_in_club(request.user, the_club))
    context = {"now": reverse("club_paper_print", args=[club])}
    context |= frame_of_club(request.user, the_club, "print") | _chosen(request, the_club, groups, [], is_officer=True)
    return render(request, "pairing/printing/pages/club_print_centre.html", context)


@require_POST
def event_paper_print(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Redirect to a printout with the chosen options, or with `usual` the options last used, and remember them."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    number = request.POST.get("of_round", "")
    of_round = next((each for each in printable_rounds(tournament, may_run=True) if str(each.number) == number), None)
    groups = event_paper_choices(tournament, of_round, may_run=True)
    choice = _choice_or_404(groups, request)
    query = _as_chosen(request, tournament.club, choice, tournament)
    record_printing(tournament, of_round, choice.code, query, by=request.user)
    return redirect(f"{choice.address}?{urlencode(query)}")


@require_POST
def posted_paper_remove(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Record that a printout is not posted, or with `forget` stop tracking it."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    code, number = request.POST.get("document", ""), request.POST.get("of_round", "")
    if not is_known_paper_code(code) or not number.isdecimal() or len(number) > MAX_DIGITS:
        raise Http404
    change = forget_printing if "forget" in request.POST else mark_paper_taken_down
    change(tournament, code, int(number))
    return redirect("print_centre", club, event)


@require_POST
def club_paper_print(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Redirect to a printout of the club with the chosen options, and remember them."""
    the_club = get_club_for_officer(request.user, club)
    choice = _choice_or_404(club_paper_choices(the_club, roles_in_club(request.user, the_club)), request)
    return redirect(f"{choice.address}?{urlencode(_as_chosen(request, the_club, choice))}")


def _choice_or_404(groups: list[PaperChoiceGroup], request: WebRequest) -> PaperChoice:
    code = request.POST.get("document", "")
    choice = selected_choice(groups, code)
    if choice.code != code:
        raise Http404
    return choice


def _as_chosen(
    request: AuthenticatedRequest, club: Club, choice: PaperChoice, event: Tournament | None = None
) -> dict[str, str]:
    """Return the options for the printout's URL. Remember them unless they are the `usual` ones."""
    usual = ClubLetterhead.get_or_default(club)
    if "usual" in request.POST:
        return PaperForm(
            QueryDict(), choice, usual=usual, habit=load_saved_print_options(club, choice.code, event)
        ).query_parameters
    # The paper's own URL checks which rounds exist.
    categories = _categories(event, choice)
    form = PaperForm(request.POST, choice, usual=usual, rounds=range(1, 1000), categories=categories)
    save_print_options(club, choice.code, form.query_parameters, event)
    return form.query_parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedPaperLine:
    """A posted printout, with the options of its Print button and the URL that counts its sheets."""

    paper: PostedPaper
    label: str | Promise
    option_summary: list[str]
    sheet_count_url: str


def _wall(
    tournament: Tournament, latest: Round | None, groups: list[PaperChoiceGroup], of_round: Round | None
) -> list[PostedPaperLine]:
    habits = load_all_saved_print_options(tournament.club, tournament)
    usual = ClubLetterhead.get_or_default(tournament.club)
    choices = {each.code: each for group in groups for each in group.choices}
    if latest and latest != of_round:
        place = [tournament.club.slug, tournament.slug]
        choices |= {each.code: each for each in round_paper_choices(latest, place, may_run=True)}
    lines = []
    for paper in list_posted_papers(tournament, latest, habits.get(ROUND_PACK_CODE, {})):
        if choice := choices.get(paper.code):
            form = PaperForm(QueryDict(), choice, usual=usual, habit=habits.get(paper.code, {}))
            sheets = f"{choice.address}?{urlencode({**form.query_parameters, 'as': 'sheets'})}"
            lines.append(
                PostedPaperLine(
                    paper=paper, label=choice.label, option_summary=form.option_summary, sheet_count_url=sheets
                )
            )
    return lines


def _take_chosen(context: dict[str, Any], number: int | None) -> bool:
    """Take the selected printout out of what needs printing if it was never printed. Return True if it was there."""
    due = context.get("to_print", [])
    chosen = (context["choice"].code, number, "missing")
    others = [each for each in due if (each.paper.code, each.paper.round_number, each.paper.status) != chosen]
    context["to_print"] = others
    return len(others) < len(due)


def _is_this_computer(host: str) -> bool:
    """Return True if the visitor's request is to their own computer."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    return name == "localhost" or name.startswith("127.") or name == "[::1]"


def _chosen(
    request: WebRequest,
    club: Club,
    groups: list[PaperChoiceGroup],
    published: list[int],
    *,
    is_officer: bool,
    event: Tournament | None = None,
    first: str = "",
) -> dict[str, Any]:
    """Return the selected printout, or `first`, with its form and the URLs of its preview and PDF."""
    choice = selected_choice(groups, request.GET.get("document", first))
    usual = ClubLetterhead.get_or_default(club)
    habit = load_saved_print_options(club, choice.code, event) if is_officer else {}
    categories = _categories(event, choice)
    form = PaperForm(request.GET, choice, usual=usual, habit=habit, rounds=published, categories=categories)
    query = form.query_parameters
    return {
        "groups": groups,
        "choice": choice,
        "form": form,
        "query": query,
        "said": form.option_summary,
        "sheets": f"{choice.address}?{urlencode({**query, 'as': 'sheets'})}",
        "preview": f"{choice.address}?{urlencode({**query, 'as': 'page'})}",
        "pdf": f"{choice.address}?{urlencode(query)}",
    }


def _categories(event: Tournament | None, choice: PaperChoice) -> list[tuple[str, str | Promise]]:
    """Return an event's categories by key and label, if the printout has them. Empty if a tie-break is unknown."""
    if event is None or "category" not in choice.fields:
        return []
    try:
        return [(each.key, each.label) for each in offered_categories(get_event_standings(event))]
    except ArbiterProblem:
        return []
