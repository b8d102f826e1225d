"""The round page at the desk: what the screen shows, and an evening by keyboard only."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from clubs.models import Role
from pairing.rounds.lifecycle.transitions import publish_round
from tests.browser.accessibility import accessibility_faults
from tests.browser.signing_in import is_signed_in
from tests.factories import draft_of, make_club, make_event, make_user, published
from tournaments.models import CheckIn, Game, Round, Tournament
from tournaments.results.player_reporting import report_result
from tournaments.results.recording import enter_result, finish_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = (1280, 800), (390, 844)

SEEN = """() => [...document.querySelectorAll("tr[id^=board-]")].filter((row) => {
    const box = row.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight;
}).length"""


OVER_ITS_NEIGHBOUR = """() => [...document.querySelectorAll("tr[id^=board-]")].filter((row) => {
    const parts = [...row.querySelectorAll(".board, .player .name, .why-mark, .keys")];
    const boxes = parts.map((each) => each.getBoundingClientRect());
    const over = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    return boxes.some((one, at) => boxes.slice(at + 1).some((other) => over(one, other)));
}).map((row) => row.id)"""
"""Boards of which one part lies over another."""


@pytest.fixture
def event() -> Tournament:
    """Twenty-four players, some with very long names."""
    club = make_club()
    make_user("secretary", club, Role.SECRETARY)
    event = make_event(club, players=24, players_check_in=True, players_report_results=True)
    for entry, name in zip(event.entries.all(), LONG_NAMES, strict=False):
        entry.name = name
        entry.save(update_fields=["name"])
    return event


LONG_NAMES = (
    "Gońcowska-Skoczkowa, Świętosława Żaneta",
    "Pionkiewicz-Przelotowa, Dobrochna Wielisława",
    "Първокласников, Ясен",
    "Střelcová-Věžičková, Květoslava",
)


@pytest.fixture
def desk(event, live_server, page: Page) -> str:
    """The URL of the first round, with the secretary signed in."""
    is_signed_in(page, live_server.url, "secretary")
    return f"{live_server.url}/{event.club.slug}/{event.slug}/rounds/1/"


def shown_at(page: Page, size: tuple[int, int], address: str) -> tuple[float, int]:
    """The pixels above the first board, and how many boards are fully visible."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address)
    box = page.locator("#board-1").bounding_box()
    assert box is not None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return box["y"], page.evaluate(SEEN)


def test_the_boards_stand_on_the_screen_while_results_come(event, desk, page: Page):
    this_round = published(event, 1)
    enter_result(this_round.games.get(board=1), Game.Result.DRAW, revision=0, by=None)
    enter_result(this_round.games.get(board=2), Game.Result.BLACK_WINS_FORFEIT, revision=0, by=None)
    for size, highest, whole in ((LAPTOP, 260, 9), (PHONE, 300, 5)):
        above, boards = shown_at(page, size, desk)
        assert above < highest
        assert boards >= whole
        assert page.evaluate(OVER_ITS_NEIGHBOUR) == []


def test_a_disputed_board_takes_no_space_from_the_others(event, desk, page: Page):
    this_round = published(event, 1)
    dispute(this_round, 5)
    above, boards = shown_at(page, LAPTOP, desk)
    assert above < 260
    assert boards >= 9
    above, boards = shown_at(page, PHONE, desk)
    assert above < 300
    assert boards >= 5


def test_the_boards_begin_as_high_in_every_language(event, desk, page: Page):
    """The round with everything that can be above its boards, in every language; drafts and results in some."""
    this_round = draft_of(event, 1)
    assert low_or_overlapping(page, desk, LONG_WORDED) == []
    this_round = publish_round(this_round, by=None, version=this_round.version)
    dispute(this_round, 5)
    late = this_round.games.get(board=7).black
    CheckIn.objects.create(round=this_round, entry=late, state=CheckIn.State.LATE, at=timezone.now())
    enter_result(this_round.games.get(board=1), Game.Result.DRAW, revision=0, by=None)
    assert low_or_overlapping(page, desk, [code for code, _name in settings.LANGUAGES]) == []
    for game in this_round.games.exclude(board=1):
        enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    finish_round(this_round, by=None)
    assert low_or_overlapping(page, desk, LONG_WORDED) == []


LONG_WORDED = ("de", "uk")
"""The languages whose texts take most room."""


def low_or_overlapping(page: Page, address: str, languages: Iterable[str]) -> list[tuple[str, float, list[str]]]:
    """The languages in which the first board is 300 pixels down or more on a phone, or something overlaps."""
    found = []
    for language in languages:
        page.context.add_cookies([{"name": "django_language", "value": language, "url": address}])
        above, _boards = shown_at(page, PHONE, address)
        over = page.evaluate(OVER_ITS_NEIGHBOUR)
        if above >= 300 or over:
            found.append((language, above, over))
    return found


def test_a_whole_draft_of_24_players_stands_on_a_laptop(event, desk, page: Page):
    draft_of(event, 1)
    above, boards = shown_at(page, LAPTOP, desk)
    assert above < 260
    assert boards == 12


def test_the_bar_stays(event, desk, page: Page):
    published(event, 1)
    shown_at(page, LAPTOP, desk)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("scrollY") > 0
    expect(page.get_by_role("button", name="Finish round 1")).to_be_in_viewport()


def dispute(this_round: Round, board: int) -> None:
    game = this_round.games.select_related("white", "black").get(board=board)
    report_result(game.white, game, Game.Result.WHITE_WINS, revision=game.revision)
    report_result(game.black, game, Game.Result.DRAW, revision=game.revision)


def test_one_key_shows_the_boards_that_want_a_look(event, desk, page: Page):
    this_round = published(event, 1)
    dispute(this_round, 5)
    late = this_round.games.get(board=7).black
    CheckIn.objects.create(round=this_round, entry=late, state=CheckIn.State.LATE, at=timezone.now())
    for board in (1, 2, 3, 4):
        enter_result(this_round.games.get(board=board), Game.Result.DRAW, revision=0, by=None)
    page.goto(desk)
    rows = page.locator("tr[data-board]")
    for key, boards in (("x", ["5"]), ("l", ["7"]), ("o", ["5", "6", "7", "8", "9", "10", "11", "12"])):
        page.keyboard.press(key)
        expect(rows).to_have_count(len(boards))
        assert [row.get_attribute("data-board") for row in rows.all()] == boards
        page.keyboard.press(key)
        expect(rows).to_have_count(12)
    page.keyboard.press("x")
    expect(rows).to_have_count(1)
    page.keyboard.press("1")
    expect(page.get_by_text("5 of 12 results are in")).to_be_visible()
    expect(page.get_by_role("link", name="1 disputed")).to_have_count(0)
    page.get_by_role("link", name="0 disputed").click()
    expect(rows).to_have_count(12)
    assert this_round.games.get(board=5).result == Game.Result.WHITE_WINS


def test_why_opens_beside_its_board(event, desk, page: Page):
    published(event, 1)
    page.goto(desk)
    page.locator("#board-3 .why-mark").click()
    box = page.locator("#board-3 + tr .why-box")
    expect(box.locator("cite").first).to_be_visible()
    page.locator("#board-4 .why-mark").click()
    expect(page.locator("#board-4 + tr .why-box")).to_be_visible()
    expect(box).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".why-box")).to_have_count(0)
    assert page.url == desk


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_other_results_open_over_the_boards_and_move_none(event, desk, page: Page, size):
    this_round = published(event, 1)
    shown_at(page, size, desk)
    page.wait_for_load_state()
    below = page.locator("#board-5").bounding_box()
    page.locator("#more-4").click()
    menu = page.locator("#board-4 .other-results")
    expect(menu).to_be_visible()
    assert page.locator("#board-5").bounding_box() == below
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert accessibility_faults(page, also_dark=True) == []
    menu.get_by_text("White wins by forfeit").click()
    expect(menu).to_have_count(0)
    expect(page.locator("#board-4 label:has(:checked)")).to_be_visible()
    assert this_round.games.get(board=4).result == Game.Result.WHITE_WINS_FORFEIT
    assert page.url == desk


def test_rare_actions_are_found_by_name_without_scripts(event, desk, page: Page, phone: Page):
    published(event, 1)
    phone.context.add_cookies(
        [{"name": each["name"], "value": each["value"], "url": desk} for each in page.context.cookies()]
    )
    phone.goto(desk)
    for name in ("Late arrival or no-show", "Compare systems"):
        expect(phone.get_by_role("link", name=name)).not_to_be_visible()
    phone.locator("#more > summary").click()
    for name in ("Late arrival or no-show", "Compare systems"):
        expect(phone.get_by_role("link", name=name)).to_be_visible()
    phone.get_by_text("Unpublish pairings").click()
    phone.get_by_label("Reason (for the log)").fill("A player came late.")
    phone.get_by_role("button", name="Unpublish round 1").click()
    expect(phone.get_by_text("Only officers can see this draft.")).to_be_visible()
    assert Round.objects.get(tournament=event, number=1).state == Round.State.DRAFT


def test_an_evening_by_the_keyboard_alone(event, desk, page: Page):
    """One key for each board, two for each step of the round: the first selects the button, the second clicks it."""
    keys = 0

    def press(*several: str) -> None:
        nonlocal keys
        for key in several:
            page.keyboard.press(key)
            keys += 1

    page.goto(desk)
    for step, then in (
        ("Pair 24 players", "Publish round 1"),
        ("Publish round 1", "Finish round 1"),
    ):
        expect(page.get_by_role("button", name=step)).to_be_enabled()
        page.wait_for_load_state()  # a key pressed before the scripts have loaded has no effect
        press("n")
        expect(page.get_by_role("button", name=step)).to_be_focused()
        press("Enter")
        expect(page.get_by_role("button", name=then)).to_be_visible()
    page.wait_for_load_state()  # a key pressed before the scripts have loaded has no effect
    for board in range(12):
        press("1=0"[board % 3])
    expect(page.get_by_text("All results are in")).to_be_visible()
    press("n", "Enter")
    expect(page.get_by_role("link", name="Go to check-in")).to_be_visible()
    press("n", "Enter")
    expect(page.get_by_role("button", name="Pair 24 players")).to_be_visible()
    assert keys == 12 + 2 * 4
    assert results_of(event) == ["1-0", "1/2", "0-1"] * 4


def test_one_paper_after_another_is_printed_and_then_keys_enter_results(event, desk, page: Page):
    published(event, 1)
    asked: list[str] = []

    def paper(route: Route) -> None:
        asked.append(re.search(r"document=(\w+)", route.request.post_data or "")[1])
        route.fulfill(status=200, content_type="text/plain", body="a paper")

    page.context.route("**/print/now/", paper)
    page.goto(desk)
    menu = page.locator("details.menu", has=page.get_by_role("button", name="Result slips (PDF)", include_hidden=True))
    for name in ("Pairing list (PDF)", "Result slips (PDF)"):
        menu.locator("summary").click()
        with page.expect_popup() as beside:
            menu.get_by_role("button", name=name).click()
        beside.value.close()
        expect(menu).not_to_have_attribute("open", "")
    assert asked == ["print_pairings", "print_slips"]

    page.keyboard.press("1")
    expect(page.locator("#board-1 input[value='1-0']")).to_be_checked()
    page.keyboard.press("0")
    expect(page.get_by_text("2 of 12 results are in")).to_be_visible()
    assert results_of(event)[:2] == ["1-0", "0-1"]


def results_of(event: Tournament) -> list[str]:
    return [game.result for game in Round.objects.get(tournament=event, number=1).games.order_by("board")]


def test_no_key_press_is_lost_while_an_answer_is_slow(event, desk, page: Page):
    """Live changes, a second click on a waiting board and leaving the page do not lose the result."""
    this_round = published(event, 1)
    page.goto(desk)
    held: list[Route] = []
    page.route("**/result/", lambda route: route.continue_() if held else held.append(route))
    for _board in range(3):
        page.keyboard.press("1")
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "0", "ArrowUp", "=", "1", "1", "1", "1", "1", "1", "1", "1"):
        page.keyboard.press(key)
    page.locator("#board-12 label").nth(2).click()
    dispute(this_round, 11)
    page.evaluate("document.dispatchEvent(new Event('clubnight:turned'))")
    expect(page.get_by_role("link", name="1 disputed")).to_be_visible()
    # Every board shows the result entered on it, even a board that an update has replaced.
    expect(page.locator("tr.waiting")).to_have_count(12)
    shown = page.locator("tr.waiting :checked").evaluate_all("keys => keys.map((key) => key.value)")
    assert shown == ["0-1", "1-0", "1/2", *["1-0"] * 8, "0-1"]
    page.get_by_role("link", name="Standings").first.click()
    page.get_by_role("link", name="Players", exact=True).first.click()
    assert len(held) == 1
    assert results_of(event) == [""] * 12
    held[0].continue_()
    page.wait_for_url("**/players/")
    assert results_of(event) == ["0-1", "1-0", "1/2", *["1-0"] * 8, "0-1"]


def test_what_was_not_taken_is_shown_as_open_and_the_page_stays(event, desk, page: Page):
    published(event, 1)
    page.goto(desk)
    held: list[Route] = []
    page.route("**/boards/1/result/", lambda route: held.append(route))
    page.route("**/boards/2/result/", lambda route: route.abort())
    page.route("**/boards/3/result/", lambda route: route.fulfill(status=500))
    for _board in range(5):
        page.keyboard.press("1")
    page.locator("#board-3 label").nth(1).click()
    page.get_by_role("link", name="Standings").first.click()
    held[0].continue_()
    expect(page.locator("tr.waiting")).to_have_count(0)
    expect(page.get_by_text("Not saved")).to_be_visible()
    expect(page.locator("tr.wrong.open")).to_have_count(2)
    expect(page.locator("tr.wrong :checked")).to_have_count(0)
    assert page.url == desk
    assert results_of(event) == ["1-0", "", "", "1-0", "1-0", *[""] * 7]
    page.unroute_all()
    page.locator("#board-2").press("0")
    page.keyboard.down("1")
    page.keyboard.down("1")
    expect(page.get_by_text("5 of 12 results are in")).to_be_visible()
    expect(page.locator("tr.waiting")).to_have_count(0)
    assert results_of(event) == ["1-0", "0-1", *["1-0"] * 3, *[""] * 7]


def test_a_lone_key_never_publishes(event, desk, page: Page):
    draft_of(event, 1)
    page.goto(desk)
    for _time in range(3):
        page.keyboard.press("n")
    expect(page.get_by_role("button", name="Publish round 1")).to_be_focused()
    assert Round.objects.get(tournament=event, number=1).state == Round.State.DRAFT


def test_keys_before_the_scripts_have_loaded_count(event, desk, page: Page):
    """Keys, a tap and the next steps while the result script is loading, or if it never loads."""
    published(event, 1)
    held: list[Route] = []
    page.route("**/js/result_entry*.js", lambda route: held.append(route))
    page.goto(desk, wait_until="commit")
    expect(page.locator("#board-12 label").first).to_be_visible()
    for key in ("1", "=", "0", "ArrowUp", "="):
        page.keyboard.press(key)
    page.locator("#board-12 label").nth(2).click()
    page.keyboard.press("ArrowDown")
    page.get_by_role("link", name="Players", exact=True).first.click()
    assert results_of(event) == [""] * 12
    held[0].continue_()
    page.wait_for_url("**/players/")
    assert results_of(event) == ["1-0", "1/2", "1/2", *[""] * 8, "0-1"]
    page.unroute("**/js/result_entry*.js")
    page.route("**/js/result_entry*.js", lambda route: route.abort())
    page.goto(desk, wait_until="commit")
    page.keyboard.press("1")
    page.wait_for_load_state()
    page.get_by_role("button", name="Save all results").wait_for()
    assert results_of(event).count("") == 8
