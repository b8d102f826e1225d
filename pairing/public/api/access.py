"""What a request may read and change: the first line of every endpoint."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from ninja.errors import HttpError
from ninja.security import HttpBearer

from clubs.models import Club
from pairing.models import ApiToken
from pairing.public.api.view_decorator import api_token_of
from tournaments.access import events_visible_to_user, get_tournament_by_slug, get_tournament_for_reader
from tournaments.models import Round, Tournament

_NOBODY = AnonymousUser()


class TokenAuth(HttpBearer):
    """Requires a token with one of these scopes. The decorator has found it already."""

    def __init__(self, *scopes: ApiToken.Scope) -> None:
        self.scopes = scopes
        super().__init__()

    def __call__(self, request: HttpRequest) -> ApiToken | None:
        """Return the token, or None without one. Raises HttpError if it lacks the scopes."""
        token = api_token_of(request)
        if token is not None and not set(self.scopes) & set(token.scopes):
            raise HttpError(403, f"This token has no scope {' or '.join(self.scopes)}.")
        return token

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Not used: the decorator reads the header."""
        raise NotImplementedError


def get_event_for_reader(request: HttpRequest, club: str, event: str) -> Tournament:
    """Return a public event, or a private one that the token may read. Raises Http404 for others."""
    token = api_token_of(request)
    if token is None or ApiToken.Scope.READ not in token.scopes or token.club.slug != club:
        return get_tournament_for_reader(_NOBODY, club, event)
    found = get_tournament_by_slug(club, event, club_id=token.club_id)
    if not found.is_public and token.tournament_id not in (None, found.pk):
        raise Http404
    return found


def get_round_for_reader(request: HttpRequest, club: str, event: str, number: int) -> Round:
    """Return a published round of an event that may be read. Raises Http404 if there is none."""
    tournament = get_event_for_reader(request, club, event)
    found = tournament.rounds.filter(number=number).first()
    if found is None or not found.is_public:
        raise Http404
    found.tournament = tournament
    return found


def events_for_reader(request: HttpRequest, club: Club) -> QuerySet[Tournament]:
    """Return the club's events that may be read."""
    token = api_token_of(request)
    if token is None or ApiToken.Scope.READ not in token.scopes or token.club_id != club.pk:
        return events_visible_to_user(_NOBODY, club)
    events = club.tournaments.all()
    return events if token.tournament_id is None else events.filter(Q(is_public=True) | Q(pk=token.tournament_id))


def get_event_for_token(request: HttpRequest, club: str, event: str) -> Tournament:
    """Return an event that the token is for. Raises Http404 for every other, also a public one."""
    token = api_token_of(request)
    if token is None or token.club.slug != club:
        raise Http404
    found = get_tournament_by_slug(club, event, club_id=token.club_id)
    if token.tournament_id not in (None, found.pk):
        raise Http404
    return found


def get_round_for_token(request: HttpRequest, club: str, event: str, number: int) -> Round:
    """Return a round in any state, of an event that the token is for."""
    tournament = get_event_for_token(request, club, event)
    found = tournament.rounds.filter(number=number).first()
    if found is None:
        raise Http404
    found.tournament = tournament
    return found
