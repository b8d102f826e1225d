"""Who may do what in a club: the first line of every view."""

from __future__ import annotations

from typing import TypeAlias

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from clubs.models import Club, LedgerEntry, Member, Membership, Role, User
from common.models import Job

Visitor: TypeAlias = User | AnonymousUser
"""Whoever sent a request."""

EVENT_ROLES = frozenset({Role.SECRETARY, Role.ARBITER})
"""Those who make and run a club's events."""


AUDITOR_ROLES = frozenset({Role.SECRETARY, Role.TREASURER})
"""Those who may look at a club's money."""

OFFICER_ROLES = frozenset({Role.SECRETARY, Role.ARBITER, Role.TREASURER})
"""Those who work for a club."""


class TwoFactorRequired(PermissionDenied):
    """The club demands a second step of signing in from its officers, and this one has none yet."""


def get_club_for_role(user: Visitor, slug: str, *roles: Role) -> Club:
    """The club with that address, for someone who holds one of the roles in it (none named: any role at all).

    Http404 for strangers to the club, signed in or not, so that an address gives nothing away; PermissionDenied for
    those of the club without the role, SecondStepNeeded for those who hold it and sign in too simply for the club. A
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


def activate_club_time_zone(club: Club) -> None:
    """From here on the request's times are the club's; the middleware begins every request with the server's."""
    if club.time_zone:
        timezone.activate(club.time_zone)


def get_club_for_secretary(user: Visitor, slug: str) -> Club:
    """The club, for its secretary."""
    return get_club_for_role(user, slug, Role.SECRETARY)


def get_club_for_arbiter(user: Visitor, slug: str) -> Club:
    """The club, for those who run its events: the secretary and the arbiters."""
    return get_club_for_role(user, slug, *EVENT_ROLES)


def get_club_for_officer(user: Visitor, slug: str) -> Club:
    """The club, for those who work for it: they may read its book."""
    return get_club_for_role(user, slug, *OFFICER_ROLES)


def get_club_for_treasurer(user: Visitor, slug: str) -> Club:
    """The club, for those who book its money."""
    return get_club_for_role(user, slug, Role.TREASURER)


def get_club_for_auditor(user: Visitor, slug: str) -> Club:
    """The club, for those who may look at its money: the treasurer, and the secretary, who books none."""
    return get_club_for_role(user, slug, *AUDITOR_ROLES)


def get_member_for_officer(user: Visitor, slug: str, pk: int) -> Member:
    """Somebody of the club's book, for those who work for it; Http404 for people of other clubs."""
    return _member_of(get_club_for_officer(user, slug), pk)


def get_member_for_secretary(user: Visitor, slug: str, pk: int) -> Member:
    """Somebody of the club's book, for its secretary."""
    return _member_of(get_club_for_secretary(user, slug), pk)


def get_member_for_treasurer(user: Visitor, slug: str, pk: int) -> Member:
    """Somebody of the club's book, for its treasurer."""
    return _member_of(get_club_for_treasurer(user, slug), pk)


def get_member_for_auditor(user: Visitor, slug: str, pk: int) -> Member:
    """Somebody of the club's book, for those who may look at its money."""
    return _member_of(get_club_for_auditor(user, slug), pk)


def get_own_member(user: Visitor, slug: str) -> Member:
    """The signed-in person's own row of the club's book; Http404 for those who have none."""
    club = get_club_for_member(user, slug)
    member = find_own_member(user, club)
    if member is None:
        raise Http404
    return member


def get_receipt_for_viewer(user: Visitor, slug: str, year: int, number: int) -> LedgerEntry:
    """A receipt's line of the ledger, for those who may look at the club's money and for whoever paid."""
    club = get_club_for_member(user, slug)
    found = LedgerEntry.objects.filter(club=club, receipt_year=year, receipt_number=number)
    entry = found.select_related("club", "account__member", "entered_by", "corrects", "corrected_by").first()
    if entry is None:
        raise Http404
    if not roles_in_club(user, club) & AUDITOR_ROLES and entry.account.member != find_own_member(user, club):
        raise Http404
    return entry


def get_job_for_viewer(user: Visitor, pk: int) -> Job:
    """Work in the background, for whoever asked for it and those who work for its club; Http404 for all others."""
    job = Job.objects.select_related("club").filter(pk=pk).first() if user.is_authenticated else None
    if job is None:
        raise Http404
    is_officer = user.is_superuser or (job.club is not None and bool(roles_in_club(user, job.club) & OFFICER_ROLES))
    if job.by_id != user.pk and not is_officer:
        raise Http404
    return job


def find_own_member(user: Visitor, club: Club) -> Member | None:
    """The row of the club's book that is this person's own, if there is one."""
    if not user.is_authenticated:
        return None
    return Member.objects.filter(club=club, user=user).select_related("club").first()


def get_club_for_member(user: Visitor, slug: str) -> Club:
    """The club, for anyone with any role in it."""
    return get_club_for_role(user, slug)


def roles_in_club(user: Visitor, club: Club) -> frozenset[Role]:
    """The roles in which someone may act in a club; none for strangers.

    Where the club demands a second step of its officers, whoever has none is a member at most.
    """
    held = _roles_held(user, club)
    return held if _signs_in_well_enough(user, club, held) else held - OFFICER_ROLES


def _signs_in_well_enough(user: Visitor, club: Club, held: frozenset[Role]) -> bool:
    if not club.officers_need_two_factor or not held & OFFICER_ROLES:
        return True
    return has_two_factor(user)


def has_two_factor(user: Visitor) -> bool:
    """Signs in with a one-time code after the password."""
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
    """May make and run the club's events: secretary or arbiter."""
    return bool(roles_in_club(user, club) & EVENT_ROLES)


def clubs_of_user(user: Visitor) -> list[Club]:
    """The clubs someone holds a role in, by name."""
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
    """May bring in FIDE's lists, which all clubs of this server share: its administrator, or its only secretary."""
    if not user.is_authenticated:
        return False
    if user.is_superuser:
        return True
    clubs = list(Club.objects.all()[:2])
    return len(clubs) == 1 and Role.SECRETARY in roles_in_club(user, clubs[0])
