"""One writer at a time in each club: who books or counts holds the club's row until his transaction ends."""

from __future__ import annotations

from clubs.models import Club


def lock_club(club_id: int) -> Club:
    """The club, locked until the transaction ends: SQLite's transactions here begin with the write lock anyhow."""
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)
