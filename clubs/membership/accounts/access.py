"""Who gets in by an invitation's link: the first line of its page."""

from __future__ import annotations

from django.http import Http404

from clubs.access import Visitor, get_club_for_secretary
from clubs.membership.accounts.invitations import find_invitation_by_token
from clubs.models import Invitation, Membership


def get_invitation_for_holder(token: str) -> Invitation:
    """The invitation, open or not, for whoever holds its link; Http404 for a link that is none."""
    invitation = find_invitation_by_token(token)
    if invitation is None:
        raise Http404
    return invitation


def get_invitation_for_secretary(user: Visitor, slug: str, pk: int) -> Invitation:
    """An invitation of the club, for its secretary; Http404 for those of other clubs."""
    club = get_club_for_secretary(user, slug)
    invitation = club.invitations.filter(pk=pk).select_related("club", "member").first()
    if invitation is None:
        raise Http404
    return invitation


def get_membership_for_secretary(user: Visitor, slug: str, pk: int) -> Membership:
    """Somebody's role in the club, for its secretary; Http404 for those of other clubs."""
    club = get_club_for_secretary(user, slug)
    membership = club.memberships.filter(pk=pk).select_related("club", "user").first()
    if membership is None:
        raise Http404
    return membership
