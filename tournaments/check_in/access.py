"""Who gets in by a link alone: the first line of the views behind personal links and the code on the wall."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from clubs.access import activate_club_time_zone
from tournaments.access import get_tournament_by_slug, get_tournament_for_reader
from tournaments.check_in.current_event import current_entry
from tournaments.check_in.personal_links import (
    CheckInCodeProof,
    entry_by_token,
    member_by_token,
    round_number_in_token,
    verify_check_in_code,
)
from tournaments.check_in.remembered_device import OwnedEntry, entries_of_device
from tournaments.models import Entry, Round, Tournament


def get_tournament_for_player(
    request: HttpRequest, club_slug: str, slug: str
) -> tuple[Tournament, tuple[OwnedEntry, ...]]:
    """The event, and its players to whom this device belongs: for everyone who may read it, and for these.

    Http404 for an event that is not public to whoever neither belongs to the club nor may act for one of its players.
    """
    tournament = get_tournament_by_slug(club_slug, slug)
    owners = entries_of_device(request, tournament)
    if not owners:
        get_tournament_for_reader(request.user, club_slug, slug)
    return tournament, owners


def get_entry_for_link_holder(token: str) -> Entry:
    """The player whose personal link it is: whoever holds it needs no log-in. Http404 for a wrong or renewed one.

    The link of a person leads to the event he is in now.
    """
    person = member_by_token(token)
    entry = entry_by_token(token) if person is None else current_entry(Entry.objects.filter(member=person))
    if entry is None:
        raise Http404
    activate_club_time_zone(entry.tournament.club)
    return entry


def get_round_for_check_in_code(club_slug: str, slug: str, token: str) -> tuple[Round, CheckInCodeProof]:
    """The round whose code is shown at the door, and what the code is worth.

    Http404 for a wrong code, or where players do not check themselves in. Whether check-in is open is for the page to
    say: who comes late is told so.
    """
    tournament = get_tournament_by_slug(club_slug, slug)
    number = round_number_in_token(token)
    found = None if number is None else tournament.rounds.filter(number=number).first()
    if found is None or not tournament.players_check_in:
        raise Http404
    found.tournament = tournament
    code = verify_check_in_code(found, token)
    if code is None:
        raise Http404
    return found, code
