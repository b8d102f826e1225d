"""The rounds of an event, above each of its pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import template

from tournaments.models import Round, Tournament

register = template.Library()

MOST_IN_STRIP, AROUND = 15, 2
"""Rounds that a strip holds one by one, and how many stay on either side of the one it is about in a longer event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InStrip:
    """A square of the strip: a round, or those from `first` to `last`, which stand behind the one in their middle."""

    round: Round
    first: int = 0
    last: int = 0


@register.simple_tag(takes_context=True)
def rounds_of(context: template.Context, tournament: Tournament) -> Iterable[Round]:
    """`{% rounds_of tournament as rounds %}`: those the view has read already, else read here, in their order."""
    given: Any = context.get("rounds")
    return tournament.rounds.defer("scores") if given is None else given


@register.simple_tag
def strip_of(rounds: Iterable[Round], number: int | str) -> list[InStrip]:
    """The squares for an event's rounds, `number` the one whose page this is (else the latest that has begun).

    Of a long event the first, the last and those around that one: the strip fits a phone, and shows where one is.
    """
    rounds = list(rounds)
    if len(rounds) <= MOST_IN_STRIP:
        return [InStrip(round=each) for each in rounds]
    begun = [place for place, each in enumerate(rounds) if each.state != Round.State.WAITING]
    here = next((place for place, each in enumerate(rounds) if each.number == number), begun[-1] if begun else 0)
    shown = {0, len(rounds) - 1, *range(max(0, here - AROUND), min(len(rounds), here + AROUND + 1))}
    found: list[InStrip] = []
    left_out: list[Round] = []
    for place, each in enumerate(rounds):
        if place not in shown:
            left_out.append(each)
            continue
        if left_out:
            middle = left_out[len(left_out) // 2]
            found.append(InStrip(round=middle, first=left_out[0].number, last=left_out[-1].number))
            left_out = []
        found.append(InStrip(round=each))
    return found
