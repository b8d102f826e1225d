"""The rounds of an event, above each of its pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template

from tournaments.models import Round, Tournament

register = template.Library()


@register.simple_tag(takes_context=True)
def rounds_of(context: template.Context, tournament: Tournament) -> Iterable[Round]:
    """`{% rounds_of tournament as rounds %}`: those the view has read already, else read here, in their order."""
    given: Any = context.get("rounds")
    return tournament.rounds.defer("scores") if given is None else given
