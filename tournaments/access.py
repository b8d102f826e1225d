"""Access to events: who may see or change them (the first line of every view), and locking one for a change."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from clubs.access import get_club_for_role, get_club_for_secretary
from clubs.models import Club, Role
from clubs.roles import EVENT_ROLES, Visitor, roles_in_club
from clubs.time_zones import activate_club_time_zone
from common.locking import lock_row
from tournaments.models import Round, Tournament
from tournaments.problems import EventDeleted


def get_tournament_for_arbiter(user: Visitor, club_slug: str, slug: str) -> Tournament:
    """Return the event if the user is the secretary or an arbiter of its club.

    Raises Http404 if the user has no role in the club, and PermissionDenied if they have another role.
    """
    club = get_club_for_role(user, club_slug, *EVENT_ROLES)
    return get_tournament_by_slug(club_slug, slug, club_id=club.pk)


def get_tournament_for_secretary(user: Visitor, club_slug: str, slug: str) -> Tournament:
    """Return the event if the user is the secretary of its club. Raises what `get_tournament_for_arbiter` raises."""
    club = get_club_for_secretary(user, club_slug)
    return get_tournament_by_slug(club_slug, slug, club_id=club.pk)


def events_visible_to_user(user: Visitor, club: Club) -> QuerySet[Tournament]:
    """Return a club's events that a user may see: all of them with a role in the club, otherwise the public ones."""
    return events_visible_to_roles(roles_in_club(user, club), club)


def events_visible_to_roles(roles: Collection[Role], club: Club) -> QuerySet[Tournament]:
    """Return the events that these roles in the club may see."""
    events = club.tournaments.all()
    return events if roles else events.filter(is_public=True)


def get_tournament_for_reader(user: Visitor, club_slug: str, slug: str) -> Tournament:
    """Return the event if it is public or the user has a role in its club. Raises Http404 if not."""
    tournament = get_tournament_by_slug(club_slug, slug)
    if not tournament.is_public and not roles_in_club(user, tournament.club):
        raise Http404
    return tournament


def get_round_for_arbiter(user: Visitor, club_slug: str, slug: str, number: int) -> Round:
    """Return a round in any state if the user is the secretary or an arbiter of the club."""
    return _round(get_tournament_for_arbiter(user, club_slug, slug), number)


def get_round_for_reader(user: Visitor, club_slug: str, slug: str, number: int) -> Round:
    """Return a round if it is published or finished and the user can see the event. Raises Http404 if not."""
    found = _round(get_tournament_for_reader(user, club_slug, slug), number)
    if found.state not in (Round.State.PUBLISHED, Round.State.FINISHED):
        raise Http404
    return found


def get_tournament_by_slug(club_slug: str, slug: str, **conditions: int) -> Tournament:
    """Return an event by its slugs, without an access check. Raises Http404 if there is none."""
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


def lock_tournament(tournament_id: int) -> Tournament:
    """Return the event, reloaded and locked until the caller's transaction ends. Raises EventDeleted.

    One lock per event, so that changes of its players, rounds or pairings never interleave.
    """
    try:
        return lock_row(Tournament.objects.select_related("club"), tournament_id)
    except Tournament.DoesNotExist:
        raise EventDeleted(_("This event has been deleted.")) from None


def lock_round(round: Round) -> Round:
    """Return a round, reloaded, with its event locked."""
    tournament = lock_tournament(round.tournament_id)
    fresh = Round.objects.get(pk=round.pk)
    fresh.tournament = tournament
    return fresh
