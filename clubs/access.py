"""Access checks: the first line of every view decides who may do what in a club."""

from __future__ import annotations

from typing import TypeAlias

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from clubs.models import Club, LedgerEntry, Member, Membership, Role, User
from clubs.time_zones import activate_club_time_zone
from common.models import Job

Visitor: TypeAlias = User | AnonymousUser
"""The user of a request, signed in or not."""

EVENT_ROLES = frozenset({Role.SECRETARY, Role.ARBITER})
"""Roles that create and run a club's events."""


AUDITOR_ROLES = frozenset({Role.SECRETARY, Role.TREASURER})
"""Roles that may view a club's money."""

OFFICER_ROLES = frozenset({Role.SECRETARY, Role.ARBITER, Role.TREASURER})
"""All roles of people who work for a club."""


class TwoFactorRequired(PermissionDenied):
    """The club requires two-factor sign-in from its officers, and this user has not set it up."""


def get_club_for_role(user: Visitor, slug: str, *roles: Role) -> Club:
    """Return the club if the user has one of these roles in it, or any role if none are given.

    Raises Http404 if the user has no role in the club, so that nobody learns which clubs exist. Raises
    PermissionDenied if they lack the required role, and TwoFactorRequired if the club requires two-factor sign-in. A
    superuser holds every role.
    """
    try:
        club = Club.objects.get(slug=slug)
    except Club.DoesNotExist:
        raise Http404 from None
    held = _roles_held(user, club)
    if not held:
        raise Http404
    if roles and not held.intersection(roles):
        raise PermissionDenied
    if not _signs_in_well_enough(user, club, held) and not (held - OFFICER_ROLES and not roles):
        raise TwoFactorRequired
    activate_club_time_zone(club)
    return club


def get_club_for_secretary(user: Visitor, slug: str) -> Club:
    """Return the club for its secretary."""
    return get_club_for_role(user, slug, Role.SECRETARY)


def get_club_for_arbiter(user: Visitor, slug: str) -> Club:
    """Return the club for its secretary and arbiters, who run its events."""
    return get_club_for_role(user, slug, *EVENT_ROLES)


def get_club_for_officer(user: Visitor, slug: str) -> Club:
    """Return the club for its officers, who may see its members."""
    return get_club_for_role(user, slug, *OFFICER_ROLES)


def get_club_for_treasurer(user: Visitor, slug: str) -> Club:
    """Return the club for its treasurer."""
    return get_club_for_role(user, slug, Role.TREASURER)


def get_club_for_auditor(user: Visitor, slug: str) -> Club:
    """Return the club for those who may view its money: the treasurer and the secretary."""
    return get_club_for_role(user, slug, *AUDITOR_ROLES)


def get_member_for_officer(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club for its officers. Raises Http404 if they belong to another club."""
    return _member_of(get_club_for_officer(user, slug), pk)


def get_member_for_secretary(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club for its secretary."""
    return _member_of(get_club_for_secretary(user, slug), pk)


def get_member_for_treasurer(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club for its treasurer."""
    return _member_of(get_club_for_treasurer(user, slug), pk)


def get_member_for_auditor(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club for those who may view its money."""
    return _member_of(get_club_for_auditor(user, slug), pk)


def get_own_member(user: Visitor, slug: str) -> Member:
    """Return the user's own member record in the club. Raises Http404 if there is none."""
    club = get_club_for_member(user, slug)
    member = find_own_member(user, club)
    if member is None:
        raise Http404
    return member


def get_receipt_for_viewer(user: Visitor, slug: str, year: int, number: int) -> LedgerEntry:
    """Return a receipt's ledger entry for those who may view the club's money and for the payer.

    Raises Http404 for everyone else.
    """
    club = get_club_for_member(user, slug)
    found = LedgerEntry.objects.filter(club=club, receipt_year=year, receipt_number=number)
    entry = found.select_related("club", "account__member", "entered_by", "corrects", "corrected_by").first()
    if entry is None:
        raise Http404
    if not roles_in_club(user, club) & AUDITOR_ROLES and entry.account.member != find_own_member(user, club):
        raise Http404
    return entry


def get_job_for_viewer(user: Visitor, pk: int) -> Job:
    """Return a background job for the user who started it and its club's officers. Raises Http404 for everyone else."""
    job = Job.objects.select_related("club").filter(pk=pk).first() if user.is_authenticated else None
    if job is None:
        raise Http404
    is_officer = user.is_superuser or (job.club is not None and bool(roles_in_club(user, job.club) & OFFICER_ROLES))
    if job.by_id != user.pk and not is_officer:
        raise Http404
    return job


def find_own_member(user: Visitor, club: Club) -> Member | None:
    """Return the user's own member record in the club, or None."""
    if not user.is_authenticated:
        return None
    return Member.objects.filter(club=club, user=user).select_related("club").first()


def get_club_for_member(user: Visitor, slug: str) -> Club:
    """Return the club for anyone with a role in it."""
    return get_club_for_role(user, slug)


def roles_in_club(user: Visitor, club: Club) -> frozenset[Role]:
    """Return the user's effective roles in a club, or an empty set.

    If the club requires two-factor sign-in, officer roles do not count without it.
    """
    held = _roles_held(user, club)
    return held if _signs_in_well_enough(user, club, held) else held - OFFICER_ROLES


def _signs_in_well_enough(user: Visitor, club: Club, held: frozenset[Role]) -> bool:
    if not club.officers_need_two_factor or not held & OFFICER_ROLES:
        return True
    return has_two_factor(user)


def has_two_factor(user: Visitor) -> bool:
    """Return True if the user has set up a second sign-in step."""
    return user.is_authenticated and Authenticator.objects.filter(user_id=user.pk).exists()


def _roles_held(user: Visitor, club: Club) -> frozenset[Role]:
    if not user.is_authenticated:
        return frozenset()
    if user.is_superuser:
        return frozenset(Role)
    return frozenset(
        Role(role) for role in Membership.objects.filter(user=user, club=club).values_list("role", flat=True)
    )


def can_run_events(user: Visitor, club: Club) -> bool:
    """Return True if the user is the club's secretary or an arbiter."""
    return bool(roles_in_club(user, club) & EVENT_ROLES)


def clubs_of_user(user: Visitor) -> list[Club]:
    """Return the clubs in which the user has a role, sorted by name."""
    if not user.is_authenticated:
        return []
    if user.is_superuser:
        return list(Club.objects.all())
    return list(Club.objects.filter(memberships__user=user).distinct())


def _member_of(club: Club, pk: int) -> Member:
    member = club.members.filter(pk=pk).select_related("club", "user").first()
    if member is None:
        raise Http404
    return member


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
