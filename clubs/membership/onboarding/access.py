"""Who may set up and make clubs: the first line of these views."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404

from clubs.access import Visitor
from clubs.models import ClubRequest, User


def check_administrator(user: Visitor) -> User:
    """The server's administrator; Http404 for all others."""
    if not (user.is_authenticated and user.is_superuser):
        raise Http404
    return user


def get_club_request_for_administrator(user: Visitor, pk: int) -> ClubRequest:
    """A club that somebody asked for, for the server's administrator."""
    check_administrator(user)
    found = ClubRequest.objects.filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def check_club_requests_allowed() -> None:
    """Http404 where the server's setting does not let strangers ask for clubs."""
    if not settings.CLUBS_MAY_BE_ASKED_FOR:
        raise Http404
