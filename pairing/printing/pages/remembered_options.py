"""A club's last options for each of its papers, offered again next time.

Languages and paper size are remembered for each event: other events have other guests. Defaults for all events are set
with the club's letterhead.
"""

from __future__ import annotations

from collections.abc import Mapping

from clubs.models import Club
from pairing.models import PaperPreference
from tournaments.models import Tournament

NEVER_REMEMBERED = frozenset({"only", "after", "round", "spare", "which", "contact", "category"})
"""Options for this time only."""

REMEMBERED_PER_EVENT = frozenset({"language", "second", "paper"})


def load_remembered_options(club: Club, document: str, event: Tournament | None = None) -> dict[str, str]:
    """Return the last options of a paper by field; empty if it was never printed."""
    return load_all_remembered_options(club, event, document=document).get(document, {})


def load_all_remembered_options(club: Club, event: Tournament | None = None, **of: str) -> dict[str, dict[str, str]]:
    """Return the last options of all papers of the club, or of its event, by the paper's code."""
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
    """Store the options for next time."""
    kept = {name: value for name, value in options.items() if name not in NEVER_REMEMBERED}
    if event:
        own = {name: kept.pop(name) for name in REMEMBERED_PER_EVENT & kept.keys()}
        PaperPreference.objects.update_or_create(
            club=club, document=document, tournament=event, defaults={"options": own}
        )
    PaperPreference.objects.update_or_create(club=club, document=document, tournament=None, defaults={"options": kept})
