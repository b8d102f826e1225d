"""Access checks for invitation and role pages."""

from __future__ import annotations

from django.http import Http404

from clubs.access import get_club_for_secretary
from clubs.membership.accounts.invitations import find_invitation_by_token
from clubs.models import Invitation, Membership
from clubs.roles import Visitor


def get_invitation_for_holder(token: str) -> Invitation:
    """Return the invitation with this token, open or not. Raises Http404 if there is none."""
    invitation = find_invitation_by_token(token)
    if invitation is None:
        raise Http404
    return invitation


def get_invitation_for_secretary(user: Visitor, slug: str, pk: int) -> Invitation:
    """Return one of the club's invitations if the user is its secretary. Raises Http404 if it is another club's."""
    club = get_club_for_secretary(user, slug)
    invitation = club.invitations.filter(pk=pk).select_related("club", "member").first()
    if invitation is None:
        raise Http404
    return invitation


def get_membership_for_secretary(user: Visitor, slug: str, pk: int) -> Membership:
    """Return a role in the club if the user is its secretary. Raises Http404 for a role in another club."""
    club = get_club_for_secretary(user, slug)
    membership = club.memberships.filter(pk=pk).select_related("club", "user").first()
    if membership is None:
        raise Http404
    return membership
