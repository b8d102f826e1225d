"""Access checks for pages opened by a link alone: the first line of views behind personal links and check-in codes."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from clubs.time_zones import activate_club_time_zone
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
    """Return the event, and the players who own this device.

    Raises Http404 if the event is private, unless the visitor has a role in the club or may act for a player.
    """
    tournament = get_tournament_by_slug(club_slug, slug)
    owners = entries_of_device(request, tournament)
    if not owners:
        get_tournament_for_reader(request.user, club_slug, slug)
    return tournament, owners


def get_entry_for_link_holder(token: str) -> Entry:
    """Return the player with this personal link. No sign-in is needed.

    Raises Http404 if the link is wrong or was renewed. The link of a member leads to the event they are in now.
    """
    person = member_by_token(token)
    entry = entry_by_token(token) if person is None else current_entry(Entry.objects.filter(member=person))
    if entry is None:
        raise Http404
    activate_club_time_zone(entry.tournament.club)
    return entry


def get_round_for_check_in_code(club_slug: str, slug: str, token: str) -> tuple[Round, CheckInCodeProof]:
    """Return the round with this check-in code, and how strong a proof the code is.

    Raises Http404 if the code is wrong, or if players do not check themselves in. Check-in may already be closed: the
    page reports that.
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
