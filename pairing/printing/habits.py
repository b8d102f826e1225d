"""How a club prints each of its papers: what was chosen the last time is offered the next."""

from __future__ import annotations

from collections.abc import Mapping

from clubs.models import Club
from pairing.models import PaperHabit

FOR_ONCE = frozenset({"only", "after", "round", "spare", "which", "contact", "category"})
"""What is chosen for this time alone."""


def habit_of(club: Club, document: str) -> dict[str, str]:
    """What was chosen the last time, by the names of the fields; empty for a paper never printed."""
    habit = PaperHabit.objects.filter(club=club, document=document).first()
    return dict(habit.options) if habit else {}


def habits_of(club: Club) -> dict[str, dict[str, str]]:
    """What was chosen the last time about every paper of the club, by its code."""
    return {habit.document: dict(habit.options) for habit in PaperHabit.objects.filter(club=club)}


def remember(club: Club, document: str, options: Mapping[str, str]) -> None:
    """Keep what was chosen for the next time."""
    kept = {name: value for name, value in options.items() if name not in FOR_ONCE}
    PaperHabit.objects.update_or_create(club=club, document=document, defaults={"options": kept})
