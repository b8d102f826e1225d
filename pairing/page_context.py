"""The common context of an event's pages."""

from __future__ import annotations

from typing import Any

from pairing.access import hall_screen_key
from tournaments.models import Tournament


def event_page_context(
    tournament: Tournament,
    *,
    may_run: bool,
    here: str = "rounds",
    number: int | None = None,
    round_page: str = "round",
) -> dict[str, Any]:
    """Return the context of `tournaments/event_base.html`. `round_page` is the URL name behind the rounds' squares."""
    return {
        "tournament": tournament,
        "may_run": may_run,
        "here": here,
        "number": number,
        "round_page": round_page,
        "hall_key": hall_screen_key(tournament) if may_run and not tournament.is_public else "",
        "rounds": tournament.rounds.defer("scores"),
    }
