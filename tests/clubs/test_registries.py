"""Registries of higher layers: menu links, and subscriptions to changes."""

from __future__ import annotations

from collections import defaultdict

import pytest

from clubs.models import Club
from clubs.templatetags.navigation import current_club
from common import navigation as ways
from common import signals as followers
from common.navigation import MenuLink, MenuSlot, register_menu_links
from common.signals import ChangeKind, publish, subscribe_to_changes
from tournaments.models import Tournament

FIRST = MenuLink(slot=MenuSlot.CLUB, name="calendar", title="Calendar", url_name="club_calendar", position=1)
OTHER = MenuLink(slot=MenuSlot.CLUB, name="calendar", title="Days", url_name="club_calendar", position=2)


def test_two_ways_of_one_name_at_one_spot_are_a_mistake(monkeypatch):
    # Request no page meanwhile: the first request would load the real menu links into this temporary registry.
    monkeypatch.setattr(ways, "_offered", defaultdict(dict))
    register_menu_links(FIRST)
    register_menu_links(FIRST)
    with pytest.raises(ValueError, match="are called 'calendar'"):
        register_menu_links(OTHER)
    assert [way.title for way in ways._offered[MenuSlot.CLUB].values()] == ["Calendar"]


def test_all_who_follow_a_change_are_told_of_it_and_of_no_other(monkeypatch):
    told = []
    monkeypatch.setattr(followers, "_followers", {what: {} for what in ChangeKind})
    subscribe_to_changes(ChangeKind.EVENT, "one", lambda key: told.append(("one before", key)))
    subscribe_to_changes(ChangeKind.EVENT, "one", lambda key: told.append(("one", key)))
    subscribe_to_changes(ChangeKind.EVENT, "other", lambda key: told.append(("other", key)))
    publish(ChangeKind.PLAYER_NEWS, 1)
    publish(ChangeKind.EVENT, 2)
    assert told == [("one", 2), ("other", 2)]


def test_a_page_is_of_the_club_that_its_view_gives_or_of_its_events():
    club, others = Club(slug="pod-goncem"), Club(slug="przy-moscie")
    assert current_club({"club": club}) is club
    assert current_club({"tournament": Tournament(club=club)}) is club
    assert current_club({"club": club, "tournament": Tournament(club=others)}) is club
    assert current_club({"club": "pod-goncem"}) is None
    assert current_club({}) is None
