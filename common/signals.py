"""Change signals: lower packages publish changes, higher packages subscribe to them.

For example, ratings depend on birth years and entries, whose packages know nothing of ratings.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class ChangeKind(StrEnum):
    """The kinds of changes, each with the meaning of its key."""

    RATED_MEMBERS = "rated members"
    """A member's birth year or earlier games changed, or two members were merged: the club's key."""
    LISTINGS = "listings"
    """Rating list data of members was saved: the key of its `RatingListImport`."""
    EVENT = "event"
    """An entry changed in a field used for ratings: the event's key."""
    PLAYER_NEWS = "news"
    """News for the players concerned: the key of its line in the event's log."""
    EVENT_LOGGED = "logged"
    """Something happened in an event that everyone may see: the key of its line in the event's log."""

    PERSON_ERASED = "person erased"
    """A person's data was erased from the database: the club's key."""


_followers: dict[ChangeKind, dict[str, Callable[[int], None]]] = {what: {} for what in ChangeKind}


def subscribe_to_changes(what: ChangeKind, name: str, do: Callable[[int], None]) -> None:
    """Call a function for every change of this kind. A later function with the same name replaces an earlier one."""
    _followers[what][name] = do


def publish(what: ChangeKind, key: int) -> None:
    """Call all subscribers now, in the same transaction."""
    for do in _followers[what].values():
        do(key)
