"""How a club prints each of its papers: what was chosen the last time is offered the next.

Languages and the size of the paper are of the event they were chosen for: the guests of one are not those of the next,
and what holds for all is set with the club's paper.
"""

from __future__ import annotations

from collections.abc import Mapping

from clubs.models import Club
from pairing.models import PaperHabit
from tournaments.models import Tournament

FOR_ONCE = frozenset({"only", "after", "round", "spare", "which", "contact", "category"})
"""What is chosen for this time alone."""

OF_THE_EVENT = frozenset({"language", "second", "paper"})


def habit_of(club: Club, document: str, event: Tournament | None = None) -> dict[str, str]:
    """What was chosen the last time, by the names of the fields; empty for a paper never printed."""
    return habits_of(club, event, document=document).get(document, {})


def habits_of(club: Club, event: Tournament | None = None, **of: str) -> dict[str, dict[str, str]]:
    """What was chosen the last time about every paper of the club, or of its event, by its code."""
    found: dict[str, dict[str, str]] = {}
    for habit in PaperHabit.objects.filter(club=club, tournament=None, **of):
        kept = {name: value for name, value in habit.options.items() if event is None or name not in OF_THE_EVENT}
        found[habit.document] = kept
    for habit in event.paper_habits.filter(**of) if event else ():
        found[habit.document] = {**found.get(habit.document, {}), **habit.options}
    return found


def remember(club: Club, document: str, options: Mapping[str, str], event: Tournament | None = None) -> None:
    """Keep what was chosen for the next time."""
    kept = {name: value for name, value in options.items() if name not in FOR_ONCE}
    if event:
        own = {name: kept.pop(name) for name in OF_THE_EVENT & kept.keys()}
        PaperHabit.objects.update_or_create(club=club, document=document, tournament=event, defaults={"options": own})
    PaperHabit.objects.update_or_create(club=club, document=document, tournament=None, defaults={"options": kept})
