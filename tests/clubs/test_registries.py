"""What rooms above offer and ask for: ways to their pages, and to be told of changes."""

from __future__ import annotations

from collections import defaultdict

import pytest

from clubs.models import Club
from clubs.templatetags.ways import club_here
from common import navigation as ways
from common import signals as followers
from common.navigation import Spot, Way, offer
from common.signals import Changed, follow, tell
from tournaments.models import Tournament

FIRST = Way(spot=Spot.CLUB, name="calendar", title="Calendar", page="calendar", place=1)
OTHER = Way(spot=Spot.CLUB, name="calendar", title="Days", page="calendar", place=2)


def test_two_ways_of_one_name_at_one_spot_are_a_mistake(monkeypatch):
    # No address is asked for meanwhile: the first one loads all that is really offered, which would be lost with this.
    monkeypatch.setattr(ways, "_offered", defaultdict(dict))
    offer(FIRST)
    offer(FIRST)
    with pytest.raises(ValueError, match="are called 'calendar'"):
        offer(OTHER)
    assert [way.title for way in ways._offered[Spot.CLUB].values()] == ["Calendar"]


def test_all_who_follow_a_change_are_told_of_it_and_of_no_other(monkeypatch):
    told = []
    monkeypatch.setattr(followers, "_followers", {what: {} for what in Changed})
    follow(Changed.EVENT, "one", lambda key: told.append(("one before", key)))
    follow(Changed.EVENT, "one", lambda key: told.append(("one", key)))
    follow(Changed.EVENT, "other", lambda key: told.append(("other", key)))
    tell(Changed.NEWS, 1)
    tell(Changed.EVENT, 2)
    assert told == [("one", 2), ("other", 2)]


def test_a_page_is_of_the_club_that_its_view_gives_or_of_its_events():
    club, others = Club(slug="pod-goncem"), Club(slug="przy-moscie")
    assert club_here({"club": club}) is club
    assert club_here({"tournament": Tournament(club=club)}) is club
    assert club_here({"club": club, "tournament": Tournament(club=others)}) is club
    assert club_here({"club": "pod-goncem"}) is None
    assert club_here({}) is None
