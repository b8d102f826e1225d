"""A draft edited by keyboard, mouse and touch, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from clubs.models import Role
from tests.browser.accessibility import accessibility_faults
from tests.browser.signing_in import is_signed_in
from tests.factories import draft_of, make_club, make_event, make_user
from tournaments.models import Bye, Round, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event() -> Tournament:
    club = make_club()
    make_user("secretary", club, Role.SECRETARY)
    make_user("bohdan", club, Role.ARBITER)
    return make_event(club, players=7)


@pytest.fixture
def draft(event) -> Round:
    return draft_of(event, 1)


def open_page(page: Page, live_server, draft: Round, who: str = "secretary") -> None:
    event = draft.tournament
    address = f"/{event.club.slug}/{event.slug}/rounds/{draft.number}/edit/"
    is_signed_in(page, live_server.url, who)
    page.goto(f"{live_server.url}{address}")
    expect(page.get_by_role("heading", name="Edit pairings for round 1")).to_be_visible()


def seats(draft: Round) -> list[tuple[str, str]]:
    return list(draft.games.order_by("board").values_list("white__name", "black__name"))


def seat(page: Page, board: int, colour: str) -> Locator:
    return page.locator(f"#board-{board} [data-seat={colour}] input")


def said(page: Page, words: str) -> None:
    expect(page.locator("#said")).to_contain_text(words)


def expect_focus(page: Page, where: str) -> None:
    """Wait until the focus is on this seat, such as "board-2 black"."""
    page.wait_for_function(
        """where => {
            const box = document.activeElement.closest('.seat');
            return box && (box.closest('tr')?.id ?? '') + ' ' + box.dataset.seat === where;
        }""",
        arg=where,
    )


def test_by_keyboard(event, draft, live_server, page: Page):
    open_page(page, live_server, draft)
    (a, b), (c, d), (e, f) = seats(draft)
    bye = draft.byes.get().entry.name

    seat(page, 1, "white").focus()
    page.keyboard.press("Space")
    said(page, f"{a} picked up")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect_focus(page, "board-2 black")
    page.keyboard.press("Space")
    said(page, f"{a} and {d} have swapped places.")
    assert seats(draft) == [(d, b), (c, a), (e, f)]
    expect_focus(page, "board-2 black")

    page.keyboard.press("c")
    said(page, "on board 2")
    assert seats(draft)[1] == (a, c)
    page.keyboard.press("Alt+ArrowUp")
    said(page, "is now board 1")
    assert seats(draft)[0] == (a, c)
    expect_focus(page, "board-1 black")

    page.keyboard.press("b")
    said(page, f"{c} now has the bye.")
    assert draft.byes.get().entry.name == c
    assert seats(draft)[0] == (a, bye)
    page.keyboard.press("Delete")
    said(page, f"{a} and {bye} are no longer paired.")
    assert len(seats(draft)) == 2

    for version in range(7, 12):
        page.keyboard.press("u")
        expect(page.locator("#change [name=version]")).to_have_value(str(version))
    assert seats(draft) == [(a, b), (c, d), (e, f)]
    page.keyboard.press("Shift+Control+Z")
    said(page, "Redone: two players swapped.")
    assert seats(draft) == [(d, b), (c, a), (e, f)]
    page.keyboard.press("Control+z")
    said(page, "Undone: two players swapped.")
    expect(page.locator("#undo-button")).to_have_count(0)
    page.keyboard.press("u")
    assert seats(draft) == [(a, b), (c, d), (e, f)]
    assert Round.objects.get(pk=draft.pk).state == Round.State.DRAFT


def drag(page: Page, source: Locator, target: Locator) -> None:
    start, end = source.bounding_box(), target.bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.move(end["x"] + 8, end["y"] + 8, steps=4)
    page.mouse.up()


def test_by_mouse(event, draft, live_server, page: Page):
    page.set_viewport_size({"width": 1280, "height": 1600})
    open_page(page, live_server, draft)
    (a, b), (c, d), (e, f) = seats(draft)
    bye = draft.byes.get().entry.name

    drag(page, page.locator("#board-1 .white .name"), page.locator("#board-3 .black-side .name"))
    said(page, f"{a} and {f} have swapped places.")
    assert seats(draft) == [(f, b), (c, d), (e, a)]
    assert page.locator("#editing :checked").count() == 0, "dragging ticks no box"

    drag(page, page.locator("#board-3 .handle"), page.locator("#board-1"))
    said(page, "is now board 1")
    assert seats(draft) == [(e, a), (f, b), (c, d)]

    page.locator("#board-2").get_by_role("button", name="Unpair board 2").click()
    said(page, "are no longer paired")
    drag(page, page.locator("#unpaired .name", has_text=f), page.locator("#bye-row .name"))
    said(page, "have swapped places")
    assert draft.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED).entry.name == f
    drag(page, page.locator("#board-2 .white .name"), page.locator("#unpaired-heading"))
    said(page, "are no longer paired")
    assert seats(draft) == [(e, a)]
    drag(page, page.locator("#unpaired .name", has_text=b), page.locator("#unpaired .name", has_text=bye))
    said(page, "on board 2")
    assert {*seats(draft)[1]} == {b, bye}
    # A drop outside any target changes nothing.
    before = seats(draft)
    drag(page, page.locator("#board-1 .white .name"), page.get_by_role("heading", level=1))
    page.wait_for_timeout(200)
    assert seats(draft) == before


def test_by_finger(event, draft, live_server, chromium: Browser):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(180_000)
    page = context.new_page()
    open_page(page, live_server, draft)
    (a, b), (c, d), *rest = seats(draft)
    page.locator("#board-1 .white .name").tap()
    page.locator("#board-2 .white .name").tap()
    said(page, f"{a} and {c} have swapped places.")
    assert seats(draft) == [(c, b), (a, d), *rest]

    # The page has scrolled, so the sticky bar may cover the first board.
    page.locator("#board-1").evaluate("board => board.scrollIntoView({block: 'center'})")
    finger = context.new_cdp_session(page)
    start, end = (page.locator(f"#board-{board} .white .grip").bounding_box() for board in (1, 2))

    def touch(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start["x"] + 10, start["y"] + 10)
    for part in range(1, 6):
        touch("touchMove", start["x"] + 10, start["y"] + 10 + (end["y"] - start["y"]) * part / 5)
    touch("touchEnd", 0, 0)
    said(page, f"{c} and {a} have swapped places.")
    assert seats(draft) == [(a, b), (c, d), *rest]
    context.close()


def test_two_secretaries(event, draft, live_server, page: Page, chromium: Browser):
    open_page(page, live_server, draft)
    page.locator("#board-1").get_by_role("button", name="Swap colours").click()
    said(page, "on board 1")
    other = chromium.new_context().new_page()
    open_page(other, live_server, draft, who="bohdan")
    expect(other.get_by_text("secretary has been editing these pairings")).to_be_visible()
    expect(seat(other, 1, "white")).to_be_disabled()
    other.get_by_role("button", name="Take over").click()
    expect(seat(other, 1, "white")).to_be_enabled()
    turned = seats(draft)
    page.locator("#board-2").get_by_role("button", name="Swap colours").click()
    said(page, "bohdan took over")
    assert seats(draft) == turned
    expect(page.get_by_role("button", name="Take over")).to_be_visible()
    other.context.close()


def test_the_page_is_open_to_all(event, draft, live_server, page: Page):
    open_page(page, live_server, draft)
    page.locator("#board-1").get_by_role("button", name="Unpair").click()
    said(page, "are no longer paired")
    assert accessibility_faults(page) == []
    page.get_by_role("link", name="Done").click()
    expect(page.get_by_role("heading", name=re.compile("Review changes to round"))).to_be_visible()
    assert accessibility_faults(page) == []
