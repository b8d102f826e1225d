"""The documentation's page "Why this pairing?" in Chromium: it runs the engine without a server, and sends nothing.

Pyodide comes from npm's registry the first time, and is kept in `var/pyodide`.
"""

from __future__ import annotations

import functools
import gzip
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from release.site.browser_page import ROOT, PyodideMissing, build_browser_page, fetch_pyodide, make_engine
from tests.browser.accessibility import accessibility_faults, assert_accessible
from tests.test_worked_rounds import worked

pytestmark = pytest.mark.browser

MAX_BYTES = 8_000_000


class StaticServer(ThreadingHTTPServer):
    """Serves a folder as any static host does, and notes what was requested."""

    def __init__(self, folder: Path) -> None:
        self.requested: list[str] = []
        super().__init__(("127.0.0.1", 0), functools.partial(StaticFiles, directory=folder))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


class StaticFiles(SimpleHTTPRequestHandler):
    server: StaticServer

    def do_GET(self) -> None:
        self.server.requested.append(self.path)
        super().do_GET()

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    try:
        pyodide = fetch_pyodide(ROOT / "var" / "pyodide")
    except PyodideMissing as problem:
        pytest.skip(f"no Pyodide here: {problem}")
    folder: Path = tmp_path_factory.mktemp("site")
    build_browser_page(folder / "why", make_engine(folder / "engine"), pyodide)
    return folder


@pytest.fixture
def server(site: Path) -> Iterator[StaticServer]:
    served = StaticServer(site)
    yield served
    served.stop()


def boards_shown(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator("#boards h3").all_inner_texts()]


def test_an_arbiter_asks_why_two_players_met(server, page: Page):
    page.goto(f"{server.address}why/?example&system=dubov-1997")
    expect(page.locator("#boards > li")).to_have_count(4)
    names = {
        "1": "Alfa",
        "2": "Beta",
        "3": "Gamma",
        "4": "Delta",
        "5": "Epsilon",
        "6": "Dzeta",
        "7": "Eta",
        "8": "Teta",
    }
    for pair, shown in zip(worked("dubov-1997.md").split(), boards_shown(page), strict=True):
        white, black = pair.split("-")
        assert shown.index(names[white]) < shown.index(names[black])

    # The plain sentence comes first. Rules and articles are folded.
    board = page.locator("#boards > li").first
    expect(board.locator("> p")).not_to_be_empty()
    expect(board.locator("cite").first).to_be_hidden()
    board.get_by_text("Rules and articles").click()
    expect(board.locator("cite").first).to_contain_text("dubov-1997")
    expect(board.locator("dd").first).to_be_hidden()
    board.get_by_text("What the articles say").click()
    expect(board.locator("dd").first).to_be_visible()

    # Somebody asks about one player: their board alone is left.
    page.get_by_label("Find by name or number").fill("delta")
    expect(page.locator("#boards > li:visible")).to_have_count(1)
    expect(page.locator("#boards > li:visible")).to_contain_text("Delta")
    page.get_by_label("Find by name or number").fill("4")
    expect(page.locator("#boards > li:visible")).to_contain_text("Delta")
    page.get_by_label("Find by name or number").fill("nobody")
    expect(page.get_by_text("No boards match this filter.")).to_be_visible()
    page.get_by_label("Find by name or number").fill("")
    expect(page.locator("#boards > li:visible")).to_have_count(4)

    # The steps of the round, and every round of the file against the rules.
    expect(page.locator("#step-count")).to_have_text(f"Step 1 of {page.locator('#steps li').count()}")
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#step-count")).to_contain_text("Step 2 of")
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".replay-boards li")).to_have_count(4)
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    expect(page.locator("#check h3")).to_have_count(2)

    page.get_by_label("Pairing system").select_option("jahr")
    expect(page.locator("#boards cite", has_text="jahr").first).to_be_attached()
    page.locator("#language").select_option("pl")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dlaczego taka para?")
    expect(page.locator("#steps-heading")).to_have_text("Jak skojarzono rundę 3")
    assert page.locator("html").get_attribute("lang") == "pl"


def test_a_file_of_ones_own_and_one_that_is_none(server, page: Page, tmp_path):
    content = (ROOT / "docs/arbiter/systems/example.trf").read_text(encoding="utf-8")
    named = tmp_path / "own.trf"
    named.write_text(content.replace("Alfa, Anna".ljust(33), "<b>Alfa</b>".ljust(33)), encoding="utf-8")
    other = tmp_path / "other.trf"
    other.write_text("Dear arbiter,\n", encoding="utf-8")
    page.goto(f"{server.address}why/")
    page.locator("#file").set_input_files(other)
    expect(page.locator("#problem")).to_be_visible()
    expect(page.locator("#report")).to_be_hidden()
    page.locator("#file").set_input_files(named)
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#boards")).to_contain_text("<b>Alfa</b>")
    page.get_by_label("Round", exact=True).select_option("1")
    expect(page.locator("#steps-heading")).to_have_text("How round 1 was paired")


@pytest.mark.parametrize("width", [390, 1280])
def test_everyone_can_use_the_page(server, page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{server.address}why/?example")
    expect(page.locator("#check h3")).to_have_count(2)
    for language in ("pl", "en"):
        page.locator("#language").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert accessibility_faults(page, also_dark=True) == []
    assert_accessible(page)


def test_nothing_leaves_the_computer(server, page: Page, tmp_path):
    """The page's own content policy refuses every request to another server, also from the engine's worker."""
    elsewhere = StaticServer(tmp_path)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.address}why/?example")
    expect(page.locator("#check h3")).to_have_count(2)
    assert {url for url in asked if not url.startswith((server.address, f"blob:{server.address}"))} == set()
    attempt = f"fetch('{elsewhere.address}', {{mode: 'no-cors'}}).then(() => 'sent', () => 'refused')"
    assert [worker.evaluate(attempt) for worker in page.workers] == ["refused"]
    assert elsewhere.requested == []
    elsewhere.stop()


def test_the_page_works_without_a_connection_once_it_was_loaded(site, page: Page):
    server = StaticServer(site)
    page.goto(f"{server.address}why/")
    expect(page.locator("#state")).to_have_text("This page now also works without a connection.")
    server.stop()
    page.reload()
    page.get_by_role("button", name="Use an example").click()
    expect(page.locator("#boards > li")).to_have_count(4)


def test_the_page_is_light_enough(site):
    files = [path for path in (site / "why").rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < MAX_BYTES
    listed = (site / "why" / "files.js").read_text(encoding="utf-8")
    for path in files:
        name = path.relative_to(site / "why").as_posix()
        assert f'"{name}"' in listed or name in ("files.js", "service_worker.js")
