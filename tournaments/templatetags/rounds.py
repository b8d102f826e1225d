"""The strip of rounds above each page of an event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from tournaments.models import Bye, Round, Tournament

register = template.Library()

PRINT = "print_centre"
"""The URL name of the page with all printouts, which has the round in its query."""

MAX_SQUARES_IN_STRIP, ROUNDS_BESIDE_CURRENT = 15, 2
"""Rounds shown one by one; in a longer event, this number stays on either side of the current one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStripSquare:
    """A square of the strip: one round, or the rounds `first` to `last`, shown as a link to the middle one.

    `is_due` is True for a round to be paired next: all rounds before it are finished.
    """

    round: Round
    first: int = 0
    last: int = 0
    is_due: bool = False


@register.simple_tag(takes_context=True)
def rounds_of_event(context: template.Context, tournament: Tournament) -> Iterable[Round]:
    """`{% rounds_of_event tournament as rounds %}`: the rounds in order, from the context if the view read them."""
    given: Any = context.get("rounds")
    return tournament.rounds.defer("scores") if given is None else given


@register.simple_tag(takes_context=True)
def round_url(context: template.Context, square: Round) -> str:
    """`{% round_url round as address %}`: where a round's square leads, or "" if the visitor cannot open that page.

    By default it is the round's page. `round_page` of the context is the URL name of another kind of page about a
    round, such as the standings after it. The rest of the query then stays. A round that has no such page yet leads
    officers to its own page.
    """
    page, may_run = context.get("round_page") or "round", bool(context.get("may_run"))
    if not square.is_public:
        if not may_run:
            return ""
        if page != PRINT or square.state != Round.State.DRAFT:
            page = "round"
    tournament: Tournament = context["tournament"]
    event = [tournament.club.slug, tournament.slug]
    if page == PRINT:
        return f"{reverse(page, args=event)}?of_round={square.number}"
    address = reverse(page, args=[*event, square.number])
    if page == "round":
        return address
    query = context["request"].GET.copy()
    for name in ("page", "step"):
        query.pop(name, None)
    return f"{address}?{query.urlencode()}" if query else address


@register.filter
def bye_label(kind: str, tournament: Tournament) -> str:
    """`{{ bye.kind|bye_label:tournament }}`: the kind of bye as this event calls it."""
    return Bye.Kind(kind).label_in(tournament.system)


@register.simple_tag
def round_strip(rounds: Iterable[Round], number: int | str) -> list[RoundStripSquare]:
    """Return the squares for an event's rounds. `number` is the page's round, by default the latest that has started.

    For a long event: the first, the last and those around this round, so that the strip fits a phone.
    """
    rounds = list(rounds)
    current = next((each for each in rounds if each.state != Round.State.FINISHED), None)

    def make_square(each: Round) -> RoundStripSquare:
        return RoundStripSquare(round=each, is_due=each is current and each.state == Round.State.WAITING)

    if len(rounds) <= MAX_SQUARES_IN_STRIP:
        return [make_square(each) for each in rounds]
    begun = [place for place, each in enumerate(rounds) if each.state != Round.State.WAITING]
    here = next((place for place, each in enumerate(rounds) if each.number == number), begun[-1] if begun else 0)
    shown = {
        0,
        len(rounds) - 1,
        *range(max(0, here - ROUNDS_BESIDE_CURRENT), min(len(rounds), here + ROUNDS_BESIDE_CURRENT + 1)),
    }
    found: list[RoundStripSquare] = []
    left_out: list[Round] = []
    for place, each in enumerate(rounds):
        if place not in shown:
            left_out.append(each)
            continue
        if left_out:
            middle = left_out[len(left_out) // 2]
            found.append(RoundStripSquare(round=middle, first=left_out[0].number, last=left_out[-1].number))
            left_out = []
        found.append(make_square(each))
    return found
