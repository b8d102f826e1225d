"""Who may do what in a club: the first line of every view."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from clubs.models import Club, Membership, Role, User

Visitor: TypeAlias = User | AnonymousUser
"""Whoever sent a request."""

RUNNING_ROLES = frozenset({Role.SECRETARY, Role.ARBITER})
"""Those who make and run a club's events."""


def get_club_for(user: Visitor, slug: str, *roles: Role) -> Club:
    """The club with that address, for someone who holds one of the roles in it (none named: any role at all).

    Http404 for strangers to the club, signed in or not, so that an address gives nothing away; PermissionDenied for
    those of the club without the role. A superuser holds every role.
    """
    club = Club.objects.filter(slug=slug).first()
    held = roles_in(user, club) if club else frozenset()
    if club is None or not held:
        raise Http404
    if roles and not held.intersection(roles):
        raise PermissionDenied
    return club


def get_club_for_secretary(user: Visitor, slug: str) -> Club:
    """The club, for its secretary."""
    return get_club_for(user, slug, Role.SECRETARY)


def get_club_for_arbiter(user: Visitor, slug: str) -> Club:
    """The club, for those who run its events: the secretary and the arbiters."""
    return get_club_for(user, slug, *RUNNING_ROLES)


def get_club_for_member(user: Visitor, slug: str) -> Club:
    """The club, for anyone with any role in it."""
    return get_club_for(user, slug)


def roles_in(user: Visitor, club: Club) -> frozenset[Role]:
    """The roles someone holds in a club; none for strangers."""
    if not user.is_authenticated:
        return frozenset()
    if user.is_superuser:
        return frozenset(Role)
    return frozenset(
        Role(role) for role in Membership.objects.filter(user=user, club=club).values_list("role", flat=True)
    )


def can_run(user: Visitor, club: Club) -> bool:
    """May make and run the club's events: secretary or arbiter."""
    return bool(roles_in(user, club) & RUNNING_ROLES)


def clubs_of(user: Visitor) -> list[Club]:
    """The clubs someone holds a role in, by name."""
    if not user.is_authenticated:
        return []
    if user.is_superuser:
        return list(Club.objects.all())
    return list(Club.objects.filter(memberships__user=user).distinct())
