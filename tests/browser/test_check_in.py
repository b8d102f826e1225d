"""Two laptops and three phones at check-in and result entry, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from clubs.models import Club, ResultKeyLayout
from tests.browser.accessibility import accessibility_faults, assert_accessible
from tests.browser.conftest import WAIT_MS
from tests.browser.signing_in import is_signed_in
from tests.factories import make_event, published, round_of
from tests.scenario import NAMES, Cast, make_cast
from tournaments.check_in.personal_links import check_in_code_url, event_link_url
from tournaments.check_in.presence import set_check_in_state
from tournaments.models import CheckIn, Entry, ResultCheck, Tournament
from tournaments.results.recording import enter_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cast(transactional_db) -> Cast:
    made = make_cast()
    made.event.players_check_in = made.event.players_report_results = True
    made.event.save()
    return made


@pytest.fixture
def contexts(chromium: Browser) -> Iterator[list[BrowserContext]]:
    opened: list[BrowserContext] = []
    yield opened
    for context in opened:
        context.close()


@pytest.fixture
def laptop(chromium, contexts, live_server, cast):
    """Open a page as somebody of the cast."""

    def opened(who: str, path: str) -> Page:
        context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
        context.set_default_timeout(WAIT_MS)
        contexts.append(context)
        page = context.new_page()
        is_signed_in(page, live_server.url, who)
        page.goto(f"{live_server.url}{path}")
        return page

    return opened


@pytest.fixture
def mobile(chromium, contexts, live_server):
    """Open a page on a phone, without signing in."""

    def opened(path: str, *, scripts: bool = True) -> Page:
        context = chromium.new_context(
            viewport={"width": 390, "height": 844}, locale="en-GB", java_script_enabled=scripts
        )
        context.set_default_timeout(WAIT_MS)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{live_server.url}{path}")
        return page

    return opened


def of_round(cast: Cast, rest: str = "") -> str:
    return f"/{cast.club.slug}/{cast.event.slug}/rounds/1/{rest}"


def test_taps_on_one_laptop_and_on_a_phone_appear_on_the_other(cast, laptop, mobile):
    first = laptop("secretary", of_round(cast, "check-in/"))
    second = laptop("arbiter", of_round(cast, "check-in/"))
    first.get_by_role("button", name=NAMES[0]).click()
    expect(first.locator("#counts")).to_contain_text("1 of 6 here")
    expect(second.locator("#counts")).to_contain_text("1 of 6 here")
    here = second.get_by_role("button", name=NAMES[0])
    expect(here).to_have_attribute("aria-pressed", "true")

    phone = mobile(check_in_code_url(cast.round(1)), scripts=False)
    phone.get_by_role("button", name=NAMES[1]).click()
    expect(phone.get_by_role("status")).to_contain_text("You are checked in for round 1")
    for page in (first, second):
        expect(page.locator("#counts")).to_contain_text("2 of 6 here")
        expect(page.locator(f"#player-{cast.entry(1).pk}")).to_contain_text("from phone")


def test_here_by_a_few_letters_and_enter_as_fast_as_one_types(cast, laptop):
    page = laptop("secretary", of_round(cast, "check-in/"))
    assert page.evaluate("document.querySelector('.door-row').getBoundingClientRect().height") < 52
    page.locator("#q").focus()
    # Type the next name while the previous request is under way.
    for name in NAMES[:3]:
        page.keyboard.type(name[:7])
        page.keyboard.press("Enter")
    expect(page.locator("#counts")).to_contain_text("3 of 6 here")
    expect(page.locator("#said")).to_have_text(f"{NAMES[2]} is here.")
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("")
    page.keyboard.press("Enter")
    page.keyboard.type(NAMES[3][:7])
    expect(page.locator(".door-row")).to_have_count(1)
    assert CheckIn.objects.count() == 3
    assert accessibility_faults(page) == []


def test_what_was_refused_is_written_over_by_the_next_name(cast, laptop):
    for name in ("Xylski, Adam", "Xylski, Jan"):
        Entry.objects.create(tournament=cast.event, name=name)
    page = laptop("secretary", of_round(cast, "check-in/"))
    page.locator("#q").focus()
    # Submit before the page shows the matching players.
    page.locator("#q").evaluate("field => { field.value = 'xyl'; field.form.requestSubmit(); }")
    expect(page.locator("#said")).to_contain_text("2 players match")
    expect(page.locator("#q")).to_have_value("xyl")
    page.keyboard.type(NAMES[0][:6])
    expect(page.locator("#q")).to_have_value(NAMES[0][:6])
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text(f"{NAMES[0]} is here.")


def test_closing_on_one_laptop_makes_the_others_page_anew(cast, laptop):
    for place in range(6):
        set_check_in_state(cast.entry(place), cast.round(1), "here" if place else "absent", by=None)
    second = laptop("arbiter", of_round(cast, "check-in/"))
    first = laptop("secretary", of_round(cast, "check-in/close/"))
    first.get_by_role("button", name="Close check-in").click()
    expect(first.locator("#messages")).to_contain_text("Check-in is closed")
    expect(second.get_by_text("Check-in closed at")).to_be_visible()


def test_both_players_report_by_phone(cast, mobile):
    board = published(cast.event, 1).games.get(board=1)
    white, black = (mobile(event_link_url(entry)) for entry in (board.white, board.black))
    white.get_by_role("button", name="I won").dblclick()
    expect(white.get_by_role("status").filter(has_text="Waiting for your opponent")).to_be_visible()
    black.get_by_role("button", name="Draw").click()
    expect(black.get_by_role("alert")).to_contain_text("You reported a draw, but your opponent reported a win.")
    white.reload()
    white.get_by_role("button", name="Draw").click()
    expect(white.get_by_text("has been entered.")).to_be_visible()
    board.refresh_from_db()
    assert board.result == "1/2"


KEYS = {
    ResultKeyLayout.SCORE: ("Digit1", "Digit5", "Digit0"),
    ResultKeyLayout.ORDER: ("Digit1", "Digit2", "Numpad3"),
    ResultKeyLayout.LETTERS: ("KeyW", "KeyD", "KeyB"),
}


def test_a_round_typed_twice_by_the_clubs_keys(cast, laptop, live_server):
    page = laptop("arbiter", f"/{cast.club.slug}/")
    for layout, pressed in KEYS.items():
        Club.objects.filter(pk=cast.club.pk).update(result_keys=layout)
        event = make_event(cast.club, players=6)
        published(event, 1)
        page.goto(f"{live_server.url}/{cast.club.slug}/{event.slug}/rounds/1/")
        type_round_twice(page, event, pressed)


def type_round_twice(page: Page, event: Tournament, pressed: tuple[str, str, str]) -> None:
    """White wins, a draw, Black wins; then the same after a wrong key."""
    for key in pressed:
        page.keyboard.press(key)
    expect(page.locator("#progress")).to_contain_text("All results are in")
    assert list(round_of(event, 1).games.values_list("result", flat=True)) == ["1-0", "1/2", "0-1"]

    page.goto(page.url + "again/")
    for key in (pressed[0], pressed[0], pressed[2]):
        page.keyboard.press(key)
    expect(page.locator("#reading")).to_contain_text("2 of 3 boards match")
    expect(page.locator("#board-2")).to_contain_text("First entry: ½–½. Second entry: 1–0.")
    page.locator("#board-2").focus()
    page.keyboard.press(pressed[1])
    expect(page.locator("#reading")).to_contain_text("All boards match")
    assert ResultCheck.objects.filter(game__round__tournament=event).count() == 3


@pytest.mark.parametrize("scripts", [True, False])
def test_two_at_one_board_are_asked_who_is_right(cast, laptop, chromium, contexts, live_server, scripts):
    game = published(cast.event, 1).games.get(board=1)
    page = laptop("arbiter", of_round(cast))
    if not scripts:
        context = chromium.new_context(java_script_enabled=False, storage_state=contexts[-1].storage_state())
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{live_server.url}{of_round(cast)}")
    enter_result(game, "1-0", revision=0, by=cast.secretary)
    page.locator("#board-1").get_by_text("0–1", exact=True).click()
    if not scripts:
        page.get_by_role("button", name="Save all results").click()
    row = page.locator("#board-1")
    expect(row).to_contain_text("Which is correct?")
    expect(row).to_contain_text("secretary")
    game.refresh_from_db()
    assert game.result == "1-0"
    row.locator("#result-1-mine").click()
    if not scripts:
        page.get_by_role("button", name="Save all results").click()
    expect(page.locator("#board-1").get_by_role("radio", name="0–1", exact=True)).to_be_checked()
    expect(page.locator("tr.waiting")).to_have_count(0)
    game.refresh_from_db()
    assert game.result == "0-1"


def test_the_pages_are_usable_by_everyone(cast, laptop, mobile):
    set_check_in_state(cast.entry(0), cast.round(1), "absent", by=None)
    pages = [
        laptop("secretary", of_round(cast, "check-in/")),
        laptop("secretary", of_round(cast, "check-in/close/")),
        laptop("secretary", f"/{cast.club.slug}/{cast.event.slug}/players/links/"),
        mobile(check_in_code_url(cast.round(1))),
        mobile(event_link_url(cast.entry(1))),
    ]
    assert CheckIn.objects.count() == 1
    for page in pages:
        assert_accessible(page)
        # A page that stays open would reload when the round is published.
        page.close()
    published(cast.event, 1)
    assert_accessible(mobile(event_link_url(cast.entry(1))))
    assert_accessible(laptop("secretary", of_round(cast, "again/")))
