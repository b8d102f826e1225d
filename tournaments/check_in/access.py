"""Who gets in by a link alone: the first line of the views behind personal links and the code on the wall."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from clubs.access import be_there
from tournaments.access import get_tournament_for_reader, tournament_at
from tournaments.check_in.own_device import Own, owners_here
from tournaments.check_in.own_events import current_entry
from tournaments.check_in.personal_links import (
    WallCode,
    entry_by_token,
    number_of_wall_token,
    person_by_token,
    wall_code,
)
from tournaments.models import Entry, Round, Tournament


def get_tournament_for_its_player(
    request: HttpRequest, club_slug: str, slug: str
) -> tuple[Tournament, tuple[Own, ...]]:
    """The event, and its players to whom this device belongs: for everyone who may read it, and for these.

    Http404 for an event that is not public to whoever neither belongs to the club nor may act for one of its players.
    """
    tournament = tournament_at(club_slug, slug)
    owners = owners_here(request, tournament)
    if not owners:
        get_tournament_for_reader(request.user, club_slug, slug)
    return tournament, owners


def get_entry_for_holder(token: str) -> Entry:
    """The player whose personal link it is: whoever holds it needs no log-in. Http404 for a wrong or renewed one.

    The link of a person leads to the event he is in now.
    """
    person = person_by_token(token)
    entry = entry_by_token(token) if person is None else current_entry(Entry.objects.filter(member=person))
    if entry is None:
        raise Http404
    be_there(entry.tournament.club)
    return entry


def get_round_for_wall(club_slug: str, slug: str, token: str) -> tuple[Round, WallCode]:
    """The round whose code is shown at the door, and what the code is worth.

    Http404 for a wrong code, or where players do not check themselves in. Whether check-in is open is for the page to
    say: who comes late is told so.
    """
    tournament = tournament_at(club_slug, slug)
    number = number_of_wall_token(token)
    found = None if number is None else tournament.rounds.filter(number=number).first()
    if found is None or not tournament.players_check_in:
        raise Http404
    found.tournament = tournament
    code = wall_code(found, token)
    if code is None:
        raise Http404
    return found, code
