"""Menu links between packages, registered by the package they link to.

A page only declares a menu slot. The owner of a page registers the link beside its URL, in the `urls.py` of its
package.
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
    """The places for menu links, each with the arguments of its URLs."""

    CLUB = "club"
    """The permanent menu of a club, with the club page context: the club's slug."""
    EVENT = "event"
    """Tabs of an event: the slugs of club and event."""
    EVENT_MORE = "event more"
    """Additional actions of an event, for its officers: the slugs of club and event."""
    NEW_EVENT = "new event"
    """Other methods to create an event: the club's slug."""
    MEMBER_LIST = "book"
    """Next to the member list: the club's slug."""
    STATISTICS = "statistics"
    """Above the member statistics: the club's slug."""
    ACCOUNT = "account"
    """On a member's account, for the treasurer: the club's slug and the member's key."""
    LISTED_PLAYER = "listed"
    """Next to a player of a rating list: the club's slug and the player's key."""
    PERSONAL_LINKS = "links"
    """Above the page of an event's personal links: the slugs of club and event."""
    MEMBER = "member"
    """Actions on a person's data: the club's slug and the member's key."""
    MEMBER_FACTS = "member facts"
    """Further details of a person: the same arguments as MEMBER."""
    OWN_PAGE = "own"
    """On the member's own page: the club's slug."""
    RECEIPT = "receipt"
    """On a receipt: the club's slug, year and number."""
    ACCOUNTING_YEAR = "books"
    """On a year's report: the club's slug and the year."""
    ACCOUNTING_SHEET = "accounting_account_detail"
    """On the page of an account or category: the club's slug, the account's key and the year."""
    OVERDUE = "overdue"
    """Above the overdue page: the club's slug."""
    DUES = "money"
    """Above the dues page: the club's slug."""
    CLUB_RATINGS = "ratings of club"
    """Above the club's own ratings: the club's slug."""
    MONTHLY_RATINGS = "month of ratings"
    """Below the ratings of a month, with query parameters `kind` and `month`: the club's slug."""
    RATING_LISTS = "ratings"
    """Above the pages of rating lists: the club's slug."""
    SETTINGS_ONLINE = "settings online"
    """In the club's settings, for the website and other programs: the club's slug."""
    SETTINGS = "settings"
    """Sections of a club's settings with pages of their own: the club's slug."""
    ONBOARDING = "arriving"
    """On a server without clubs, and where clubs are created: no arguments."""
    NEW_CLUB = "arrived"
    """First steps of a new club: the club's slug."""
    LETTERHEAD = "paper"
    """Above the letterhead page: the club's slug."""


def is_always_visible(_context: PageContext) -> bool:
    """Return True, so that everyone who sees the page sees the link."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuLink:
    """A menu link: its slot, title, URL name, and position among the links in its slot.

    `name` is the page's own name (`here`). `is_visible` gets the context of the page with the link, and so does
    `is_done`, for steps of a checklist. `opens` is the slot of the links on its page, to pages that belong to it.
    """

    slot: MenuSlot
    name: str
    title: str | Promise
    url_name: str
    position: int
    is_visible: Callable[[PageContext], bool] = is_always_visible
    is_done: Callable[[PageContext], bool] | None = None
    is_danger: bool = False
    opens: MenuSlot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedMenuLink:
    """A link with its URL, for a template."""

    name: str
    title: str
    url: str
    is_danger: bool
    is_done: bool | None


_offered: defaultdict[MenuSlot, dict[str, MenuLink]] = defaultdict(dict)


def register_menu_links(*ways: MenuLink) -> None:
    """Register links in their slots. Raises ValueError if a name is taken."""
    for way in ways:
        if _offered[way.slot].setdefault(way.name, way) != way:
            raise ValueError(f"two ways at {way.slot!r} are called {way.name!r}")


def menu_links_for(spot: str, context: PageContext, *arguments: Any) -> list[RenderedMenuLink]:
    """Return the visible links of a slot, in order."""
    offered = sorted(_offered[MenuSlot(spot)].values(), key=lambda way: way.position)
    return [
        RenderedMenuLink(
            name=way.name,
            title=str(way.title),
            url=reverse(way.url_name, args=arguments),
            is_danger=way.is_danger,
            is_done=way.is_done(context) if way.is_done else None,
        )
        for way in offered
        if way.is_visible(context)
    ]


def parent_link_name(spot: str, here: str) -> str:
    """Return the name of the link in a slot whose page leads to the page `here`, or an empty string."""
    return next(
        (way.name for way in _offered[MenuSlot(spot)].values() if way.opens and here in _offered[way.opens]), ""
    )
