"""How a club prints each of its papers: what was chosen the last time is offered the next.

Languages and the size of the paper are of the event they were chosen for: the guests of one are not those of the next,
and what holds for all is set with the club's paper.
"""

from __future__ import annotations

from collections.abc import Mapping

from clubs.models import Club
from pairing.models import PaperPreference
from tournaments.models import Tournament

NEVER_REMEMBERED = frozenset({"only", "after", "round", "spare", "which", "contact", "category"})
"""What is chosen for this time alone."""

REMEMBERED_PER_EVENT = frozenset({"language", "second", "paper"})


def load_remembered_options(club: Club, document: str, event: Tournament | None = None) -> dict[str, str]:
    """What was chosen the last time, by the names of the fields; empty for a paper never printed."""
    return load_all_remembered_options(club, event, document=document).get(document, {})


def load_all_remembered_options(club: Club, event: Tournament | None = None, **of: str) -> dict[str, dict[str, str]]:
    """What was chosen the last time about every paper of the club, or of its event, by its code."""
    found: dict[str, dict[str, str]] = {}
    for habit in PaperPreference.objects.filter(club=club, tournament=None, **of):
        kept = {
            name: value for name, value in habit.options.items() if event is None or name not in REMEMBERED_PER_EVENT
        }
        found[habit.document] = kept
    for habit in event.paper_habits.filter(**of) if event else ():
        found[habit.document] = {**found.get(habit.document, {}), **habit.options}
    return found


def remember_options(club: Club, document: str, options: Mapping[str, str], event: Tournament | None = None) -> None:
    """Keep what was chosen for the next time."""
    kept = {name: value for name, value in options.items() if name not in NEVER_REMEMBERED}
    if event:
        own = {name: kept.pop(name) for name in REMEMBERED_PER_EVENT & kept.keys()}
        PaperPreference.objects.update_or_create(
            club=club, document=document, tournament=event, defaults={"options": own}
        )
    PaperPreference.objects.update_or_create(club=club, document=document, tournament=None, defaults={"options": kept})
