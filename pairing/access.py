"""Access to rounds by their state: the first line of round views."""

from __future__ import annotations

from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner

from clubs.roles import Visitor, can_run_events
from tournaments.access import get_round_for_arbiter, get_round_for_reader, get_tournament_for_reader
from tournaments.models import Round, Tournament

HALL_KEY_LIFETIME = timedelta(days=30)


def get_round_for_visitor(user: Visitor, club_slug: str, slug: str, number: int) -> tuple[Round, bool]:
    """Return the round, and True if the visitor may run it. Others see published rounds only."""
    tournament = get_tournament_for_reader(user, club_slug, slug)
    if can_run_events(user, tournament.club):
        return get_round_for_arbiter(user, club_slug, slug, number), True
    return get_round_for_reader(user, club_slug, slug, number), False


def get_tournament_for_hall(user: Visitor, club_slug: str, slug: str, key: str) -> Tournament:
    """Return the event for its hall screen if the user may view the event or the key is valid."""
    event = _event_of(key)
    found = Tournament.objects.filter(pk=event, club__slug=club_slug, slug=slug) if event else None
    if found is not None and (tournament := found.select_related("club", "series").first()):
        return tournament
    return get_tournament_for_reader(user, club_slug, slug)


def hall_screen_key(tournament: Tournament) -> str:
    """Return a key that opens the hall screen of a private event without signing in."""
    return _hall_signer().sign(str(tournament.pk))


def _event_of(key: str) -> int | None:
    try:
        return int(_hall_signer().unsign(key, max_age=HALL_KEY_LIFETIME))
    except (BadSignature, ValueError):
        return None


def _hall_signer() -> TimestampSigner:
    return TimestampSigner(salt="pairing.hall")
