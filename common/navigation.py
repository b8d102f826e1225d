"""Ways from a page to the pages of other rooms, offered by the rooms they lead to.

A page says where such ways may stand (`{% ways "book" club.slug as found %}`) and knows none of them; whoever owns a
page offers the way to it beside its address, in the `urls.py` of its room.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise

Context = Mapping[str, Any]


class Spot(StrEnum):
    """Where ways stand, and what their addresses are made of."""

    CLUB = "club"
    """The lasting menu of a club, with what `frame` makes as its context: the club's slug."""
    EVENT = "event"
    """Tabs of an event: the slugs of club and event."""
    EVENT_MORE = "event more"
    """What can be done with an event beside running it, for whoever runs it: the slugs of club and event."""
    NEW_EVENT = "new event"
    """Other ways to a new event: the club's slug."""
    BOOK = "book"
    """Beside the list of members: the club's slug."""
    STATISTICS = "statistics"
    """Above the members in figures: the club's slug."""
    ACCOUNT = "account"
    """On a member's account, for the treasurer: the club's slug, the member's key."""
    LISTED = "listed"
    """Beside a player of a rating list: the club's slug, the player's key."""
    LINKS = "links"
    """Above the page of an event's personal links: the slugs of club and event."""
    MEMBER = "member"
    """What can be done with a person's data: the club's slug, the member's key."""
    MEMBER_FACTS = "member facts"
    """Where more stands about a person: as for MEMBER."""
    OWN = "own"
    """On one's own page: the club's slug."""
    RECEIPT = "receipt"
    """On a receipt: the club's slug, year and number."""
    BOOKS = "books"
    """On a year's report: the club's slug and the year."""
    BOOKS_ACCOUNT = "books_account"
    """On the sheet of an account or a category of the books: the club's slug, the account's key and the year."""
    OVERDUE = "overdue"
    """Above the page of what is overdue: the club's slug."""
    MONEY = "money"
    """Above the page of dues: the club's slug."""
    CLUB_RATINGS = "ratings of club"
    """Above the club's own ratings: the club's slug."""
    MONTH_OF_RATINGS = "month of ratings"
    """Below the ratings of a month, which a page of them is asked for by `kind` and `month`: the club's slug."""
    RATINGS = "ratings"
    """Above the pages of rating lists: the club's slug."""
    SETTINGS = "settings"
    """Sections of a club's settings that have a page of their own: the club's slug."""
    ARRIVING = "arriving"
    """On a server without clubs, and where clubs are made: nothing."""
    ARRIVED = "arrived"
    """What comes first in a new club: the club's slug."""
    PAPER = "paper"
    """Above the page of the club's paper: the club's slug."""


def always(_context: Context) -> bool:
    """A way that everyone who sees the page may go."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way: to the page of that address name, under a title, at a place among the others of its spot.

    `name` is what the page calls itself (`here`); `when` is asked with the context of the page the way stands on.
    """

    spot: Spot
    name: str
    title: str | Promise
    page: str
    place: int
    when: Callable[[Context], bool] = always
    is_danger: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWay:
    """A way with its address, for a template."""

    name: str
    title: str
    address: str
    is_danger: bool


_offered: defaultdict[Spot, dict[str, Way]] = defaultdict(dict)


def offer(*ways: Way) -> None:
    """Have these ways stand where they belong."""
    for way in ways:
        if _offered[way.spot].setdefault(way.name, way) != way:
            raise ValueError(f"two ways at {way.spot!r} are called {way.name!r}")


def ways_at(spot: str, context: Context, *arguments: Any) -> list[ShownWay]:
    """The ways that stand at a spot for whoever sees the page, in their order."""
    offered = sorted(_offered[Spot(spot)].values(), key=lambda way: way.place)
    return [
        ShownWay(
            name=way.name, title=str(way.title), address=reverse(way.page, args=arguments), is_danger=way.is_danger
        )
        for way in offered
        if way.when(context)
    ]
