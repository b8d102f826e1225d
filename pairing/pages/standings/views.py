"""Standings pages of an event, and player cards."""

from __future__ import annotations

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import Role
from clubs.request_types import AuthenticatedRequest, WebRequest, parse_key
from clubs.roles import can_run_events, roles_in_club
from common.text.name_search import matches_search_words, split_search_words
from pairing.engine.paired_round import ReasonKind
from pairing.explanations.named_reasons import ExplainedReason, explain_stored_reasons, player_names_by_number
from pairing.page_context import event_page_context
from pairing.pages.standings.forms import PrizesForm
from pairing.pages.standings.prize_giving import (
    get_prize_fund,
    has_public_prizes,
    prize_sheet,
    prizes_by_list,
    publish_prizes,
    set_prizes,
)
from pairing.view_models.diagrams.opponent_ratings_chart import opponent_ratings_chart
from pairing.view_models.diagrams.place_chart import place_chart
from pairing.view_models.sheets.due_colours import explain_due_colour
from pairing.view_models.sheets.player_sheet import PlayerSheet, player_sheet
from pairing.view_models.sheets.round_robin_schedule import round_robin_schedule_sheet
from pairing.view_models.sheets.standings_sheet import crosstable_sheet, standings_sheet
from pairing.view_models.sheets.tie_break_texts import tie_break_workings_of_player
from pairing.view_models.standings.club_standings import club_standings_table
from pairing.view_models.standings.event_standings import (
    EventStandings,
    get_event_standings,
    has_lot_tie_break,
    parts_of_season,
)
from pairing.view_models.standings.lots import draw_lots, lots_to_draw, redraw_all_lots
from pairing.view_models.standings.player_categories import offered_categories, standings_of_category
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.entries.pairing_numbers import kept_numbers
from tournaments.entries.starting_list import draw_pairing_numbers
from tournaments.live_updates.page_decorators import cache_event_page
from tournaments.models import Entry, PairingSystem, PrizeFund, Tournament
from tournaments.problems import ArbiterProblem

PLAYERS_PER_PAGE = 100


@login_not_required
@require_safe
@cache_event_page
def standings_page(request: WebRequest, club: str, event: str, after: int | None = None) -> HttpResponse:
    """Show the standings after a published round, by default the latest.

    `?category=` selects a category. `?name=` selects players whose name has every word. `?from=` is the first round
    of a part of a Keizer season.
    """
    tournament = get_tournament_for_reader(request.user, club, event)
    published = _published(tournament, after)
    parts = parts_of_season(tournament, after or max(published, default=0))
    table = get_event_standings(tournament, after, first_round=_first_round(request, parts))
    offered = offered_categories(table)
    chosen = next((each for each in offered if each.key == request.GET.get("category")), None)
    shown = standings_of_category(table, chosen) if chosen else table
    name = request.GET.get("name", "").strip()
    words = split_search_words(name)
    found = [row for row in shown.rows if matches_search_words(row.entry.name, words)] if words else shown.rows
    page = Paginator(found, PLAYERS_PER_PAGE).get_page(request.GET.get("page"))
    may_run = can_run_events(request.user, tournament.club)
    sheet = standings_sheet(shown, rows=list(page))
    context = event_page_context(
        tournament, may_run=may_run, here="standings", number=sheet.after_round, round_page="standings_after"
    ) | {
        "sheet": sheet,
        "page": page,
        "is_latest": after is None and table.first_round == 1,
        "parts": parts,
        "categories": offered,
        "category": chosen,
        "query": name,
        **standings_views(tournament, sheet.after_round, may_run=may_run),
        "lots": lots_to_draw(table) if may_run and has_lot_tie_break(tournament) else None,
    }
    return render(request, "pairing/pages/standings/standings.html", context)


@login_not_required
@require_safe
@cache_event_page
def crosstable_page(request: WebRequest, club: str, event: str, after: int) -> HttpResponse:
    """Show the crosstable after a published round."""
    tournament = get_tournament_for_reader(request.user, club, event)
    _published(tournament, after)
    table = get_event_standings(tournament, after)
    page = Paginator(table.rows, PLAYERS_PER_PAGE).get_page(request.GET.get("page"))
    may_run = can_run_events(request.user, tournament.club)
    context = event_page_context(
        tournament, may_run=may_run, here="standings", number=after, round_page="crosstable"
    ) | {
        "sheet": crosstable_sheet(table, rows=list(page)),
        "page": page,
        **standings_views(tournament, after, may_run=may_run),
    }
    return render(request, "pairing/pages/standings/crosstable.html", context)


@login_not_required
@require_safe
@cache_event_page
def club_standings(request: WebRequest, club: str, event: str, after: int) -> HttpResponse:
    """Show clubs by the sum of their best players' points. `?best=` is the number of players counted."""
    tournament = get_tournament_for_reader(request.user, club, event)
    _published(tournament, after)
    best = request.GET.get("best", "")
    counted = int(best) if best.isascii() and best.isdigit() and len(best) < 4 else None
    table = club_standings_table(get_event_standings(tournament, after), counted)
    may_run = can_run_events(request.user, tournament.club)
    context = event_page_context(
        tournament, may_run=may_run, here="standings", number=after, round_page="club_standings"
    ) | {
        "clubs": table,
        "choices": range(1, table.largest_club_size + 1),
        **standings_views(tournament, after, may_run=may_run),
    }
    return render(request, "pairing/pages/standings/club_standings.html", context)


@login_not_required
@require_safe
@cache_event_page
def tie_break_working(request: WebRequest, club: str, event: str, after: int, entry: int) -> HttpResponse:
    """Show the calculation of every tie-break of a player."""
    tournament = get_tournament_for_reader(request.user, club, event)
    _published(tournament, after)
    person = _numbered_player(tournament, entry)
    first = _first_round(request, parts_of_season(tournament, after))
    table = get_event_standings(tournament, after, first_round=first)
    if all(row.entry.pk != person.pk for row in table.rows):
        raise Http404
    context = event_page_context(
        tournament,
        may_run=can_run_events(request.user, tournament.club),
        here="standings",
        number=after,
        round_page="standings_after",
    ) | {
        "entry": person,
        "after_round": after,
        "first_round": first,
        "workings": tie_break_workings_of_player(table, table.pairing_numbers[person.pk]),
    }
    return render(request, "pairing/pages/standings/tie_break_working.html", context)


def standings_views(
    tournament: Tournament, after: int, *, may_run: bool, fund: PrizeFund | None = None
) -> dict[str, object]:
    """Return which views of the standings after a round there are, for `standings_tabs.html`."""
    return {
        "after_round": after,
        "has_clubs": tournament.entries.exclude(club_name="").exists(),
        "has_prizes": may_run or has_public_prizes(fund or get_prize_fund(tournament)),
    }


def _first_round(request: WebRequest, parts: range) -> int:
    """Return the first round of the requested part of a season, 1 for all of it."""
    asked = parse_key(request.GET.get("from", ""))
    return asked if asked in parts else 1


def _numbered_player(tournament: Tournament, key: int) -> Entry:
    """Return a player who has a number. Links have the key, because the number may change with a late entry.

    Raises Http404.
    """
    entry = get_object_or_404(tournament.entries.exclude(tpn=None), pk=key)
    entry.tournament = tournament
    return entry


def _published(tournament: Tournament, after: int | None) -> list[int]:
    """Return the numbers of the published rounds. Raises Http404 if `after` is not one of them."""
    published = list(tournament.rounds.only_published().order_by("number").values_list("number", flat=True))
    if after is not None and after not in published:
        raise Http404
    return published


@login_not_required
@require_safe
@cache_event_page
def player_page(request: WebRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Show a player's card: rounds, colours, and the rules behind the colours."""
    tournament = get_tournament_for_reader(request.user, club, event)
    person = _numbered_player(tournament, entry)
    sheet = player_sheet(person)
    context = event_page_context(tournament, may_run=can_run_events(request.user, tournament.club), here="players") | {
        "entry": person,
        "sheet": sheet,
        "colour_reasons": _colour_reasons(sheet, tournament),
        "due": explain_due_colour(sheet, tournament),
    }
    if sheet.rounds:
        context["is_keizer"] = tournament.system == PairingSystem.KEIZER
        with suppress(ArbiterProblem):  # Unknown tie-break: the standings page shows the error.
            table = get_event_standings(tournament, sheet.rounds[-1].number)
            ranked = [row for row in table.rows if row.is_ranked]
            context["row"] = next((row for row in ranked if row.entry.pk == person.pk), None)
            context["players"] = len(ranked)
            context["after_round"] = _worked_round(table, person)
    return render(request, "pairing/pages/standings/player.html", context)


@login_not_required
@require_safe
@cache_event_page
def player_progress(request: WebRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Show charts of a player's event: place after each round, and opponents' ratings."""
    tournament = get_tournament_for_reader(request.user, club, event)
    person = _numbered_player(tournament, entry)
    sheet = player_sheet(person)
    try:
        places = place_chart(tournament, person, _published(tournament, None))
        after_round = _worked_round(get_event_standings(tournament), person)
    except ArbiterProblem:
        # Unknown tie-break: the standings page shows the error.
        places, after_round = None, 0
    context = event_page_context(tournament, may_run=can_run_events(request.user, tournament.club), here="players") | {
        "entry": person,
        "sheet": sheet,
        "places": places,
        "path": opponent_ratings_chart(sheet),
        "after_round": after_round,
    }
    return render(request, "pairing/pages/standings/player_progress.html", context)


def _worked_round(table: EventStandings, person: Entry) -> int:
    """Return the round after which the player's tie-breaks can be shown, 0 if there are none."""
    return table.after_round if table.columns and any(row.entry.pk == person.pk for row in table.rows) else 0


def _colour_reasons(sheet: PlayerSheet, tournament: Tournament) -> list[tuple[int, tuple[ExplainedReason, ...]]]:
    """Return the rounds in which a rule gave the colour, with its explanation, the latest first."""
    names = player_names_by_number(tournament)
    given = [
        (
            row.number,
            explain_stored_reasons(
                [reason for reason in row.reasons if reason["kind"] == ReasonKind.COLOUR],
                player_names_by_number(tournament, row.number) if kept_numbers(tournament, row.number) else names,
            ),
        )
        for row in reversed(sheet.rounds)
    ]
    return [(number, reasons) for number, reasons in given if reasons]


@login_not_required
@require_safe
def schedule_page(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show every round of the schedule, or a sentence if the event has none."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run_events(request.user, tournament.club)
    context = event_page_context(tournament, may_run=may_run, here="schedule") | {
        "sheet": round_robin_schedule_sheet(tournament),
        "is_round_robin": tournament.system == PairingSystem.ROUND_ROBIN,
    }
    return render(request, "pairing/pages/standings/schedule.html", context)


@require_POST
def schedule_draw(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Draw the numbers by lot."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    try:
        draw_pairing_numbers(tournament, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Pairing numbers drawn."))
    return redirect("schedule", club, event)


@login_not_required
@require_safe
@cache_event_page
def prizes_page(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the awards and their calculation. Readers see the awards after the event, or once they are published."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run_events(request.user, tournament.club)
    fund = get_prize_fund(tournament)
    is_shown = may_run or has_public_prizes(fund)
    context = event_page_context(tournament, may_run=may_run, here="standings") | {
        "sheet": prize_sheet(tournament) if is_shown else None,
        "fund": fund,
        **standings_views(tournament, max(_published(tournament, None), default=0), may_run=may_run, fund=fund),
    }
    return render(request, "pairing/pages/standings/prizes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def prizes_edit(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Set the prizes and the rules for sharing."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    fund = get_prize_fund(tournament)
    form = PrizesForm(request.POST or None, fund=fund, listed=prizes_by_list(fund))
    if request.method == "POST" and form.is_valid():
        set_prizes(
            tournament,
            form.prize_lists,
            sharing=form.cleaned_data["sharing"],
            one_prize_each=form.cleaned_data["one_prize_each"],
            by=request.user,
        )
        messages.success(request, _("Prizes saved."))
        return redirect("prizes", club, event)
    roles = roles_in_club(request.user, tournament.club)
    context = event_page_context(tournament, may_run=True, here="standings") | {
        "form": form,
        "may_book": Role.TREASURER in roles,
        "may_edit": Role.SECRETARY in roles,
    }
    return render(request, "pairing/pages/standings/prizes_edit.html", context, status=422 if form.is_bound else 200)


@require_POST
def prizes_publish(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Publish the prizes, or with `take_back` hide them until the event is over."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    publish_prizes(tournament, publish="take_back" not in request.POST, by=request.user)
    return redirect("prizes", club, event)


@require_POST
def lots_draw(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Draw a lot for every player who doesn't have one yet."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    drawn = draw_lots(tournament, by=request.user)
    if drawn:
        said = ngettext("Lot drawn for %(count)s player.", "Lots drawn for %(count)s players.", drawn)
        messages.success(request, said % {"count": drawn})
    else:
        messages.info(request, _("Lots have already been drawn for all players, so nothing has changed."))
    return redirect("standings", club, event)


@require_POST
def lots_draw_again(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Draw all lots again. The reason is logged."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    try:
        redraw_all_lots(tournament, reason=request.POST.get("reason", "")[:500], by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("All lots redrawn."))
    return redirect("standings", club, event)
