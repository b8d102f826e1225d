"""The page that compares one round under two systems. Nothing is saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.request_types import AuthenticatedRequest
from pairing.engine.snapshot import PairingCard, TournamentSnapshot
from pairing.explanations.named_reasons import ExplainedReason, explain_reasons
from pairing.page_context import event_page_context
from pairing.rounds.comparison.differences import (
    BoardDifference,
    PairedBoard,
    PairingComparison,
    boards_by_system,
    compare_pairings,
    snapshot_under_system,
)
from pairing.rounds.comparison.forms import ComparedMethodsForm
from pairing.rounds.lifecycle import transitions as rounds
from tournaments.access import get_round_for_arbiter
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedBoard:
    """A board of one of the two pairings, with names."""

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
    """Show the round paired by two systems of the user's choice, in any state of the round."""
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
