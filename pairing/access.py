"""Who may see a round in which state: the first line of the views of rounds."""

from __future__ import annotations

from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner

from clubs.access import Visitor, can_run_events
from tournaments.access import get_round_for_arbiter, get_round_for_reader, get_tournament_for_reader
from tournaments.models import Round, Tournament

HALL_KEY_LIFETIME = timedelta(days=30)


def get_round_for_visitor(user: Visitor, club_slug: str, slug: str, number: int) -> tuple[Round, bool]:
    """The round, and whether the visitor may run it: in every state for those who may, once published for others."""
    tournament = get_tournament_for_reader(user, club_slug, slug)
    if can_run_events(user, tournament.club):
        return get_round_for_arbiter(user, club_slug, slug, number), True
    return get_round_for_reader(user, club_slug, slug, number), False


def get_tournament_for_hall(user: Visitor, club_slug: str, slug: str, key: str) -> Tournament:
    """The event for the screen in its hall: as for readers, and for whoever has the key its officers were given."""
    event = _event_of(key)
    found = Tournament.objects.filter(pk=event, club__slug=club_slug, slug=slug) if event else None
    if found is not None and (tournament := found.select_related("club", "series").first()):
        return tournament
    return get_tournament_for_reader(user, club_slug, slug)


def hall_screen_key(tournament: Tournament) -> str:
    """Opens the hall's screen of an event that is not public, on a computer where nobody is signed in."""
    return _hall_signer().sign(str(tournament.pk))


def _event_of(key: str) -> int | None:
    try:
        return int(_hall_signer().unsign(key, max_age=HALL_KEY_LIFETIME))
    except (BadSignature, ValueError):
        return None


def _hall_signer() -> TimestampSigner:
    return TimestampSigner(salt="pairing.hall")
