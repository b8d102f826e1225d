"""The live-update marks of a page, and whether the stream sends its changes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.factories import make_event
from tournaments.live_updates.topics import LiveTopic, PageAudience, TopicKind
from tournaments.templatetags.live_updates import MAX_ADDRESS_LENGTH, live_list_updates, live_updates

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def context(target: str = "", path: str = "/", **more: Any) -> dict[str, Any]:
    request = SimpleNamespace(
        htmx=SimpleNamespace(target=target),
        versions=SimpleNamespace(version_for_audience=lambda _audience: 5),
        event_list_state=(LiveTopic(0, PageAudience.PLAYERS, TopicKind.EVENT_LIST), 3),
        is_shared_page=True,
        is_expiring_page=False,
        scheme="https",
        get_host=lambda: "chess.example.org",
        get_full_path=lambda: path,
    )
    return {"request": request, **more}


@pytest.mark.parametrize(
    ("may_run", "marked", "is_marked"), [(True, True, False), (False, False, False), (False, True, True)]
)
def test_marks_are_for_players_pages_on_which_ones_board_is_pinned(club, may_run, marked, is_marked):
    told = live_updates(context(may_run=may_run), make_event(club), marked=marked)
    assert (told["marks"] is not None) is is_marked


@pytest.mark.parametrize(("longer", "carries"), [(0, True), (1, False)])
def test_the_stream_carries_no_page_of_an_endless_address(club, longer, carries):
    told = live_updates(context(path="/" + "x" * (MAX_ADDRESS_LENGTH - 1 + longer)), make_event(club))
    assert told["carries"] is carries


@pytest.mark.parametrize(("target", "is_part"), [("live", True), ("found", False), ("", False)])
def test_a_part_of_a_list_is_put_into_a_page_that_listens(target, is_part):
    assert live_list_updates(context(target))["is_part"] is is_part
