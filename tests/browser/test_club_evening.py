"""A club evening in a real browser: two rounds by Jahr's method, from sign-in to the standings."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, Route, expect
from pypdf import PdfReader

from clubs.models import Club, Membership, Role, User
from tests.browser.accessibility import accessibility_faults
from tests.browser.signing_in import is_signed_in
from tests.factories import published
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.events.event_setup import create_tournament
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.results.recording import enter_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a night at the club"
PLAYERS = """Łęcka, Zdzisława; 2100
Бързакова, Весела; 2050; WFM
Příhodová, Žofie; 2000
Kowal, Adam; 1950
Müller, Jürgen; 1900
Zając, Ewa; 1850
Baran-Wierzbicka-Długopolska, Aleksandra; 1800"""
WORTH = {"1–0": (Decimal(1), Decimal(0)), "½": (Decimal("0.5"),) * 2, "0–1": (Decimal(0), Decimal(1))}


@pytest.fixture
def secretary() -> User:
    club = Club.objects.create(name="Pod Wieżą", slug="pod-wieza")
    user = User.objects.create(username="secretary", first_name="Sabina", password=make_password(PASSWORD))
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
    return user


@pytest.fixture
def home(live_server, secretary, page) -> str:
    """The URL of the club's events, with the secretary signed in."""
    is_signed_in(page, live_server.url, "secretary")
    return f"{live_server.url}/pod-wieza"


def test_an_evening(home: str, page: Page, phone: Page):
    event = f"{home}/wednesday"
    make_event(page, home)
    enter_players(page, event)

    mark_absent(page, event, "Zając, Ewa")
    pair(page, event, 1)
    phone.goto(f"{event}/rounds/1/")
    expect(phone.get_by_role("heading", name="Not published yet")).to_be_visible()
    publish(page, 1)
    phone.goto(f"{event}/rounds/1/")
    expect(phone.get_by_text("Kowal, Adam")).to_be_visible()

    played = enter_by_keyboard(page, {"1": "1–0", "=": "½", "0": "0–1"})
    page.get_by_role("button", name="Finish round 1").click()
    totals = expected_totals({name: Decimal(0) for name in names()}, played)
    assert shown_totals(page, event) == totals

    page.goto(f"{event}/rounds/1/")
    page.get_by_role("link", name="Go to check-in").click()
    pair(page, event, 2)
    page.get_by_role("link", name="why?").first.click()
    why = page.locator(".why-box")
    expect(why.locator("li").first).to_be_visible()
    expect(why.locator("cite").first).to_contain_text("fide-1989 art.")
    publish(page, 2)

    bye = page.locator(".byes li", has_text="bye").locator(".name").inner_text()
    played = enter_by_keyboard(page, {"1": "1–0", "d": "½", "5": "½"})
    page.get_by_role("button", name="Finish round 2").click()
    expected = expected_totals(totals, played)
    expected[without_title(bye)] += totals[without_title(bye)] / 10 + Decimal("0.5")
    assert shown_totals(page, event) == expected

    page.get_by_role("link", name="Łęcka, Zdzisława").click()
    expect(page.get_by_role("heading", name="Colours")).to_be_visible()

    cards = text_on_paper(page, f"{event}/print/cards.pdf")
    for name in names():
        assert name.partition(",")[0] in cards
        assert f"{expected[name]:.2f}" in cards


def test_two_laptops_enter_the_same_board(home: str, page: Page):
    published_round(home, page)
    board = Game.objects.get(round__number=1, board=2)
    enter_result(board, Game.Result.DRAW, revision=0, by=None)
    page.locator("#board-2").get_by_text("1–0").click()
    row = page.locator("#board-2")
    expect(row).to_contain_text("Which is correct?")
    board.refresh_from_db()
    assert board.result == "1/2"
    row.get_by_text("1–0").first.click()
    expect(row.locator("input[value='1-0']")).to_be_checked()
    expect(row).not_to_contain_text("Which is correct?")
    board.refresh_from_db()
    assert board.result == "1-0"


def test_a_key_never_decides_about_a_board_that_came_back_with_a_question(home: str, page: Page):
    published_round(home, page)
    board = Game.objects.get(round__number=1, board=1)
    enter_result(board, Game.Result.DRAW, revision=0, by=None)
    page.keyboard.press("1")
    expect(page.locator("#board-1")).to_contain_text("Which is correct?")
    page.keyboard.press("0")
    expect(page.locator("#board-2 label:has(:checked)")).to_have_text("0–1")
    expect(page.locator("tr.waiting")).to_have_count(0)
    expect(page.locator("#messages")).to_contain_text("Board 1 now has a different result")
    assert [game.result for game in Round.objects.get(number=1).games.all()] == ["1/2", "0-1", ""]


def test_a_tap_before_the_scripts_are_there_is_not_lost(home: str, page: Page):
    event = published_round(home, page)
    waiting: list[Route] = []
    page.route("**/htmx-2*.js", lambda route: waiting.append(route))
    page.goto(f"{event}/rounds/1/", wait_until="commit")
    page.locator("#board-2").get_by_text("1–0").click()
    waiting[0].continue_()
    expect(page.get_by_text("1 of 3 results are in")).to_be_visible()
    assert Game.objects.get(round__number=1, board=2).result == "1-0"


def test_results_without_scripts(home: str, page: Page, phone: Page):
    event = published_round(home, page)
    phone.context.add_cookies(
        [{"name": each["name"], "value": each["value"], "url": home} for each in page.context.cookies()]
    )
    phone.goto(f"{event}/rounds/1/")
    phone.locator("#board-1").get_by_text("1–0").click()
    phone.locator("#board-3").get_by_text("½").click()
    phone.get_by_role("button", name="Save all results").click()
    expect(phone.get_by_text("2 results saved.")).to_be_visible()
    phone.locator("#board-2").get_by_text("0–1").click()
    phone.locator("#board-2").get_by_role("button", name="Save").click()
    assert [game.result for game in Round.objects.get(number=1).games.all()] == ["1-0", "0-1", "1/2"]


def test_the_pages_of_an_evening_are_accessible_in_both_looks(home: str, page: Page):
    event = arranged_event(home)
    faults = {f"{event}/rounds/1/": faults_on(page, f"{event}/rounds/1/")}
    pair(page, event, 1)
    for address in (f"{event}/rounds/1/", f"{event}/rounds/1/edit/"):
        faults[f"{address} (draft)"] = faults_on(page, address)
    page.goto(f"{event}/rounds/1/")
    publish(page, 1)
    for place in (
        "rounds/1/",
        "rounds/1/boards/1/",
        "standings/",
        f"players/{Entry.objects.get(tpn=1).pk}/",
        "rounds/2/",
    ):
        faults[place] = faults_on(page, f"{event}/{place}")
    assert {address: found for address, found in faults.items() if found} == {}


def test_the_order_of_pairing_is_asked_where_it_is_jahrs(home, page):
    page.goto(f"{home}/events/new/")
    procedure = page.locator("#id_procedure")
    expect(procedure).to_be_hidden()
    page.get_by_text("Another system", exact=True).click()
    page.locator('[name="system"][value="jahr"]').check()
    expect(procedure).to_be_visible()
    page.locator('[name="system"][value="dutch-2026"]').check()
    expect(procedure).to_be_hidden()


def test_the_rules_of_the_keizer_system_are_asked_where_it_is_chosen_and_saved(home, page):
    page.goto(f"{home}/events/new/")
    rules = page.get_by_text("Rules of the Keizer system")
    expect(rules).to_be_hidden()
    page.get_by_text("Another system", exact=True).click()
    page.locator('[name="system"][value="keizer"]').check()
    expect(rules).to_be_visible()
    page.locator('[name="system"][value="dutch-2026"]').check()
    expect(rules).to_be_hidden()
    page.locator('[name="system"][value="keizer"]').check()
    rules.click()
    expect(page.locator("#id_keizer_rules_field")).to_be_visible()
    assert accessibility_faults(page) == []
    page.locator("#id_name").fill("Season")
    page.locator("#id_rounds_announced").fill("20")
    page.get_by_role("button", name="Create event").click()
    expect(page.get_by_text("created")).to_be_visible()
    assert Tournament.objects.get().system == "keizer"


# -- What the secretary does -------------------------------------------------------------------------------------------


def make_event(page: Page, home: str) -> None:
    page.goto(f"{home}/events/new/")
    page.locator("#id_name").fill("Wednesday")
    page.locator("#id_rounds_announced").fill("3")
    page.get_by_text("Another system", exact=True).click()
    page.locator('[name="system"][value="jahr"]').check()
    page.get_by_role("button", name="Create event").click()
    expect(page.get_by_text("created")).to_be_visible()
    assert Tournament.objects.get().system == "jahr"


def arranged_event(home: str) -> str:
    """The URL of the same event, created without the browser."""
    club = Club.objects.get()
    event = create_tournament(club, by=None, name="Wednesday", rounds_announced=3)
    enter_pasted_list(event, PLAYERS, by=None)
    return f"{home}/{event.slug}"


def published_round(home: str, page: Page) -> str:
    """The URL of such an event with round 1 published and open in the browser."""
    event = arranged_event(home)
    published(Tournament.objects.get(), 1)
    page.goto(f"{event}/rounds/1/")
    return event


def enter_players(page: Page, event: str) -> None:
    page.goto(f"{event}/players/paste/")
    page.locator("textarea").fill(PLAYERS)
    page.get_by_role("button", name="Check names").click()
    page.get_by_role("button", name="Enter 7 players").click()
    expect(page.get_by_text("Kowal, Adam")).to_be_visible()


def mark_absent(page: Page, event: str, name: str) -> None:
    page.goto(f"{event}/rounds/1/check-in/")
    row = page.get_by_role("listitem").filter(has_text=name)
    row.locator("summary").click()
    row.get_by_role("button", name="Absent", exact=True).click()
    expect(page.locator("#counts")).to_contain_text("1 absent")


def pair(page: Page, event: str, number: int) -> None:
    page.goto(f"{event}/rounds/{number}/")
    page.locator("#pair-label").click()
    expect(page.get_by_text("Only officers can see this draft.")).to_be_visible()


def publish(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Publish round {number}").click()
    expect(page.get_by_text("0 of 3 results are in")).to_be_visible()


def enter_by_keyboard(page: Page, keys: dict[str, str]) -> list[tuple[str, str, str]]:
    """Press one key for each board, in board order. Return White, Black and the result of each."""
    rows = page.locator("tr[data-board]")
    seated = [rows.nth(place).locator(".player .name").all_inner_texts() for place in range(len(keys))]
    for key in keys:
        page.keyboard.press(key)
    expect(page.get_by_text("All results are in")).to_be_visible()
    for place, result in enumerate(keys.values()):
        expect(rows.nth(place).locator("label:has(:checked)")).to_have_text(result)
    return [
        (without_title(white), without_title(black), result)
        for (white, black), result in zip(seated, keys.values(), strict=True)
    ]


# -- What must come of it ----------------------------------------------------------------------------------------------


def names() -> list[str]:
    return [line.partition(";")[0] for line in PLAYERS.splitlines()]


def without_title(name: str) -> str:
    return name.removeprefix("WFM ")


def expected_totals(before: dict[str, Decimal], played: list[tuple[str, str, str]]) -> dict[str, Decimal]:
    """Jahr's article 5: the total before, a tenth of the opponent's, the result. No tenth is rounded here."""
    totals = dict(before)
    for white, black, result in played:
        of_white, of_black = WORTH[result]
        totals[white] += before[black] / 10 + of_white
        totals[black] += before[white] / 10 + of_black
    return totals


def shown_totals(page: Page, event: str) -> dict[str, Decimal]:
    """Column T of the standings."""
    page.goto(f"{event}/standings/")
    rows = page.locator("table.standings tbody tr")
    return {
        without_title(row.locator("th a").inner_text()): Decimal(row.locator("td.number").nth(2).inner_text())
        for row in rows.all()
    }


def text_on_paper(page: Page, address: str) -> str:
    """The text of a PDF, downloaded as the user of the page."""
    answer = page.request.get(address)
    assert answer.headers["content-type"] == "application/pdf"
    return "\n".join(sheet.extract_text() for sheet in PdfReader(BytesIO(answer.body())).pages)


def faults_on(page: Page, address: str) -> list[str]:
    page.goto(address)
    page.evaluate("for (const each of document.querySelectorAll('main details')) { each.name = ''; each.open = true; }")
    return accessibility_faults(page, also_dark=True)
