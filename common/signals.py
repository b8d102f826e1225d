"""What follows in rooms above from a change that is made below: said by whoever makes it, done by who asked to be told.

Ratings follow from birth years and entries, of which their rooms know nothing but that somebody may want to hear.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class ChangeKind(StrEnum):
    """What has changed, and by which key it is told."""

    RATED_MEMBERS = "rated members"
    """A member's birth year or games before, or two rows of the book made one: the club's key."""
    LISTINGS = "listings"
    """What a rating list says of members was kept: the key of its `RatingListImport`."""
    EVENT = "event"
    """An entry of an event, in what its results are counted from: the event's key."""
    PLAYER_NEWS = "news"
    """Something of which the players it concerns are to be told: the key of its line in the event's log."""


_followers: dict[ChangeKind, dict[str, Callable[[int], None]]] = {what: {} for what in ChangeKind}


def subscribe_to_changes(what: ChangeKind, name: str, do: Callable[[int], None]) -> None:
    """Have this done whenever it is told; a second one of the same name takes the first one's place."""
    _followers[what][name] = do


def publish(what: ChangeKind, key: int) -> None:
    """Have everything done that follows, now and in the same transaction."""
    for do in _followers[what].values():
        do(key)
