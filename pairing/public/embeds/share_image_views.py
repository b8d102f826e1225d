"""Preview images of shared links: cached for everyone, for public events only."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from pairing.public.embeds.share_card_drawing import FontsMissingError, draw_share_card
from pairing.public.embeds.share_cards import ShareCard, board_share_card, round_share_card, standings_share_card
from tournaments.access import get_round_for_reader, get_tournament_for_reader
from tournaments.problems import ArbiterProblem

CACHE_SECONDS = 24 * 60 * 60
"""Seconds for which an image is cached by its content."""

_public = cache_control(public=True, max_age=600)
_STRANGER = AnonymousUser()
"""Used for every request: images are public, so nobody's permissions add anything."""


@login_not_required
@require_safe
@_public
def round_share_image(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The first boards of a published round."""
    this_round = get_round_for_reader(_STRANGER, club, event, number)
    return _answered(request, lambda: round_share_card(this_round))


@login_not_required
@require_safe
@_public
def board_share_image(request: HttpRequest, club: str, event: str, number: int, board: int) -> HttpResponse:
    """One board of a published round."""
    this_round = get_round_for_reader(_STRANGER, club, event, number)
    return _answered(request, lambda: board_share_card(this_round, board))


@login_not_required
@require_safe
@_public
def standings_share_image(request: HttpRequest, club: str, event: str, after: int | None = None) -> HttpResponse:
    """The top of the table after a published round, by default the latest."""
    tournament = get_tournament_for_reader(_STRANGER, club, event)
    if after is not None:
        get_round_for_reader(_STRANGER, club, event, after)
    return _answered(request, lambda: standings_share_card(tournament, after))


def _answered(request: HttpRequest, make: Callable[[], ShareCard | None]) -> HttpResponse:
    try:
        card = make()
        if card is None:
            raise Http404
        etag = f'"{card.content_hash}"'
        known = get_conditional_response(request, etag=etag)
        return known or HttpResponse(_picture(card), content_type="image/png", headers={"ETag": etag})
    except (ArbiterProblem, FontsMissingError) as nothing:
        raise Http404 from nothing


def _picture(card: ShareCard) -> bytes:
    kept: bytes | None = caches["pictures"].get(card.content_hash)
    if kept is None:
        kept = draw_share_card(card)
        caches["pictures"].set(card.content_hash, kept, CACHE_SECONDS)
    return kept
