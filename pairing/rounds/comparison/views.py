"""The page that compares one round under two systems. Nothing is saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from clubs.request_types import AuthenticatedRequest, parse_key
from common.jobs.redirects import enqueue_and_redirect
from common.models import Job
from pairing.engine.snapshot import PairingCard, TournamentSnapshot
from pairing.explanations.named_reasons import ExplainedReason, explain_reasons
from pairing.page_context import event_page_context
from pairing.rounds.comparison import jobs
from pairing.rounds.comparison.differences import (
    BoardDifference,
    PairedBoard,
    PairingComparison,
    boards_by_system,
    compare_pairings,
    snapshot_under_system,
)
from pairing.rounds.comparison.forms import ComparedMethodsForm
from pairing.rounds.comparison.rules_check import can_check_within_request, check_rounds, finished_rounds
from pairing.rounds.comparison.what_if import WhatIfBoard, WhatIfRound, published_rounds_from
from pairing.rounds.lifecycle import transitions as rounds
from tournaments.access import get_round_for_arbiter, get_tournament_for_arbiter
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedBoard:
    """A board in one of the two pairings, with names."""

    board: int | None
    white: PairingCard
    black: PairingCard | None
    difference: BoardDifference
    why: tuple[ExplainedReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonSide:
    """One of the two pairings: its title, and the boards that the other one lacks."""

    title: str
    lines: tuple[ComparedBoard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedComparison:
    """Two pairings, ready for `pairing/rounds/comparison/comparison.html`."""

    sides: tuple[ComparisonSide, ComparisonSide]
    agreeing: tuple[ComparedBoard, ...]


@require_safe
def round_compare(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show a round paired by two systems of the user's choice, whatever the round's state."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    form = ComparedMethodsForm(request.GET or None, round=this_round)
    comparison, problem = None, ""
    try:
        snapshot = rounds.take_pairing_snapshot(this_round)
        if any(card.unavailable is None for card in snapshot.cards):
            comparison = _compared(snapshot, form)
    except ArbiterProblem as trouble:
        problem = trouble.message
    context = event_page_context(this_round.tournament, may_run=True, number=number) | {
        "round": this_round,
        "form": form,
        "comparison": comparison,
        "problem": problem,
    }
    return render(request, "pairing/rounds/comparison/compare_systems.html", context)


def build_named_comparison(
    compared: PairingComparison, snapshot: TournamentSnapshot, titles: tuple[str, str]
) -> NamedComparison:
    """Add the names of the players to two compared pairings."""
    cards = {card.tpn: card for card in snapshot.cards}
    one, other = (
        ComparisonSide(title=title, lines=tuple(_lines(seats, cards)))
        for title, seats in zip(titles, (_differing(compared.one), _differing(compared.other)), strict=True)
    )
    agreeing = _lines(((seat, BoardDifference.SAME) for seat in compared.shared_boards), cards)
    return NamedComparison(sides=(one, other), agreeing=tuple(agreeing))


def _compared(snapshot: TournamentSnapshot, form: ComparedMethodsForm) -> NamedComparison:
    ways = form.chosen_methods
    one, other = (boards_by_system(snapshot_under_system(snapshot, **way.snapshot_options)) for way in ways)
    return build_named_comparison(compare_pairings(one, other), snapshot, (ways[0].title, ways[1].title))


def _differing(seats: Iterable[tuple[PairedBoard, BoardDifference]]) -> list[tuple[PairedBoard, BoardDifference]]:
    return [(seat, difference) for seat, difference in seats if difference is not BoardDifference.SAME]


def _lines(
    seats: Iterable[tuple[PairedBoard, BoardDifference]], cards: dict[int, PairingCard]
) -> Iterable[ComparedBoard]:
    names = {tpn: card.name for tpn, card in cards.items()}
    for seat, difference in seats:
        yield ComparedBoard(
            board=seat.board,
            white=cards[seat.white],
            black=None if seat.black is None else cards[seat.black],
            difference=difference,
            why=explain_reasons(seat.reasons, names),
        )


@require_safe
def event_rules_check(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show every finished round with its verdict.

    A large event shows one round only: the one in `?round=`, or else the latest.
    """
    tournament = get_tournament_for_arbiter(request.user, club, event)
    rounds = finished_rounds(tournament)
    wanted = parse_key(request.GET.get("round", ""))
    whole = can_check_within_request(tournament, rounds)
    chosen = [each for each in rounds if each.number == wanted] or (rounds if whole else rounds[-1:])
    context = event_page_context(tournament, may_run=True, here="overview") | {
        "checked": list(check_rounds(tournament, chosen)),
        "others": [] if len(chosen) == len(rounds) else [each.number for each in rounds if each not in chosen],
        "is_imported": bool(tournament.report_lines),
    }
    return render(request, "pairing/rounds/comparison/rules_check.html", context)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedWhatIfBoard:
    """A board in one of the two pairings, with names."""

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
    """Start the job that re-pairs the rounds from this one onwards."""
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
    context = event_page_context(this_round.tournament, may_run=True, number=number) | {
        "round": this_round,
        "at": done.finished_at,
        "lines": [
            NamedWhatIfRound(
                outcome=one, was=_what_if_lines(one["was"], cards), would_be=_what_if_lines(one["would_be"], cards)
            )
            for one in told
            for cards in [
                {card.tpn: card for card in snapshot_before_round(this_round.tournament, one["number"]).cards}
            ]
        ],
    }
    return render(request, "pairing/rounds/comparison/what_if_result.html", context)


def _what_if_lines(seats: list[WhatIfBoard], cards: dict[int, PairingCard]) -> tuple[NamedWhatIfBoard, ...]:
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
