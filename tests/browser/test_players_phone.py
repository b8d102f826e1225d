"""A player's phone in a real browser: notified within seconds, the own board at the top, and everything offline."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import Error as PlaywrightError

from clubs.models import Role
from tests.browser.conftest import WAIT_MS
from tests.browser.signing_in import sign_in
from tests.browser.test_live_updates import address, enter, listening, show, streams
from tests.factories import make_club, make_event, make_user, player, round_of
from tests.push_service import PushService
from tournaments.check_in.personal_links import event_link_url
from tournaments.models import Game, Notification, NotificationChannel, Tournament
from tournaments.results.recording import enter_result

__all__ = ["listening", "streams"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SUBSCRIBE = """
const device = %s;
window.asked = [];
Notification.requestPermission = async () => "granted";
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async (options) => {
  window.asked.push(options.userVisibleOnly);
  return { toJSON: () => device };
};
"""
"""The browser's own push service is far away: the tests' service stands in for it, with real keys."""


@pytest.fixture
def event(live_server) -> Tournament:
    club = make_club()
    make_user("secretary", club, Role.SECRETARY)
    return make_event(club, players=16, players_report_results=True)


@pytest.fixture
def push_service(settings, tmp_path) -> Iterator[PushService]:
    service = PushService()
    settings.PUSH_SERVICES = [service.origin]
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    settings.DEFAULT_FROM_EMAIL = "club@chess.example"
    yield service
    service.close()


@contextmanager
def opened_phones(browser: Browser, count: int) -> Iterator[list[Page]]:
    """Phones of several people, with scripts. Script errors fail the test."""
    errors: list[str] = []
    with ExitStack() as contexts:

        def new_phone() -> Page:
            context = browser.new_context(
                viewport={"width": 390, "height": 844}, locale="en-GB", permissions=["notifications"]
            )
            contexts.callback(context.close)
            context.set_default_timeout(WAIT_MS)
            page = context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda said: errors.append(said.text) if "Content Security" in said.text else None)
            return page

        yield [new_phone() for _each in range(count)]
    assert not errors


@pytest.fixture
def page(chromium: Browser, live_server) -> Iterator[Page]:
    """A player's phone."""
    with opened_phones(chromium, 1) as (phone,):
        yield phone


@pytest.fixture
def phones(whole_chromium: Browser, live_server) -> Iterator[list[Page]]:
    """Two phones that show notifications."""
    with opened_phones(whole_chromium, 2) as phones:
        yield phones


def on(live_server, path: str) -> str:
    """A secure context, as with HTTPS: browsers treat localhost as one."""
    return f"{live_server.url.replace('127.0.0.1', 'localhost')}{path}"


def until(page: Page, expression: str, *arguments: object) -> None:
    """Wait until this is true on the page, whose policy forbids Playwright's own way."""
    deadline = time.monotonic() + 60
    while not page.evaluate(expression, *arguments):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(20)


def worked_for(page: Page) -> None:
    """Wait until the service worker controls this page."""
    until(page, "() => navigator.serviceWorker.controller !== null")


def kept(page: Page, path: str) -> None:
    """Wait until the device has stored this page."""
    until(page, "async (path) => Boolean(await (await caches.open('pages')).match(path))", path)


def deliver(context: BrowserContext, page: Page, message: dict) -> None:
    """What the browser does with a message from its push service."""
    tools = context.new_cdp_session(page)
    found: list[dict] = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    origin = page.evaluate("location.origin")
    data = json.dumps(message)
    for _twice in range(2):
        tools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": origin, "registrationId": found[-1]["registrationId"], "data": data},
        )


SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map(({ title, body }) => ({ title, body }));
}"""


def test_two_phones_are_notified_when_a_round_is_published(
    live_server, event, listening, phones, push_service, record_property
):
    """From the click to the notification and to the board at the top of the round page, each once."""
    game_of = {}
    for page, number in zip(phones, (1, 2), strict=True):
        device = push_service.device()
        keys = {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}}
        page.add_init_script(SUBSCRIBE % json.dumps(keys))
        path = event_link_url(player(event, number))
        page.goto(on(live_server, path))
        page.get_by_role("link", name="Notifications").click()
        worked_for(page)
        page.get_by_role("button", name="Turn on notifications").click()
        expect(page.get_by_text("Device added on")).to_be_visible()
        assert page.evaluate("window.asked") == []
        page.goto(on(live_server, f"/{event.club.slug}/{event.slug}/standings/"))
        expect(page.locator("#pinned")).to_be_visible()
    assert NotificationChannel.objects.count() == 2
    begun = time.monotonic()
    this_round = show(event, 1)
    for number in (1, 2):
        entry = player(event, number)
        game_of[number] = this_round.games.filter(white=entry).first() or this_round.games.get(black=entry)
    while len(push_service.taken) < 2:
        assert time.monotonic() < begun + 60
        phones[0].wait_for_timeout(10)
    handed = time.monotonic() - begun
    for page, number in zip(phones, (1, 2), strict=True):
        message = next(
            each
            for (path, _headers, _body), each in zip(push_service.taken, push_service.shown(), strict=True)
            if path == f"/device/{number}"
        )
        deliver(page.context, page, message)
        deadline = time.monotonic() + 60
        while not page.evaluate(SHOWN):
            assert time.monotonic() < deadline
            page.wait_for_timeout(500)
            deliver(page.context, page, message)  # as a push service repeats a message that was not delivered
        (shown,) = page.evaluate(SHOWN)
        assert f"board {game_of[number].board}." in shown["body"]
    notified = time.monotonic() - begun
    for page, number in zip(phones, (1, 2), strict=True):
        expect(page.locator("#pinned")).to_contain_text(f"Round 1, board {game_of[number].board}")
    pinned = time.monotonic() - begun
    record_property("seconds", f"handed over {handed:.2f}, notified {notified:.2f}, pinned {pinned:.2f}")
    assert [each.state for each in Notification.objects.all()] == ["sent", "sent"]
    assert [len(page.evaluate(SHOWN)) for page in phones] == [1, 1]


def test_without_a_connection_pages_are_there_with_their_time_and_a_result_waits(live_server, event, page):
    this_round = show(event, 1)
    game = this_round.games.select_related("white", "black").get(board=1)
    mine = event_link_url(game.white)
    rounds, standings = (f"/{event.club.slug}/{event.slug}/{rest}/" for rest in ("rounds/1", "standings"))
    # The player chooses their name, then opens the personal link, which allows more. The public pages stay stored.
    page.goto(on(live_server, f"/{event.club.slug}/{event.slug}/me/"))
    page.get_by_label("Find your name").fill(game.white.name[-5:])
    expect(page.locator("#found li")).to_have_count(1)
    page.get_by_role("button", name=game.white.name).click()
    worked_for(page)
    for path in (rounds, mine, standings, mine):
        page.goto(on(live_server, path))
        kept(page, path)
    kept(page, rounds)
    page.context.set_offline(True)
    page.goto(on(live_server, standings))
    expect(page.locator("#live-lost")).to_have_text(re.compile(r"Last updated:\s+\d\d:\d\d"))
    expect(page.locator("table.standings")).to_contain_text(game.black.name)
    page.goto(on(live_server, rounds))
    expect(page.locator("#live-lost")).to_be_visible()
    page.get_by_label("Find a player").fill("nr001")
    expect(page.locator("#boards tbody tr:visible")).to_have_count(1)
    page.goto(on(live_server, f"/{event.club.slug}/{event.slug}/players/"))
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    for title in ("Round 1", "Standings", game.white.name):
        expect(page.locator("#kept-pages li", has_text=title).first).to_be_visible()
    page.goto(on(live_server, "/me/"))
    expect(page.get_by_role("heading", level=1)).to_have_text(game.white.name)
    page.get_by_role("button", name="I won").click()
    expect(page.locator("#kept-result")).to_contain_text("send it when you're back online: I won")
    assert not game.claims.exists()
    page.context.set_offline(False)
    expect(page.get_by_text("Waiting for your opponent to confirm.")).to_be_visible()
    assert [each.result for each in game.claims.all()] == ["1-0"]
    expect(page.locator("#kept-result")).to_be_hidden()


def test_a_result_that_waits_is_not_sent_to_a_board_that_has_changed(live_server, event, page):
    game = show(event, 1).games.select_related("white", "black").get(board=1)
    mine = event_link_url(game.white)
    page.goto(on(live_server, mine))
    worked_for(page)
    page.goto(on(live_server, mine))
    kept(page, mine)
    page.context.set_offline(True)
    page.get_by_role("button", name="I won").click()
    expect(page.locator("#kept-result")).to_be_visible()
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    page.context.set_offline(False)
    expect(page.locator("#kept-result")).to_contain_text("Your board has changed since you reported")
    game.refresh_from_db()
    assert (game.result, game.claims.count()) == ("1/2", 0)
    page.reload()
    expect(page.get_by_text("½–½").first).to_be_visible()
    # A board with a result accepts no reports, so the page does not offer to send one.
    expect(page.locator("#kept-result")).to_contain_text("You can no longer report this result")
    expect(page.get_by_role("button", name="Send anyway")).to_be_hidden()
    page.get_by_role("button", name="Don't send").click()
    expect(page.locator("#kept-result")).to_be_hidden()
    page.reload()
    expect(page.locator("#kept-result")).to_be_hidden()


@pytest.mark.parametrize("leaves", ["forgets", "signs out"])
def test_nothing_of_one_person_is_left_for_the_next(live_server, event, page, leaves):
    game = show(event, 1).games.select_related("white").get(board=1)
    mine = event_link_url(game.white)
    if leaves == "signs out":
        make_user("member", event.club, Role.MEMBER)
        sign_in(page, on(live_server, ""), "member", "member")
    page.goto(on(live_server, mine))
    worked_for(page)
    page.goto(on(live_server, mine))
    kept(page, mine)
    if leaves == "forgets":
        page.context.set_offline(True)
        page.get_by_text("This link and this device").click()
        page.get_by_role("button", name="Forget me on this device").click()
        expect(page.get_by_role("alert")).to_contain_text("so do this again when you're online")
        expect(page.locator("body")).not_to_contain_text(game.white.name)
        page.context.set_offline(False)
        page.goto(on(live_server, mine))
        page.get_by_text("This link and this device").click()
        page.get_by_role("button", name="Forget me on this device").click()
        expect(page.get_by_text("This device no longer remembers you.")).to_be_visible()
    else:
        page.get_by_text("Menu", exact=True).click()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    left = """async () => {
      const pages = await caches.open("pages");
      const kept = await Promise.all((await pages.keys()).map((each) => pages.match(each)));
      return kept.filter((each) => each.headers.get("Keep-Offline") !== "all").length;
    }"""
    assert page.evaluate(left) == 0
    assert page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('pinned'))") == []
    page.context.set_offline(True)
    with suppress(PlaywrightError):
        page.goto(on(live_server, mine))
    expect(page.locator("body")).not_to_contain_text(game.white.name)


def test_ones_board_stays_on_top_and_follows_and_searching_finds(live_server, event, page, chromium):
    """The player is chosen once, pinned and updated by live changes; rows are found while typing."""
    this_round = show(event, 1)
    game = this_round.games.select_related("white", "black").get(board=3)
    me = address(live_server, event, "me/")
    page.goto(me)
    page.get_by_role("button", name=game.black.name).click()
    page.goto(address(live_server, event, "rounds/1/"))
    expect(page.locator("#pinned")).to_contain_text("Round 1, board 3")
    expect(page.locator("#pinned")).to_contain_text("You have Black")
    enter(this_round, 3, Game.Result.DRAW)
    expect(page.locator("#pinned")).to_contain_text("½–½")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/me/board/" in request.url else None)
    enter(this_round, 5, Game.Result.DRAW)
    expect(page.locator("#board-5")).to_contain_text("½–½")
    assert asked == [], "another board's result is no news to him"
    page.get_by_label("Find a player").fill(game.white.name[-5:])
    expect(page.locator("#boards tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"name=Nr0"))
    assert page.evaluate("window.htmx === undefined")
    # Another person on the same device, in the same tab, never sees the previous person's board.
    page.goto(me)
    page.get_by_role("button", name="Forget me on this device").click()
    expect(page.get_by_text("This device no longer remembers you.")).to_be_visible()
    page.goto(me)
    second = round_of(event, 1).games.select_related("white").get(board=1).white
    page.route("**/me/board/", lambda route: route.abort())
    page.get_by_role("button", name=second.name).click()
    page.goto(address(live_server, event, "rounds/1/"))
    expect(page.locator("#boards")).to_be_visible()
    expect(page.locator("#pinned")).not_to_contain_text("board 3")
    with opened_phones(chromium, 1) as (other,):
        other.goto(address(live_server, event, "rounds/1/"))
        expect(other.locator("#pinned")).to_be_hidden()
