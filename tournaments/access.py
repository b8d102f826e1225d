"""Who may see and run which event: the first line of every view of events."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet
from django.http import Http404

from clubs.access import EVENT_ROLES, Visitor, activate_club_time_zone, get_club_for_role, roles_in_club
from clubs.models import Club, Role
from tournaments.models import Round, Tournament


def get_tournament_for_arbiter(user: Visitor, club_slug: str, slug: str) -> Tournament:
    """The event, for the secretary or an arbiter of its club.

    Http404 for strangers to the club, PermissionDenied for its other members.
    """
    club = get_club_for_role(user, club_slug, *EVENT_ROLES)
    return get_tournament_by_slug(club_slug, slug, club_id=club.pk)


def events_visible_to_user(user: Visitor, club: Club) -> QuerySet[Tournament]:
    """The events of a club that somebody may see: all for those of the club, else the public ones."""
    return events_visible_to_roles(roles_in_club(user, club), club)


def events_visible_to_roles(roles: Collection[Role], club: Club) -> QuerySet[Tournament]:
    """The same for somebody with these roles in the club, or none."""
    events = club.tournaments.all()
    return events if roles else events.filter(is_public=True)


def get_tournament_for_reader(user: Visitor, club_slug: str, slug: str) -> Tournament:
    """The event, for everyone if it is public, else for anyone with a role in its club; Http404 otherwise."""
    tournament = get_tournament_by_slug(club_slug, slug)
    if not tournament.is_public and not roles_in_club(user, tournament.club):
        raise Http404
    return tournament


def get_round_for_arbiter(user: Visitor, club_slug: str, slug: str, number: int) -> Round:
    """A round, whatever its state, for those who run the event."""
    return _round(get_tournament_for_arbiter(user, club_slug, slug), number)


def get_round_for_reader(user: Visitor, club_slug: str, slug: str, number: int) -> Round:
    """A published or finished round, for those who may read the event; Http404 before it is published."""
    found = _round(get_tournament_for_reader(user, club_slug, slug), number)
    if found.state not in (Round.State.PUBLISHED, Round.State.FINISHED):
        raise Http404
    return found


def get_tournament_by_slug(club_slug: str, slug: str, **conditions: int) -> Tournament:
    """The event of an address, whoever asks; Http404 where there is none."""
    try:
        tournament = Tournament.objects.select_related("club", "series").get(
            club__slug=club_slug, slug=slug, **conditions
        )
    except Tournament.DoesNotExist:
        raise Http404 from None
    activate_club_time_zone(tournament.club)
    return tournament


def _round(tournament: Tournament, number: int) -> Round:
    found = tournament.rounds.filter(number=number).first()
    if found is None:
        raise Http404
    found.tournament = tournament
    return found
