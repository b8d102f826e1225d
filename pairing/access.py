"""Who may see a round in which state: the first line of the views of rounds."""

from __future__ import annotations

from clubs.access import Visitor, can_run
from tournaments.access import get_round_for_arbiter, get_round_for_reader, get_tournament_for_reader
from tournaments.models import Round


def get_round_for_visitor(user: Visitor, club_slug: str, slug: str, number: int) -> tuple[Round, bool]:
    """The round, and whether the visitor may run it: in every state for those who may, once published for others."""
    tournament = get_tournament_for_reader(user, club_slug, slug)
    if can_run(user, tournament.club):
        return get_round_for_arbiter(user, club_slug, slug, number), True
    return get_round_for_reader(user, club_slug, slug, number), False
