"""The strip of rounds above each page of an event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import template

from tournaments.models import Bye, Round, Tournament

register = template.Library()

MAX_SQUARES_IN_STRIP, ROUNDS_BESIDE_CURRENT = 15, 2
"""Rounds shown one by one; in a longer event, this number stays on either side of the current one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStripSquare:
    """A square of the strip: one round, or the rounds `first` to `last`, shown as a link to the middle one."""

    round: Round
    first: int = 0
    last: int = 0


@register.simple_tag(takes_context=True)
def rounds_of_event(context: template.Context, tournament: Tournament) -> Iterable[Round]:
    """`{% rounds_of_event tournament as rounds %}`: the rounds in order, from the context if the view read them."""
    given: Any = context.get("rounds")
    return tournament.rounds.defer("scores") if given is None else given


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
    if len(rounds) <= MAX_SQUARES_IN_STRIP:
        return [RoundStripSquare(round=each) for each in rounds]
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
        found.append(RoundStripSquare(round=each))
    return found
