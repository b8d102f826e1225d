"""Who may do what: the first line of every view."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser

from clubs.models import Club, Role, User

Visitor: TypeAlias = User | AnonymousUser
"""Whoever sent a request."""


def get_club_for(user: Visitor, slug: str, *roles: Role) -> Club:
    """The club with that address, for someone who holds one of the roles in it (none named: any role at all).

    404 for strangers to the club, signed in or not, so that an address gives nothing away; 403 for those of the
    club without the role.
    """
    raise NotImplementedError


def get_club_for_secretary(user: Visitor, slug: str) -> Club:
    """The club, for its secretary."""
    raise NotImplementedError


def get_club_for_member(user: Visitor, slug: str) -> Club:
    """The club, for anyone with any role in it."""
    raise NotImplementedError


def roles_in(user: Visitor, club: Club) -> frozenset[Role]:
    """The roles someone holds in a club; none for strangers."""
    raise NotImplementedError


def can_run(user: Visitor, club: Club) -> bool:
    """May make and run the club's events: secretary or arbiter."""
    raise NotImplementedError


def clubs_of(user: Visitor) -> list[Club]:
    """The clubs someone holds a role in, by name."""
    raise NotImplementedError
