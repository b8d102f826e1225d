"""A realistic club evening: two secretaries and three players, with real servers that are killed meanwhile."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, LiteralString

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import WAIT_MS
from tests.browser.signing_in import sign_in
from tests.deployment import Deployment
from tests.servers import new_database

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.postgresql, pytest.mark.slow]

LONG = 2 * WAIT_MS
"""Milliseconds in which a dead worker must have been noticed, or a new one taken over."""

PLAYERS = """Łęcka, Zdzisława; 2100
Бързакова, Весела; 2050
Příhodová, Žofie; 2000
Kowal, Adam; 1950
Müller, Jürgen; 1900
Zając, Ewa; 1850
Baran, Ola; 1800
Figurka, Ctibor; 1750
Пешков, Цветан; 1700
Gambitowski, Jaromir; 1650
Věžička, Dobromil; 1600
Patowska, Żywia; 1550"""

LATE = "Patowska, Żywia"

EVENT = "/pod-wieza/wednesday/"

MAKE_AN_EVENING = f"""
import json
from clubs.models import Club, Membership, Role, User
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.check_in.personal_links import event_link_url, check_in_code_url
from tournaments.events.event_setup import create_tournament

club = Club.objects.create(name="Pod Wieżą", slug="pod-wieza")
for name in ("sabina", "tadeusz"):
    user = User.objects.create_user(name, password=name)
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
event = create_tournament(club, by=None, name="Wednesday", rounds_announced=3)
event.players_check_in = event.players_report_results = True
event.save()
enter_pasted_list(event, {PLAYERS!r}, by=None)
print(json.dumps({{
    "wall": check_in_code_url(event.rounds.get(number=1)),
    "links": {{entry.name: event_link_url(entry) for entry in event.entries.all()}},
}}))
"""


@pytest.fixture
def deployment(migrated_postgresql, redis_server, tmp_path) -> Iterator[Deployment]:
    """A deployment with an empty database and an empty queue."""
    database = new_database(migrated_postgresql, "whole_evening")
    queue = redis_server.rpartition("/")[0] + "/5"
    deployment = Deployment(tmp_path, database=database, queue=queue, is_migrated=True)
    yield deployment
    deployment.end()


@pytest.fixture
def opened(chromium: Browser, deployment: Deployment) -> Iterator[Callable[..., Page]]:
    """Open a page in a browser context of its own: a laptop or a phone. Script errors fail the test."""
    errors: list[str] = []
    with ExitStack() as contexts:

        def a_page(*, width: int) -> Page:
            context = chromium.new_context(
                viewport={"width": width, "height": 860}, locale="en-GB", base_url=deployment.pages_at
            )
            contexts.callback(context.close)
            context.set_default_timeout(WAIT_MS)
            page = context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            return page

        yield a_page
    assert errors == []


def test_a_whole_evening(deployment: Deployment, opened):
    made = json.loads(deployment.shell(MAKE_AN_EVENING))
    with deployment.pages(), deployment.streams(), ExitStack() as workers:
        worker = workers.enter_context(deployment.worker())
        sabina, tadeusz = (signed_in(opened(width=1280), name) for name in ("sabina", "tadeusz"))
        adam, ola, guest = (opened(width=390) for _phone in range(3))

        check_everybody_in(sabina, tadeusz, adam, made["wall"])
        pair_twice_at_once(deployment, sabina, tadeusz)

        guest.goto(f"{EVENT}rounds/1/")
        expect(guest.get_by_role("heading", name="Not published yet")).to_be_visible()
        publish(sabina, 1)
        expect(guest.locator("#board-1")).to_be_visible()
        report_different_results(deployment, sabina, adam, ola, made["links"])
        enter_the_same_board(tadeusz, sabina)
        fill_in(sabina)
        expect(guest.locator("#board-5")).to_contain_text(re.compile("1–0|½–½|0–1"))
        finish(sabina, 1)

        sabina.goto(f"{EVENT}rounds/2/check-in/")
        row = sabina.get_by_role("listitem").filter(has_text=LATE)
        row.locator("summary").click()
        row.get_by_role("button", name="Absent", exact=True).click()
        expect(sabina.locator("#counts")).to_contain_text("1 absent")
        killed_in_mid_pairing(deployment, sabina, worker)
        workers.enter_context(deployment.worker())
        expect(sabina.get_by_role("button", name="Publish round 2")).to_be_visible(timeout=LONG)
        assert drafts_made(deployment, 2) == 1
        publish(sabina, 2)
        guest.get_by_role("link", name="Round 2 is published").click()
        expect(guest.get_by_role("heading", name="Round 2 of 3")).to_be_visible()

        come_late(deployment, sabina, guest)
        correct_round_1(deployment, tadeusz)
        fill_in(sabina)
        finish(sabina, 2)
        guest.goto(f"{EVENT}standings/")
        expect(guest.get_by_role("row").filter(has_text=LATE)).to_be_visible()


def signed_in(page: Page, name: str) -> Page:
    sign_in(page, "", name, name)
    return page


def check_everybody_in(sabina: Page, tadeusz: Page, adam: Page, wall: str) -> None:
    """One player checks in with the code, most at the door on two laptops. Unseen players are absent."""
    sabina.goto(f"{EVENT}rounds/1/check-in/")
    tadeusz.goto(f"{EVENT}rounds/1/check-in/")
    adam.goto(wall)
    adam.get_by_role("button", name="Kowal, Adam").click()
    expect(adam.get_by_role("status")).to_contain_text("You are checked in for round 1")
    here = [line.partition(";")[0] for line in PLAYERS.splitlines()]
    for place, name in enumerate(each for each in here if each not in ("Kowal, Adam", LATE)):
        page = (sabina, tadeusz)[place % 2]
        page.get_by_role("button", name=name).click()
    for page in (sabina, tadeusz):
        expect(page.locator("#counts")).to_contain_text("11 of 12 here")
    sabina.get_by_role("link", name="Close check-in").click()
    sabina.get_by_role("button", name="Close check-in").click()
    expect(sabina.locator("#messages")).to_contain_text("Check-in is closed")


def pair_twice_at_once(deployment: Deployment, sabina: Page, tadeusz: Page) -> None:
    """A double click on one laptop and a click on the other create one draft, which both see."""
    for page in (sabina, tadeusz):
        page.goto(f"{EVENT}rounds/1/")
    sabina.locator("#pair-label").dblclick(no_wait_after=True)
    tadeusz.locator("#pair-label").click()
    for page in (sabina, tadeusz):
        expect(page.get_by_role("button", name="Publish round 1")).to_be_visible(timeout=LONG)
    assert drafts_made(deployment, 1) == 1
    assert len(boards(deployment, 1)) == 5


def publish(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Publish round {number}").click()
    expect(page.locator("#progress")).to_be_visible()


def report_different_results(
    deployment: Deployment, sabina: Page, adam: Page, ola: Page, links: dict[str, str]
) -> None:
    """Two players report different results: the board is flagged, the round stays open, the arbiter decides."""
    for phone, name in zip((adam, ola), boards(deployment, 1)[0], strict=True):
        phone.goto(links[name])
        phone.get_by_role("button", name="I won").click()
    expect(ola.get_by_role("alert")).to_contain_text("You reported a win, but so did your opponent.")
    expect(adam.get_by_role("alert")).to_contain_text("You reported a win, but so did your opponent.")
    sabina.reload()
    expect(sabina.get_by_role("link", name="1 disputed")).to_be_visible()
    expect(sabina.get_by_role("link", name="Resolve board 1")).to_be_visible()
    enter(sabina, 1, "1–0")
    for phone in (adam, ola):
        expect(phone.get_by_text("has been entered.")).to_be_visible()


def enter_the_same_board(tadeusz: Page, sabina: Page) -> None:
    """Tadeusz enters a result while Sabina is at the board: she is asked about hers, and insists."""
    tadeusz.goto(f"{EVENT}rounds/1/")
    # Reload first: her page may still be updating itself, as no board is disputed now.
    sabina.goto(f"{EVENT}rounds/1/")
    sabina.locator("#board-2").focus()
    enter(tadeusz, 2, "½")
    # The focused row does not change under the user's hands; the others are updated.
    tadeusz.locator("#board-4").focus()
    sabina.keyboard.press("1")
    row = sabina.locator("#board-2")
    expect(row).to_contain_text("Which is correct?")
    expect(row).to_contain_text("tadeusz")
    sabina.locator("#result-2-mine").click()
    expect(row.get_by_role("radio", name="1–0")).to_be_checked()
    expect(tadeusz.locator("#board-2").get_by_role("radio", name="1–0")).to_be_checked()


def fill_in(page: Page) -> None:
    """Enter the missing results, one key for each board."""
    page.reload()
    for place in range(page.locator("tr.open[data-board]").count()):
        before = page.locator("tr.open[data-board]").count()
        page.locator("tr.open[data-board]").first.focus()
        page.keyboard.press("1=0"[place % 3])
        expect(page.locator("tr.open[data-board]")).to_have_count(before - 1)


def finish(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Finish round {number}").click()
    expect(page.get_by_text("All results are in · finished")).to_be_visible()


def killed_in_mid_pairing(deployment: Deployment, page: Page, worker) -> None:
    """The worker is killed after pairing and before saving. The page says so, and nothing is saved."""
    with games_cannot_be_saved(deployment):
        page.locator("#pair-label").click()
        expect(page.get_by_role("heading", name="Pairing round 2")).to_be_visible(timeout=LONG)
        wait_until(lambda: rows(deployment, WAITS_FOR_GAMES) != [])
        worker.kill()
        worker.wait()
    expect(page.get_by_text("The worker for this job has stopped.")).to_be_visible(timeout=LONG)
    assert drafts_made(deployment, 2) == 0


WAITS_FOR_GAMES = "SELECT pid FROM pg_locks WHERE relation = 'tournaments_game'::regclass AND NOT granted"


@contextmanager
def games_cannot_be_saved(deployment: Deployment) -> Iterator[None]:
    """Lock games for writing: they can still be read."""
    with psycopg.connect(deployment.database) as connection, connection.transaction():
        connection.execute("LOCK TABLE tournaments_game IN EXCLUSIVE MODE")
        yield


def come_late(deployment: Deployment, sabina: Page, guest: Page) -> None:
    """A player arrives after round 2 is published: the changes are shown, then accepted with a reason."""
    version = version_of(deployment, 2)
    sabina.locator("#more > summary").click()
    sabina.get_by_role("link", name="Late arrival or no-show").click()
    sabina.get_by_role("group", name="Arrived late").get_by_text(LATE).click()
    sabina.get_by_role("button", name="Preview changes").click()
    expect(sabina.get_by_role("heading", name=re.compile(r"Round 2: \d+ boards? would change"))).to_be_visible(
        timeout=LONG
    )
    assert version_of(deployment, 2) == version
    sabina.get_by_label("Reason (for the log)").fill("Her train was late; nobody had begun.")
    sabina.get_by_role("button", name=re.compile(r"Change \d+ boards?")).click()
    expect(sabina.locator("#progress")).to_be_visible()
    expect(guest.locator("#boards")).to_contain_text(LATE)
    assert version_of(deployment, 2) > version
    assert len(boards(deployment, 2)) == 6


def correct_round_1(deployment: Deployment, tadeusz: Page) -> None:
    """A wrong result of round 1 is corrected during round 2, whose boards stay the same."""
    before = boards(deployment, 2)
    tadeusz.goto(f"{EVENT}rounds/1/boards/1/")
    tadeusz.get_by_role("radio", name="0–1 Black wins", exact=True).check()
    tadeusz.get_by_label("Reason (for the log and the players)").fill("The slip was read upside down.")
    tadeusz.get_by_role("button", name="Save result").click()
    expect(tadeusz.locator("#board-1")).to_contain_text("0–1")
    # The first visit starts the comparison; a later one finds it finished.
    notice = tadeusz.get_by_text("An earlier result was corrected. Re-pairing would change")
    wait_until(lambda: tadeusz.goto(f"{EVENT}rounds/2/") is not None and notice.is_visible())
    assert boards(deployment, 2) == before


def enter(page: Page, board: int, result: str) -> None:
    row = page.locator(f"#board-{board}")
    row.get_by_text(result, exact=True).click()
    expect(row.get_by_role("radio", name=result)).to_be_checked()
    # Wait for the server's answer, or another user's result may be saved first.
    expect(row).not_to_have_class(re.compile("open|waiting|htmx-request"))


def rows(deployment: Deployment, query: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
    """The rows in the database."""
    with psycopg.connect(deployment.database) as connection:
        return connection.execute(query, parameters).fetchall()


def drafts_made(deployment: Deployment, number: int) -> int:
    """How often the round was paired, according to the event's log."""
    query = "SELECT 1 FROM tournaments_logentry JOIN tournaments_round r ON r.id = round_id"
    return len(rows(deployment, query + " WHERE action = 'round paired' AND number = %s", number))


def version_of(deployment: Deployment, number: int) -> int:
    return int(rows(deployment, "SELECT version FROM tournaments_round WHERE number = %s", number)[0][0])


def boards(deployment: Deployment, number: int) -> list[tuple[str, str]]:
    """White and Black of every board, by name."""
    query = "SELECT w.name, b.name FROM tournaments_game g JOIN tournaments_round r ON r.id = round_id"
    query += " JOIN tournaments_entry w ON w.id = white_id JOIN tournaments_entry b ON b.id = black_id"
    return rows(deployment, query + " WHERE number = %s ORDER BY board", number)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG / 1000
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
