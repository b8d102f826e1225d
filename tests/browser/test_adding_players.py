"""Players added by keyboard only: a member, a listed player, a new guest; and a second tab that is too late."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from clubs.models import RatingListPlayer
from clubs.rating.lists.import_jobs import get_fide_register
from clubs.rating.lists.list_import import name_search_text
from tests.browser.accessibility import accessibility_faults
from tests.browser.conftest import WAIT_MS
from tests.factories import make_member
from tests.scenario import Cast, make_cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cast(transactional_db) -> Cast:
    return make_cast()


@pytest.fixture
def tabs(chromium: Browser, live_server, cast) -> Iterator[list[Page]]:
    """Two tabs of the secretary on a narrow screen."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
    context.set_default_timeout(WAIT_MS)
    session = cast.browser("secretary").cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    yield [context.new_page(), context.new_page()]
    context.close()


def test_by_keyboard_alone_and_in_two_tabs(cast, live_server, tabs):
    make_member(cast.club, "Žalud, Řehoř", 1700)
    RatingListPlayer.objects.create(
        register=get_fide_register(),
        number="1100012",
        name="Жеков, Петър",
        searched=name_search_text("Жеков, Петър"),
        standard=1900,
    )
    page, other = tabs
    address = f"{live_server.url}/{cast.club.slug}/{cast.event.slug}/players/add/"
    for tab in tabs:
        tab.goto(address)
    other.keyboard.type("zhekov")
    expect(other.locator("[data-candidate]")).to_have_count(1)

    # Enter waits for the search results.
    for typed, entered in (("zalud reh", "Žalud, Řehoř"), ("zhekov", "Жеков, Петър")):
        page.wait_for_load_state()
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(page.locator("#adding > .notice")).to_have_text(f"{entered} has been entered.")
        expect(page.locator("#q")).to_be_focused()
        expect(page.locator("#q")).to_have_value("")
    page.keyboard.type("Przechodzień, Jan 1500")
    page.keyboard.press("Enter")
    expect(page.locator("#walk-in-rating")).to_be_focused()
    expect(page.locator("#walk-in-rating")).to_have_value("1500")
    assert accessibility_faults(page) == []
    page.keyboard.press("Enter")
    expect(page.locator("#adding > .notice")).to_have_text("Przechodzień, Jan has been entered.")

    # The other tab still offers the player.
    other.keyboard.press("Enter")
    expect(other.locator("#adding [role=alert]")).to_contain_text("already entered")
    expect(other.locator("#found")).to_contain_text("already entered")

    assert cast.event.entries.count() == 9
    assert cast.event.entries.get(name="Przechodzień, Jan").rating == 1500
