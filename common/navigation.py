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

PageContext = Mapping[str, Any]


class MenuSlot(StrEnum):
    """Where ways stand, and what their addresses are made of."""

    CLUB = "club"
    """The lasting menu of a club, with what `frame` makes as its context: the club's slug."""
    EVENT = "event"
    """Tabs of an event: the slugs of club and event."""
    EVENT_MORE = "event more"
    """What can be done with an event beside running it, for whoever runs it: the slugs of club and event."""
    NEW_EVENT = "new event"
    """Other ways to a new event: the club's slug."""
    MEMBER_LIST = "book"
    """Beside the list of members: the club's slug."""
    STATISTICS = "statistics"
    """Above the members in figures: the club's slug."""
    ACCOUNT = "account"
    """On a member's account, for the treasurer: the club's slug, the member's key."""
    LISTED_PLAYER = "listed"
    """Beside a player of a rating list: the club's slug, the player's key."""
    PERSONAL_LINKS = "links"
    """Above the page of an event's personal links: the slugs of club and event."""
    MEMBER = "member"
    """What can be done with a person's data: the club's slug, the member's key."""
    MEMBER_FACTS = "member facts"
    """Where more stands about a person: as for MEMBER."""
    OWN_PAGE = "own"
    """On one's own page: the club's slug."""
    RECEIPT = "receipt"
    """On a receipt: the club's slug, year and number."""
    ACCOUNTING_YEAR = "books"
    """On a year's report: the club's slug and the year."""
    ACCOUNTING_SHEET = "accounting_account_detail"
    """On the sheet of an account or a category of the books: the club's slug, the account's key and the year."""
    OVERDUE = "overdue"
    """Above the page of what is overdue: the club's slug."""
    DUES = "money"
    """Above the page of dues: the club's slug."""
    CLUB_RATINGS = "ratings of club"
    """Above the club's own ratings: the club's slug."""
    MONTHLY_RATINGS = "month of ratings"
    """Below the ratings of a month, which a page of them is asked for by `kind` and `month`: the club's slug."""
    RATING_LISTS = "ratings"
    """Above the pages of rating lists: the club's slug."""
    SETTINGS = "settings"
    """Sections of a club's settings that have a page of their own: the club's slug."""
    ONBOARDING = "arriving"
    """On a server without clubs, and where clubs are made: nothing."""
    NEW_CLUB = "arrived"
    """What comes first in a new club: the club's slug."""
    LETTERHEAD = "paper"
    """Above the page of the club's paper: the club's slug."""


def is_always_visible(_context: PageContext) -> bool:
    """A way that everyone who sees the page may go."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuLink:
    """One way: to the page of that address name, under a title, at a place among the others of its spot.

    `name` is what the page calls itself (`here`); `is_visible` is asked with the context of the page the way stands on.
    """

    slot: MenuSlot
    name: str
    title: str | Promise
    url_name: str
    position: int
    is_visible: Callable[[PageContext], bool] = is_always_visible
    is_danger: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedMenuLink:
    """A way with its address, for a template."""

    name: str
    title: str
    url: str
    is_danger: bool


_offered: defaultdict[MenuSlot, dict[str, MenuLink]] = defaultdict(dict)


def register_menu_links(*ways: MenuLink) -> None:
    """Have these ways stand where they belong."""
    for way in ways:
        if _offered[way.slot].setdefault(way.name, way) != way:
            raise ValueError(f"two ways at {way.slot!r} are called {way.name!r}")


def menu_links_for(spot: str, context: PageContext, *arguments: Any) -> list[RenderedMenuLink]:
    """The ways that stand at a spot for whoever sees the page, in their order."""
    offered = sorted(_offered[MenuSlot(spot)].values(), key=lambda way: way.position)
    return [
        RenderedMenuLink(
            name=way.name, title=str(way.title), url=reverse(way.url_name, args=arguments), is_danger=way.is_danger
        )
        for way in offered
        if way.is_visible(context)
    ]
