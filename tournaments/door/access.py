"""Who gets in by a link alone: the first line of the views behind personal links and the code on the wall."""

from __future__ import annotations

from django.http import Http404
from django.utils.crypto import constant_time_compare

from tournaments.access import tournament_at
from tournaments.door.personal_links import entry_by_token, number_of_wall_token, wall_token
from tournaments.models import Entry, Round


def get_entry_for_holder(token: str) -> Entry:
    """The player whose personal link it is: whoever holds it needs no log-in. Http404 for a wrong or renewed one."""
    entry = entry_by_token(token)
    if entry is None:
        raise Http404
    return entry


def get_round_for_wall(club_slug: str, slug: str, token: str) -> Round:
    """The round whose code hangs on the wall; Http404 for a wrong code, or where players do not check themselves in.

    Whether check-in is open is for the page to say: who comes late is told so.
    """
    tournament = tournament_at(club_slug, slug)
    number = number_of_wall_token(token)
    found = None if number is None else tournament.rounds.filter(number=number).first()
    if found is None or not tournament.players_check_in:
        raise Http404
    found.tournament = tournament
    if not constant_time_compare(token, wall_token(found)):
        raise Http404
    return found
