"""Access checks for setting up the server and creating clubs."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404

from clubs.models import ClubRequest, User
from clubs.roles import Visitor


def check_administrator(user: Visitor) -> User:
    """Return the user if they administer the server. Raises Http404 if not."""
    if not (user.is_authenticated and user.is_superuser):
        raise Http404
    return user


def get_club_request_for_administrator(user: Visitor, pk: int) -> ClubRequest:
    """Return a club request if it exists and the user is the server's administrator. Otherwise raises Http404."""
    check_administrator(user)
    found = ClubRequest.objects.filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def check_club_requests_allowed() -> None:
    """Raise Http404 if the server does not accept club requests."""
    if not settings.CLUB_REQUESTS_ALLOWED:
        raise Http404
