"""The same round under two systems, side by side; nothing is saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.requests import OfficerRequest
from pairing.engine.snapshot import PairingCard, TournamentSnapshot
from pairing.explanations.with_names import Explained, in_words
from pairing.frame import frame
from pairing.rounds.comparison.differences import Compared, Difference, Seat, compare, seats_by_system, under
from pairing.rounds.comparison.forms import WaysForm
from pairing.rounds.lifecycle import pairing as rounds
from tournaments.access import get_round_for_arbiter
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedLine:
    """A board of one of the two pairings, with names."""

    board: int | None
    white: PairingCard
    black: PairingCard | None
    difference: Difference
    why: tuple[Explained, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two pairings: what it is called, and the boards that the other one has not."""

    title: str
    lines: tuple[ComparedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two pairings, ready for `pairing/rounds/comparison/comparison.html`."""

    sides: tuple[Side, Side]
    agreeing: tuple[ComparedLine, ...]


@require_safe
def round_compare(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """The round paired by two systems of one's choice, whatever its state."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    form = WaysForm(request.GET or None, round=this_round)
    comparison, problem = None, ""
    try:
        snapshot = rounds.take_snapshot(this_round)
        if any(card.unavailable is None for card in snapshot.cards):
            comparison = _compared(snapshot, form)
    except ArbiterProblem as trouble:
        problem = trouble.message
    context = frame(this_round.tournament, may_run=True, number=number) | {
        "round": this_round,
        "form": form,
        "comparison": comparison,
        "problem": problem,
    }
    return render(request, "pairing/rounds/comparison/compare.html", context)


def comparison_of(compared: Compared, snapshot: TournamentSnapshot, titles: tuple[str, str]) -> Comparison:
    """Two compared pairings with the names of their players."""
    cards = {card.tpn: card for card in snapshot.cards}
    one, other = (
        Side(title=title, lines=tuple(_lines(seats, cards)))
        for title, seats in zip(titles, (_differing(compared.one), _differing(compared.other)), strict=True)
    )
    agreeing = _lines(((seat, Difference.SAME) for seat in compared.agreeing), cards)
    return Comparison(sides=(one, other), agreeing=tuple(agreeing))


def _compared(snapshot: TournamentSnapshot, form: WaysForm) -> Comparison:
    ways = form.ways
    one, other = (seats_by_system(under(snapshot, **way.options)) for way in ways)
    return comparison_of(compare(one, other), snapshot, (ways[0].title, ways[1].title))


def _differing(seats: Iterable[tuple[Seat, Difference]]) -> list[tuple[Seat, Difference]]:
    return [(seat, difference) for seat, difference in seats if difference is not Difference.SAME]


def _lines(seats: Iterable[tuple[Seat, Difference]], cards: dict[int, PairingCard]) -> Iterable[ComparedLine]:
    names = {tpn: card.name for tpn, card in cards.items()}
    for seat, difference in seats:
        yield ComparedLine(
            board=seat.board,
            white=cards[seat.white],
            black=None if seat.black is None else cards[seat.black],
            difference=difference,
            why=in_words(seat.reasons, names),
        )
