"""Pages that update themselves, in a real browser, with the stream process next to the server."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from clubs.models import Role
from pairing.rounds.lifecycle.transitions import pair_round, publish_round
from tests.browser.accessibility import accessibility_faults
from tests.browser.conftest import WAIT_MS
from tests.browser.signing_in import is_signed_in
from tests.factories import make_club, make_event, make_user, round_of
from tests.servers import answering, free_port
from tournaments.models import Game, Round, Tournament
from tournaments.results.recording import enter_result, finish_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event(live_server) -> Tournament:
    club = make_club()
    make_user("secretary", club, Role.SECRETARY)
    return make_event(club, players=8)


@pytest.fixture
def streams(event, settings, stream_fork_server, tmp_path) -> Callable[[], AbstractContextManager[None]]:
    """Start the stream process, always on the same port, to which the server's pages listen."""
    port, log = free_port(), tmp_path / "streams.log"
    listen_at(settings, f"http://127.0.0.1:{port}")
    told = ("--port", str(port), "--timeout-graceful-shutdown", "1", "--log-level", "warning")

    @contextmanager
    def started() -> Iterator[None]:
        def answers() -> None:
            urllib.request.urlopen(f"{settings.LIVE_ADDRESS}/live/", timeout=5).close()  # noqa: S310

        with answering(
            stream_fork_server.start("uvicorn", "config.asgi:application", *told, log=log), answers, said=log.read_text
        ):
            yield

    return started


@pytest.fixture
def listening(streams) -> Iterator[None]:
    with streams():
        yield


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Page]:
    """A player's phone, with scripts."""
    # Playwright cannot hold back requests of a service worker.
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", service_workers="block")
    context.set_default_timeout(WAIT_MS)
    yield context.new_page()
    context.close()


def listen_at(settings, address: str) -> None:
    """As `config/settings.py` does with CLUBNIGHT_LIVE."""
    settings.LIVE_ADDRESS = address
    settings.SECURE_CSP = settings.SECURE_CSP | {"connect-src": ["'self'", *([address] if address else [])]}


def show(event: Tournament, number: int) -> Round:
    draft = pair_round(round_of(event, number).pk, by=None).round
    return publish_round(draft, by=None, version=draft.version)


def enter(this_round: Round, board: int, result: str) -> None:
    game = this_round.games.get(board=board)
    enter_result(game, result, revision=game.revision, by=None)


def address(live_server, event: Tournament, rest: str) -> str:
    return f"{live_server.url}/{event.club.slug}/{event.slug}/{rest}"


def board(page: Page, number: int):
    return page.locator(f"#board-{number}")


def mark_page(page: Page) -> None:
    """A mark that disappears when the page is loaded again."""
    page.evaluate("window.notLoadedAgain = true")


def is_marked(page: Page) -> bool:
    return bool(page.evaluate("window.notLoadedAgain === true"))


def test_a_phone_sees_results_as_they_come_and_the_table_with_them(live_server, event, listening, visitor, page):
    this_round = show(event, 1)
    visitor.goto(address(live_server, event, "rounds/1/"))
    page.goto(address(live_server, event, "standings/"))
    mark_page(visitor)
    enter(this_round, 2, Game.Result.DRAW)
    expect(board(visitor, 2)).to_contain_text("½–½")
    expect(page.locator("tr", has=page.get_by_role("cell", name="½", exact=True))).not_to_have_count(0)
    enter(this_round, 2, Game.Result.PENDING)
    expect(board(visitor, 2)).not_to_contain_text("½–½")
    assert is_marked(visitor)


def test_a_waiting_page_gets_the_round(live_server, event, listening, visitor):
    visitor.goto(address(live_server, event, "rounds/1/"))
    expect(visitor.get_by_role("heading", name="Not published yet")).to_be_visible()
    show(event, 1)
    expect(board(visitor, 1)).to_be_visible()


def test_navigation_to_another_page_is_not_interrupted(live_server, event, listening, visitor):
    """The page is replaced while a slow link is being followed, and must not reload over it."""
    visitor.goto(address(live_server, event, "rounds/1/"))
    held: list[Route] = []
    visitor.route("**/standings/", lambda route: held.append(route))
    visitor.get_by_role("link", name="Standings").first.click(no_wait_after=True)
    with visitor.expect_response("**/rounds/1/"):
        show(event, 1)
    # The second request shows that the page has processed the first answer.
    with visitor.expect_response("**/rounds/1/"):
        pass
    held[0].continue_()
    expect(visitor).to_have_url(address(live_server, event, "standings/"))


@pytest.mark.parametrize("is_there", [True, False])
def test_results_arrive_whether_there_are_streams_or_not(live_server, event, settings, visitor, is_there):
    """Without a stream URL pages poll; with an unreachable one they poll, too."""
    listen_at(settings, f"http://127.0.0.1:{free_port()}" if is_there else "")
    this_round = show(event, 1)
    visitor.goto(address(live_server, event, "rounds/1/"))
    enter(this_round, 1, Game.Result.WHITE_WINS)
    expect(board(visitor, 1)).to_contain_text("1–0")


def test_a_phone_recovers_when_the_streams_are_started_again(live_server, event, streams, visitor):
    this_round = show(event, 1)
    with ExitStack() as first:
        first.enter_context(streams())
        visitor.goto(address(live_server, event, "rounds/1/"))
        enter(this_round, 1, Game.Result.WHITE_WINS)
        expect(board(visitor, 1)).to_contain_text("1–0")
    mark_page(visitor)
    enter(this_round, 2, Game.Result.WHITE_WINS)
    with streams():
        expect(board(visitor, 2)).to_contain_text("1–0")
        enter(this_round, 3, Game.Result.WHITE_WINS)
        expect(board(visitor, 3)).to_contain_text("1–0")
    assert is_marked(visitor)


def test_a_page_without_connection_says_so_and_recovers(live_server, event, listening, visitor):
    this_round = show(event, 1)
    visitor.goto(address(live_server, event, "hall/"))
    expect(visitor.locator("#live-lost")).to_be_hidden()
    visitor.context.set_offline(True)
    expect(visitor.locator("#live-lost")).to_have_text(re.compile("No connection. Last updated:\\s+\\d\\d:\\d\\d"))
    enter(this_round, 1, Game.Result.WHITE_WINS)
    visitor.context.set_offline(False)
    expect(visitor.locator("#hall-1")).to_contain_text("1–0")
    expect(visitor.locator("#live-lost")).to_be_hidden()


def test_two_officers_enter_results_and_do_not_disturb_each_other(live_server, event, listening, page):
    this_round = show(event, 1)
    is_signed_in(page, live_server.url, "secretary")
    page.goto(address(live_server, event, "rounds/1/"))
    mark_page(page)
    board(page, 2).focus()
    enter(this_round, 1, Game.Result.WHITE_WINS)
    expect(board(page, 1).get_by_role("radio", checked=True)).to_have_value("1-0")
    expect(page.locator("#progress")).to_contain_text("1 of 4")
    expect(board(page, 2)).to_be_focused()
    # The board that she is editing does not change, and the page asks about the conflict.
    enter(this_round, 2, Game.Result.BLACK_WINS)
    expect(page.locator("#progress")).to_contain_text("2 of 4")
    expect(board(page, 2)).to_be_focused()
    expect(board(page, 2).get_by_role("radio", checked=True)).to_have_count(0)
    page.keyboard.press("1")
    expect(board(page, 2).locator(".refused")).to_be_visible()
    # A board that nobody is editing is updated.
    enter(this_round, 4, Game.Result.DRAW)
    expect(board(page, 4).get_by_role("radio", checked=True)).to_have_value("1/2")
    # The question stays until it is answered, whatever else changes.
    expect(board(page, 2).get_by_text("Which is correct?")).to_be_visible()
    board(page, 2).locator("#result-2-mine").click()
    expect(board(page, 2).get_by_role("radio", checked=True)).to_have_value("1-0")
    assert is_marked(page)


def until_nothing_is_asked(page: Page, asked: list[str]) -> None:
    """Wait until all earlier changes have arrived: one second without requests."""
    for _ in range(60):
        asked.clear()
        page.wait_for_timeout(1_000)
        if not asked:
            return
    raise AssertionError("the page goes on asking")


def test_a_draft_reaches_no_phone(live_server, event, listening, visitor):
    this_round = show(event, 1)
    visitor.goto(address(live_server, event, "hall/"))
    for number in range(1, 5):
        enter(this_round, number, Game.Result.WHITE_WINS)
    finish_round(this_round, by=None)
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Standings after round 1")
    asked: list[str] = []
    visitor.on("request", lambda request: asked.append(request.url))
    until_nothing_is_asked(visitor, asked)
    draft = pair_round(round_of(event, 2).pk, by=None).round
    visitor.wait_for_timeout(1_500)
    assert asked == [], "the phone learnt that there is a draft"
    publish_round(draft, by=None, version=draft.version)
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Round 2 of 5")


def test_the_hall_turns_its_pages(live_server, event, page):
    event = make_event(event.club, players=60)
    show(event, 1)
    page.set_viewport_size({"width": 800, "height": 450})
    page.goto(address(live_server, event, "hall/"))
    shown = page.locator("#hall-page")
    expect(shown).to_have_text(re.compile(r"1 / [2-9]"))
    expect(page.locator("#hall-1")).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_text(re.compile(r"2 / [2-9]"))
    expect(page.locator("#hall-1")).not_to_be_in_viewport()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#hall-30")).to_be_in_viewport()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")


@pytest.fixture
def long_round(event, monkeypatch) -> Round:
    """A hall with thirty boards, of which the screen shows twenty at a time."""
    monkeypatch.setattr("pairing.pages.round.views.hall_screen.LINES_PER_PAGE", 20)
    return show(make_event(event.club, players=60), 1)


def test_the_hall_brings_in_the_rest_of_a_long_round(live_server, long_round, listening, page):
    page.goto(address(live_server, long_round.tournament, "hall/"))
    mark_page(page)
    shown = page.locator("#hall-page")
    expect(shown).to_have_text(re.compile(r"1 / [1-9] \(1–20\)"))
    expect(page.locator("#hall-21")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#hall-30")).to_be_in_viewport()
    expect(shown).to_have_text(re.compile(r"([1-9]) / \1 \(21–30\)"))
    expect(page.locator("#hall-1")).to_have_count(0)
    enter(long_round, 30, Game.Result.DRAW)
    expect(page.locator("#hall-30")).to_contain_text("½–½")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#hall-1")).to_be_in_viewport()
    expect(shown).to_have_text(re.compile(r"1 / [1-9] \(1–20\)"))
    enter(long_round, 1, Game.Result.WHITE_WINS)
    expect(page.locator("#hall-1")).to_contain_text("1–0")
    assert is_marked(page)


def test_the_hall_gets_to_the_last_board_by_itself(live_server, long_round, page):
    page.clock.install()
    page.goto(address(live_server, long_round.tournament, "hall/"))
    expect(page.locator("#hall-1")).to_be_in_viewport()
    for _turn in range(8):
        page.clock.run_for(13_000)
        page.wait_for_timeout(300)
        if page.locator("#hall-30").count():
            break
    expect(page.locator("#hall-21")).to_be_in_viewport()


def test_the_hall_leads_to_the_rest_without_scripts(live_server, long_round, phone):
    phone.goto(address(live_server, long_round.tournament, "hall/"))
    expect(phone.locator("#hall-20")).to_be_visible()
    phone.get_by_role("link", name="More").click()
    expect(phone.locator("#hall-30")).to_be_visible()
    expect(phone.locator("#hall-1")).to_have_count(0)


def test_without_scripts_pages_are_whole(live_server, event, phone):
    this_round = show(event, 1)
    enter(this_round, 1, Game.Result.WHITE_WINS)
    phone.goto(address(live_server, event, "hall/"))
    expect(phone.locator("#hall-1")).to_contain_text("1–0")
    expect(phone.locator("#hall-4")).to_be_visible()
    expect(phone.locator("#live-lost")).to_be_hidden()
    phone.goto(address(live_server, event, "rounds/1/"))
    expect(board(phone, 1)).to_contain_text("1–0")
    expect(phone.locator("#live-lost")).to_be_hidden()


def test_pages_are_accessible_in_both_looks_and_keep_to_a_strict_policy(live_server, event, listening, chromium):
    this_round = show(event, 1)
    enter(this_round, 1, Game.Result.WHITE_WINS)
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    page = context.new_page()
    complaints: list[str] = []

    def complained(message: ConsoleMessage) -> None:
        complaints.append(message.text)

    page.on("console", complained)
    for rest in (
        "rounds/1/",
        "standings/",
        f"players/{event.entries.get(tpn=1).pk}/",
        f"rounds/1/current/{this_round.version}/",
        "hall/",
    ):
        page.goto(address(live_server, event, rest))
        page.wait_for_timeout(300)
        assert accessibility_faults(page, also_dark=True) == [], rest
    enter(this_round, 2, Game.Result.WHITE_WINS)
    expect(page.locator("#hall-2")).to_contain_text("1–0")
    assert complaints == []
    context.close()


SCREENS = ((1280, 720), (1920, 1080), (1024, 768), (3840, 2160))


@pytest.mark.parametrize("players", [8, 24, 60])
def test_the_hall_fills_every_screen(live_server, event, page, players):
    event = make_event(event.club, players=players)
    show(event, 1)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address(live_server, event, "hall/"))
        assert_fills_the_screen(page, players // 2, height)


def assert_fills_the_screen(page: Page, boards: int, height: int) -> None:
    """All boards at once, one line each, as large as fits: the last one is near the lower edge."""
    expect(page.locator("#hall-page")).to_have_text("1 / 1")
    list_box, last_box = (page.locator(each).bounding_box() for each in (".hall-list", f"#hall-{boards}"))
    assert list_box is not None
    assert last_box is not None
    assert last_box["y"] + last_box["height"] <= list_box["y"] + list_box["height"] + 1
    letter = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.hall-list')).fontSize)")
    assert letter >= 0.025 * height
    lines = page.evaluate(
        """[...document.querySelectorAll('.hall-white, .hall-black')].map((name) => {
            const range = document.createRange();
            range.selectNodeContents(name);
            return range.getBoundingClientRect().height / parseFloat(getComputedStyle(name).fontSize);
        })"""
    )
    assert max(lines) < 2, "a name is broken"


def test_the_hall_does_not_grow(live_server, event, listening, page):
    """As many elements and listeners after many changes and page turns as after a few."""
    event = make_event(event.club, players=16)
    this_round = show(event, 1)
    page.goto(address(live_server, event, "hall/"))
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")

    def held() -> dict[str, float]:
        tools.send("HeapProfiler.collectGarbage")
        metrics = {each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]}
        return {name: metrics[name] for name in ("Nodes", "JSEventListeners", "Documents")}

    def change(times: int) -> None:
        for time in range(times):
            result = (Game.Result.WHITE_WINS, Game.Result.DRAW)[time % 2]
            enter(this_round, 1 + time % 8, result)
            expect(page.locator(f"#hall-{1 + time % 8}")).to_contain_text(("1–0", "½–½")[time % 2])
            page.keyboard.press("ArrowRight")

    change(8)
    before = held()
    change(24)
    after = held()
    assert after["JSEventListeners"] <= before["JSEventListeners"] + 5
    assert after["Documents"] <= before["Documents"] + 2
    assert after["Nodes"] <= before["Nodes"] * 1.5
