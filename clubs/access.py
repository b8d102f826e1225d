"""Access checks: the first line of every view decides who may do what in a club."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404

from clubs.models import Club, LedgerEntry, Member, Role
from clubs.roles import (
    AUDITOR_ROLES,
    EVENT_ROLES,
    OFFICER_ROLES,
    Visitor,
    assigned_roles,
    find_own_member,
    is_two_factor_missing,
    roles_in_club,
)
from clubs.time_zones import activate_club_time_zone
from clubs.two_factor import TwoFactorRequired
from common.models import Job


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
    assigned = assigned_roles(user, club)
    if not assigned:
        raise Http404
    if roles and not assigned.intersection(roles):
        raise PermissionDenied
    if is_two_factor_missing(user, club, assigned) and (roles or assigned <= OFFICER_ROLES):
        raise TwoFactorRequired
    activate_club_time_zone(club)
    return club


def get_club_for_secretary(user: Visitor, slug: str) -> Club:
    """Return the club if the user is its secretary."""
    return get_club_for_role(user, slug, Role.SECRETARY)


def get_club_for_arbiter(user: Visitor, slug: str) -> Club:
    """Return the club if the user is its secretary or one of its arbiters, who may run its events."""
    return get_club_for_role(user, slug, *EVENT_ROLES)


def get_club_for_officer(user: Visitor, slug: str) -> Club:
    """Return the club if the user is one of its officers, who may see its members."""
    return get_club_for_role(user, slug, *OFFICER_ROLES)


def get_club_for_treasurer(user: Visitor, slug: str) -> Club:
    """Return the club if the user is its treasurer."""
    return get_club_for_role(user, slug, Role.TREASURER)


def get_club_for_auditor(user: Visitor, slug: str) -> Club:
    """Return the club if the user is its treasurer or secretary, who may view its money."""
    return get_club_for_role(user, slug, *AUDITOR_ROLES)


def get_member_for_officer(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club if the user is one of its officers. Raises Http404 for another club's members."""
    return _member_of(get_club_for_officer(user, slug), pk)


def get_member_for_secretary(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club if the user is its secretary."""
    return _member_of(get_club_for_secretary(user, slug), pk)


def get_member_for_treasurer(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club if the user is its treasurer."""
    return _member_of(get_club_for_treasurer(user, slug), pk)


def get_member_for_auditor(user: Visitor, slug: str, pk: int) -> Member:
    """Return a member of the club if the user may view its money."""
    return _member_of(get_club_for_auditor(user, slug), pk)


def get_own_member(user: Visitor, slug: str) -> Member:
    """Return the user's own member record in the club. Raises Http404 if there is none."""
    club = get_club_for_member(user, slug)
    member = find_own_member(user, club)
    if member is None:
        raise Http404
    return member


def get_receipt_for_viewer(user: Visitor, slug: str, year: int, number: int) -> LedgerEntry:
    """Return a receipt's ledger entry if the user may view the club's money or is the payer.

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
    """Return a background job if the user started it or is an officer of its club. Raises Http404 if not."""
    job = Job.objects.select_related("club").filter(pk=pk).first() if user.is_authenticated else None
    if job is None:
        raise Http404
    is_officer = user.is_superuser or (job.club is not None and bool(roles_in_club(user, job.club) & OFFICER_ROLES))
    if job.by_id != user.pk and not is_officer:
        raise Http404
    return job


def get_club_for_member(user: Visitor, slug: str) -> Club:
    """Return the club if the user has a role in it."""
    return get_club_for_role(user, slug)


def _member_of(club: Club, pk: int) -> Member:
    member = club.members.filter(pk=pk).select_related("club", "user").first()
    if member is None:
        raise Http404
    return member
