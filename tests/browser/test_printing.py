"""Papers chosen in a real browser: the preview follows at once, and without scripts after a click."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, expect

from clubs.models import Membership, Role, User
from tests.browser.accessibility import accessibility_faults, assert_accessible
from tests.browser.signing_in import is_signed_in
from tests.factories import make_club, make_event, played
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a night at the club"


@pytest.fixture
def event() -> Tournament:
    club = make_club()
    user = User.objects.create(username="secretary", password=make_password(PASSWORD))
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
    event = make_event(club, players=6, rounds=3)
    played(event, 1)
    return event


def centre(event: Tournament, url: str) -> str:
    return f"{url}/{event.club.slug}/{event.slug}/print/"


def test_what_is_chosen_is_seen_at_once(event, live_server, page: Page):
    is_signed_in(page, live_server.url, "secretary")
    page.goto(centre(event, live_server.url))
    assert accessibility_faults(page) == []
    paper = page.frame_locator("#preview iframe")
    expect(paper.get_by_role("heading", name="Round 1: results")).to_be_visible()
    page.get_by_role("link", name="Starting list").click()
    expect(paper.get_by_role("heading", name="Starting list")).to_be_visible()
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Language").first.select_option("pl")
    expect(paper.get_by_role("heading", name="Lista startowa")).to_be_visible()
    page.get_by_role("link", name="Start cards", exact=True).click()
    expect(paper.get_by_role("heading", name="Pionek, Nr006")).to_be_visible()
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Only for player number").fill("2")
    page.get_by_label("Only for player number").press("Tab")
    expect(paper.get_by_role("heading", name="Pionek, Nr006")).to_have_count(0)
    expect(paper.get_by_role("heading", name="Pionek, Nr002")).to_be_visible()
    assert page.locator("#print input[name=only]").input_value() == "2"


@pytest.mark.parametrize("place", ["members/print/?document=print_members", "settings/paper/"])
def test_pages_of_the_clubs_paper_have_no_barriers(place, event, live_server, page: Page):
    is_signed_in(page, live_server.url, "secretary")
    page.goto(f"{live_server.url}/{event.club.slug}/{place}")
    assert_accessible(page)


def test_without_scripts_a_button_shows_it(event, live_server, phone: Page):
    phone.goto(centre(event, live_server.url) + "?document=print_crosstable")
    phone.get_by_text("Options", exact=True).click()
    phone.get_by_label("Opponents").select_option("1")
    phone.get_by_role("button", name="Show preview").click()
    assert "by_place=1" in phone.get_by_role("link", name="Print (PDF)").get_attribute("href")
    paper = phone.frame_locator("#preview iframe")
    expect(paper.get_by_text("12○1: won with White against the player in 12th place (●: Black)")).to_be_visible()
