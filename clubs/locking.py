"""Locks on clubs, so that only one transaction at a time books or calculates in a club."""

from __future__ import annotations

from clubs.models import Club


def lock_club(club_id: int) -> Club:
    """Return the club, locked until the transaction ends.

    On SQLite, transactions here start with the write lock anyway.
    """
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)
