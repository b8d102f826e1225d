"""The roles of users in clubs, and what each role may do."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser

from clubs.models import Club, Member, Membership, Role, User
from clubs.two_factor import has_two_factor

Visitor: TypeAlias = User | AnonymousUser
"""The user of a request, signed in or not."""

EVENT_ROLES = frozenset({Role.SECRETARY, Role.ARBITER})
"""Roles that create and run a club's events."""

AUDITOR_ROLES = frozenset({Role.SECRETARY, Role.TREASURER})
"""Roles that may view a club's money."""

OFFICER_ROLES = frozenset({Role.SECRETARY, Role.ARBITER, Role.TREASURER})
"""All roles of people who work for a club."""


def roles_in_club(user: Visitor, club: Club) -> frozenset[Role]:
    """Return the user's effective roles in a club, or an empty set.

    If the club requires two-factor sign-in, officer roles do not count without it.
    """
    roles = assigned_roles(user, club)
    return roles - OFFICER_ROLES if is_two_factor_missing(user, club, roles) else roles


def assigned_roles(user: Visitor, club: Club) -> frozenset[Role]:
    """Return the user's roles in a club, effective or not. A superuser has every role."""
    if not user.is_authenticated:
        return frozenset()
    if user.is_superuser:
        return frozenset(Role)
    return frozenset(
        Role(role) for role in Membership.objects.filter(user=user, club=club).values_list("role", flat=True)
    )


def is_two_factor_missing(user: Visitor, club: Club, roles: frozenset[Role]) -> bool:
    """Return True if the club requires two-factor sign-in for one of the roles and the user has not set it up."""
    return club.officers_need_two_factor and bool(roles & OFFICER_ROLES) and not has_two_factor(user)


def can_run_events(user: Visitor, club: Club) -> bool:
    """Return True if the user is the club's secretary or an arbiter."""
    return bool(roles_in_club(user, club) & EVENT_ROLES)


def can_import_shared_lists(user: Visitor) -> bool:
    """Return True if the user may import FIDE's lists, which all clubs on the server share.

    Allowed for the server's administrator, or for the secretary if there is only one club.
    """
    if not user.is_authenticated:
        return False
    if user.is_superuser:
        return True
    clubs = list(Club.objects.all()[:2])
    return len(clubs) == 1 and Role.SECRETARY in roles_in_club(user, clubs[0])


def clubs_of_user(user: Visitor) -> list[Club]:
    """Return the clubs in which the user has a role, sorted by name."""
    if not user.is_authenticated:
        return []
    if user.is_superuser:
        return list(Club.objects.all())
    return list(Club.objects.filter(memberships__user=user).distinct())


def find_own_member(user: Visitor, club: Club) -> Member | None:
    """Return the user's own member record in the club, or None."""
    if not user.is_authenticated:
        return None
    return Member.objects.filter(club=club, user=user).select_related("club").first()
