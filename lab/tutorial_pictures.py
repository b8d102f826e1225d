"""Take the screenshots of the tutorials and the README: `python -m lab.tutorial_pictures [--check]`.

A browser walks through docs/tutorials on an empty server, page by page, as the club secretary who reads them would.
The command fails where the pages no longer have what a tutorial says: every **bold** phrase must have been seen on its
walk, every row of its tables of players on the standings page, and every picture must be shown by some page. The
README's pictures show the demo club. Needs Chromium and Pango. Look at the pictures in docs/pictures afterwards.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from PIL import Image, ImageOps
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.browser.conftest import QUIET
from tests.servers import free_port, running, sqlite_with_tables

ROOT = Path(__file__).resolve().parents[1]
TUTORIALS = ROOT / "docs" / "tutorials"
PICTURES = ROOT / "docs" / "pictures"
MAX_BYTES = 60_000
QUALITIES = (80, 70, 60, 50, 40)
"""WebP qualities to try, the best first."""
SCALE = 1.5
"""Device pixels per CSS pixel."""
DESK, PHONE, GAP, README_SCALE = (900, 600), (380, 600), 20, 1.0
"""The README's two parts, width and height in CSS pixels; the gap between them; device pixels per CSS pixel."""
LOOKS: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
WAIT = 30_000
"""Milliseconds until a step has failed: machines that make pictures are busy."""

PLAYERS = """\
Archer, Helen 1912
Bridges, Tom 1845
Carver, Priya 1790
Dexter, Sam 1733
Ferris, Olive 1688
Gates, Rory 1640
Harker, Nina 1575
Ivory, Paul 1490"""

MEMBERS = """\
Name\tBirth date\tEmail
Archer, Helen\t1961\thelen@rooklane.example
Bridges, Tom\t1974\ttom@rooklane.example
Carver, Priya\t1990\tpriya@rooklane.example
Dexter, Sam\t1988\t
Ferris, Olive\t2011\t
Gates, Rory\t1957\t
Harker, Nina\t1995\t
Ivory, Paul\t1949\t
Jarrow, Leah\t2002\t"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="walk, but leave the pictures as they are")
    keeps_pictures = parser.parse_args().check
    with tempfile.TemporaryDirectory(prefix="clubnight-pictures-") as folder, sync_playwright() as playwright:
        album = Album(folder=Path(folder) if keeps_pictures else PICTURES)
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        chromium = playwright.chromium.launch(executable_path=program, args=[*QUIET, "--lang=en-GB"])
        with served_club(f"{folder}/club") as (site, code):
            walks = walk_tutorials(chromium, site, code, album)
        problems = [problem for walk in walks for problem in walk.problems()]
        with served_club(f"{folder}/demo", is_demo=True) as (site, _code):
            take_readme_pictures(chromium, site, album)
        chromium.close()
    problems += album.problems()
    sys.exit("\n".join(problems) or None)


@contextmanager
def served_club(folder: str, *, is_demo: bool = False) -> Iterator[tuple[str, str]]:
    """Run a server with a fresh database. Return its address and its set-up code."""
    Path(folder).mkdir()
    database = f"{folder}/club.sqlite3"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CLUBNIGHT_")}
    environment |= {"CLUBNIGHT_DATABASE": database, "CLUBNIGHT_VAR": folder, "CLUBNIGHT_DEBUG": "0"}
    shutil.copy(sqlite_with_tables(), database)
    code = ""
    if is_demo:
        run_manage("demo", environment=environment | {"CLUBNIGHT_DEBUG": "1"})
    else:
        said = run_manage("setup_code", environment=environment)
        code = re.findall(r"\b\w{4}-\w{4}-\w{4}\b", said)[0]
    run_manage("collectstatic", "--no-input", "--verbosity", "0", environment=environment)
    at = f"127.0.0.1:{free_port()}"
    server = [sys.executable, "manage.py", "runserver", "--noreload", at]
    answers = lambda: urllib.request.urlopen(f"http://{at}/healthz", timeout=30).close()  # noqa: E731
    with running(server, answers=answers, folder=str(ROOT), environment=environment, seconds=300):
        yield f"http://{at}", code


def run_manage(*arguments: str, environment: dict[str, str]) -> str:
    """Run a management command. Return its output."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


def compress(image: Image.Image) -> bytes:
    """Return the image as WebP of at most MAX_BYTES, or nothing if the lowest quality is larger."""
    for quality in QUALITIES:
        stored = io.BytesIO()
        image.save(stored, "webp", quality=quality, method=6)
        if stored.tell() < MAX_BYTES:
            return stored.getvalue()
    return b""


@dataclass(slots=True)
class Album:
    """The pictures taken so far, and their folder."""

    folder: Path
    names: list[str] = field(default_factory=list)

    def add(self, name: str, picture: bytes | Image.Image) -> None:
        """Store a picture as WebP, in the best quality that fits into MAX_BYTES, or smaller if none does."""
        image = picture if isinstance(picture, Image.Image) else Image.open(io.BytesIO(picture))
        while not (stored := compress(image)):
            image = image.resize((image.width * 5 // 6, image.height * 5 // 6))
        (self.folder / name).write_bytes(stored)
        self.names.append(name)
        sys.stdout.write(f"{name} {image.width} × {image.height}, {len(stored)} bytes\n")

    def problems(self) -> list[str]:
        """Return pictures that no page shows, and pictures in pages that were not taken."""
        shown = set()
        for page in (*TUTORIALS.glob("*.md"), ROOT / "README.md"):
            shown |= set(re.findall(r"pictures/((?:tutorial|readme)_\w+\.webp)", page.read_text(encoding="utf-8")))
        return [f"{name}: taken or shown, but not both" for name in sorted(shown ^ set(self.names))]


@dataclass(slots=True)
class Walk:
    """One tutorial, followed in a browser. The texts of its pages are collected, to check the tutorial."""

    page: Page
    tutorial: str
    album: Album
    seen: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    def look(self) -> None:
        """Collect the text of the page, and of the preview of a printout."""
        self.page.wait_for_load_state()
        body = self.page.locator("body")
        self.seen += [body.inner_text(), body.aria_snapshot().replace("''", "'")]
        self.rows += [" ".join(row.split()) for row in self.main.get_by_role("row").all_inner_texts()]
        for frame in self.page.locator("iframe").all():
            self.read_printout(frame.content_frame.locator("body"))

    def read_printout(self, body: Locator) -> None:
        text = body.inner_text().replace("\u2060", "")
        self.seen.append(text)
        self.rows += [" ".join(line.split()) for line in text.splitlines()]

    def follow(self, name: str, *, within: Locator | None = None) -> None:
        self._press("link", name, within or self.page.locator("body"))

    def click(self, name: str, *, within: Locator | None = None) -> None:
        self._press("button", name, within or self.page.locator("body"))

    def _press(self, role: Literal["link", "button"], name: str, within: Locator) -> None:
        """Click a link or button with this name, and wait until the page is ready."""
        self.look()
        found = within.get_by_role(role, name=name, exact=True).first
        try:
            expect(found).to_be_enabled()
        except AssertionError:
            raise AssertionError(f"{self.tutorial}: {self.page.url} has no {role} “{name}” to click") from None
        found.click()
        self.page.wait_for_load_state("networkidle")
        self.look()

    def open(self, summary: str) -> None:
        """Open a menu or a collapsed part of the page."""
        self.look()
        self.page.locator("summary", has_text=re.compile(rf"^\s*{re.escape(summary)}")).first.click()
        self.look()

    def box(self, label: str, *, within: Locator | None = None) -> Locator:
        """Return the field with this label, with or without “required”."""
        words = re.sub(r"([.()?*+])", r"\\\1", label)
        return (within or self.main).get_by_label(re.compile(rf"^\s*{words}\s*(\(required\))?\s*$")).first

    def fill(self, label: str, text: str, *, within: Locator | None = None) -> None:
        self.look()
        self.box(label, within=within).fill(text)

    def choose(self, role: Literal["radio", "checkbox"], name: str) -> None:
        self.look()
        self.page.get_by_role(role, name=re.compile(rf"^{re.escape(name)}")).first.check()

    def see(self, *texts: str) -> None:
        """Wait until the page has these texts."""
        for text in texts:
            try:
                expect(self.page.locator("body")).to_contain_text(text)
            except AssertionError:
                raise AssertionError(f"{self.tutorial}: {self.page.url} doesn't say “{text}”") from None
        self.look()

    def results(self, *results: str) -> None:
        """Click the results of boards 1, 2, 3, ..."""
        for board, result in enumerate(results, start=1):
            self.result(board, result)

    def result(self, board: int, result: str) -> None:
        key = self.page.locator(f"#board-{board} .keys label", has_text=result).first
        with self.page.expect_response(re.compile(rf"/boards/{board}/result/")):
            key.click()
        expect(self.page.locator(f"#board-{board} .keys label:has(:checked)")).to_have_text(result)
        self.page.wait_for_load_state("networkidle")
        self.look()

    def boards(self) -> list[str]:
        """Return the boards of the round's page as “White – Black”."""
        names = self.page.locator("tr[id^='board-'] .player-name, tr[id^='board-'] td a[href*='/players/']")
        texts = names.all_inner_texts()
        return [f"{white} – {black}" for white, black in zip(texts[::2], texts[1::2], strict=True)]

    def picture(self, name: str, *, top: Locator | None = None, height: int = 560, width: int = 960) -> None:
        """Take a picture of the page, from its top or from an element downwards."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate("scrollTo(0, 0)")
        if top is not None:
            # Room below, so that a short page scrolls far enough, too.
            self.page.evaluate("document.body.style.paddingBottom = '100vh'")
            top.evaluate("each => scrollTo(0, each.getBoundingClientRect().top + scrollY - 8)")
        self.page.mouse.move(0, 0)
        self.page.wait_for_timeout(600)
        scale: Literal["css", "device"] = "css" if width > 1000 else "device"
        self.album.add(f"tutorial_{name}.webp", self.page.screenshot(scale=scale))
        self.page.evaluate("document.body.style.paddingBottom = ''")

    def card_picture(self, name: str, player: str) -> None:
        """Take a picture of one player's start card, from the preview of the cards."""
        address = self.page.locator("iframe").get_attribute("src") or ""
        preview = self.page.context.new_page()
        preview.set_viewport_size({"width": 1400, "height": 1000})
        preview.goto(address)
        self.read_printout(preview.locator("body"))
        card = preview.locator(".card", has=preview.get_by_role("heading", name=player))
        self.album.add(f"tutorial_{name}.webp", card.screenshot())
        preview.close()

    def phone_picture(self, name: str, path: str) -> None:
        """Take a picture of a page as a visitor sees it on a phone."""
        browser = self.page.context.browser
        assert browser is not None
        phone = browser.new_page(viewport={"width": 390, "height": 640}, locale="en-GB", device_scale_factor=SCALE)
        phone.goto(path if "://" in path else f"{'/'.join(self.page.url.split('/')[:3])}{path}")
        phone.wait_for_timeout(600)
        self.album.add(f"tutorial_{name}.webp", phone.screenshot())
        phone.close()

    def problems(self) -> list[str]:
        """Return the texts in the tutorial that its pages do not have."""
        text = (TUTORIALS / f"{self.tutorial}.md").read_text(encoding="utf-8")
        text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        pages = " ".join(" ".join(self.seen).split())
        phrases = {" ".join(phrase.split()) for phrase in re.findall(r"\*\*(.+?)\*\*", text, re.DOTALL)}
        # Stylesheets show some labels with a capital.
        is_seen = lambda phrase: phrase in pages or phrase[0].lower() + phrase[1:] in pages  # noqa: E731
        missing = [f"{self.tutorial}: nobody saw “{phrase}”" for phrase in sorted(phrases) if not is_seen(phrase)]
        for row in re.findall(r"^\| \d+ \|.*$", text, re.MULTILINE):
            cells = [re.escape(cell.strip()) for cell in row.strip("|").split("|")]
            in_this_order = re.compile(r"(?:^| )" + r" (?:.* )?".join(cells) + r"(?: |$)")
            if not any(in_this_order.search(seen) for seen in self.rows):
                missing.append(f"{self.tutorial}: no such row on the pages: {row}")
        return missing


def walk_tutorials(chromium: Browser, site: str, code: str, album: Album) -> list[Walk]:
    """Follow the four tutorials, one after the other, as one secretary on one computer."""
    context = chromium.new_context(
        viewport={"width": 960, "height": 900},
        locale="en-GB",
        timezone_id="Europe/London",
        color_scheme="light",
        device_scale_factor=SCALE,
        base_url=site,
    )
    context.set_default_timeout(WAIT)
    expect.set_options(timeout=WAIT)
    page = context.new_page()
    walks = []
    for tutorial, follow in (
        ("first-evening", follow_first_evening),
        ("late-arrival", follow_late_arrival),
        ("end-of-season", follow_end_of_season),
        ("jahr-with-cards", follow_jahr_with_cards),
    ):
        walk = Walk(page=page, tutorial=tutorial, album=album)
        sys.stdout.write(f"{tutorial}\n")
        if tutorial == "first-evening":
            set_up_club(walk, code)
        follow(walk)
        walks.append(walk)
    context.close()
    return walks


def set_up_club(walk: Walk, code: str) -> None:
    walk.page.goto("/")
    walk.see("Welcome to Clubnight")
    walk.fill("Set-up code", code)
    walk.click("Continue")
    account = walk.page.get_by_role("group", name="Your account")
    walk.fill("Given name", "Linda", within=account)
    walk.fill("Family name", "Castle", within=account)
    walk.fill("Email", "linda@rooklane.example", within=account)
    walk.fill("Password", "knights before bishops", within=account)
    walk.fill("Confirm password", "knights before bishops", within=account)
    walk.fill("Club name", "Rook Lane Chess Club")
    walk.click("Create club")
    walk.see("Rook Lane Chess Club is ready", "First steps")


def follow_first_evening(walk: Walk) -> None:
    walk.follow("Create your first event")
    walk.fill("Name", "Wednesday Swiss")
    walk.fill("Rounds", "4")
    walk.see("FIDE (Dutch) system of 2026", "Another system")
    walk.click("Create event")
    walk.see("“Wednesday Swiss” created. Now enter the players.")
    walk.follow("Paste a list")
    walk.fill("Players, one per line", PLAYERS)
    walk.click("Check names")
    walk.see("guest")
    walk.picture("paste", top=walk.page.locator("#grid"), height=470)
    walk.click("Enter 8 players")
    walk.see("8 players entered.", "Next: check-in for round 1")

    walk.follow("Go to check-in")
    walk.see("Check-in, round 1", "0 of 8 here")
    walk.page.get_by_role("searchbox").press_sequentially("arch")
    walk.page.get_by_role("searchbox").press("Enter")
    walk.see("Archer, Helen is here.", "1 of 8 here")
    walk.page.get_by_role("searchbox").fill("")
    walk.see("Ivory, Paul")
    walk.picture("check_in", top=walk.page.get_by_role("heading", name="Check-in, round 1"), height=470)
    expect(walk.page.locator("#live-lost")).to_be_hidden()
    walk.click("Everyone else is here")
    walk.see("8 of 8 here")
    walk.click("Pair 8 players")
    walk.see("Only officers can see this draft.")
    walk.page.locator("#board-2").get_by_role("link", name="why?").click()
    walk.page.locator(".why-box").wait_for()
    walk.picture("draft", height=700)
    walk.page.keyboard.press("Escape")
    walk.click("Publish round 1")
    walk.see("0 of 4 results are in")

    walk.open("Print")
    walk.see("Round pack (PDF)")
    walk.page.keyboard.press("Escape")
    walk.open("More")
    walk.open("QR code for players")
    walk.see("This link always shows the latest published round.")
    walk.phone_picture("phone", "/rook-lane-chess-club/wednesday-swiss/rounds/1/")
    walk.page.reload()
    walk.results("1–0", "0–1", "½", "0–1")
    walk.see("All results are in")
    walk.picture("results", height=480)
    walk.click("Finish round 1")
    walk.see("finished", "Go to check-in")
    walk.follow("Event")
    walk.see("Edit event")
    walk.follow("Standings")
    walk.see("Standings after round 1")
    walk.picture("standings", top=walk.page.get_by_role("heading", name="Standings after round 1"), height=520)
    walk.follow("Print")
    walk.follow("Results and standings")
    walk.see("Print (PDF)")
    walk.picture("print", top=walk.page.get_by_role("heading", name="Print", exact=True), width=1280, height=860)
    walk.follow("Round 2 , not paired yet")
    walk.see("Pair 8 players")


def mark(walk: Walk, name: str, state: str) -> None:
    """Choose a state in the menu of a player's row."""
    row = walk.page.get_by_role("listitem").filter(has_text=name)
    row.locator("summary").click()
    walk.click(state, within=row)


def follow_late_arrival(walk: Walk) -> None:
    page = walk.page
    mark(walk, "Ivory, Paul", "Late")
    walk.see("1 arriving late")
    walk.click("Everyone else is here")
    walk.see("7 players are here.", "7 of 8 here")
    walk.see("Running late (1): Ivory, Paul")
    page.reload()
    walk.picture("running_late", top=page.get_by_role("heading", name="Check-in, round 2"), height=450)
    walk.click("Pair 8 players")
    walk.click("Publish round 2")
    walk.see("0 of 4 results are in")

    walk.open("More")
    walk.follow("Late arrival or no-show")
    walk.see("Arrived late and will play", "Not playing this round", "All players are already in this round.")
    walk.follow("Enter a new player")
    page.get_by_role("searchbox").press_sequentially("Jarrow, Leah 1600")
    walk.see("Nobody found. Add a new player?")
    walk.click("Add new player")
    walk.see("Jarrow, Leah has been entered.")
    walk.follow("Late arrival or no-show")
    walk.choose("checkbox", "Jarrow, Leah")
    walk.choose("checkbox", "Ivory, Paul")
    walk.picture("no_show", top=page.get_by_role("heading", name="Late arrival or no-show"), height=520)
    walk.click("Preview changes")
    walk.see("Round 2: 1 board would change", "3 boards are the same in both")
    walk.fill("Reason (for the log)", "Paul couldn't come")
    walk.picture("proposal", top=page.get_by_role("heading", name="Round 2: 1 board would change"), height=460)
    walk.click("Change 1 board")
    walk.see("Pairings updated (version 2).")

    walk.results("1–0", "1–0", "0–1", "0–1")
    walk.result(3, "1–0")
    page.locator("#board-4").get_by_role("link", name="Other results").click()
    walk.see("Black wins by forfeit")
    walk.page.reload()
    walk.click("Finish round 2")
    walk.see("1 player didn't turn up.")
    walk.open("1 player didn't turn up.")
    walk.see("Withdraw ticked players from round 3 on")
    walk.follow("1–0", within=page.locator("#board-3"))
    walk.see("Correct result", "The next round isn't paired yet, so it will use the corrected result.")
    walk.choose("radio", "½–½ draw")
    walk.fill("Reason (for the log and the players)", "The slip was misread")
    walk.picture("correct", top=page.get_by_role("heading", name="Correct result"), height=552)
    walk.click("Save result")
    walk.see("Result of board 3 corrected.")

    walk.follow("Go to check-in")
    mark(walk, "Ivory, Paul", "Absent")
    walk.see("1 absent")
    walk.click("Everyone else is here")
    walk.see("8 of 9 here")
    walk.click("Pair 8 players")
    walk.click("Publish round 3")
    walk.see("0 of 4 results are in", "Not playing")
    walk.follow("Round 2 , finished")
    walk.follow("1–0", within=page.locator("#board-2"))
    walk.see("Round 3 is published and stays as it is.")
    walk.choose("radio", "½–½ draw")
    walk.fill("Reason (for the log and the players)", "Both players say it was a draw")
    walk.click("Save result")
    walk.see("Result of board 2 corrected.")
    walk.follow("Round 3 , published")
    walk.see("An earlier result was corrected.")
    walk.follow("Log")
    walk.see("Both players say it was a draw")


def follow_end_of_season(walk: Walk) -> None:
    page = walk.page
    walk.follow("Round 3 , published")
    walk.results("1–0", "1–0", "½", "1–0")
    walk.click("Finish round 3")
    walk.follow("Go to check-in")
    page.locator("#pair-label").click()
    walk.click("Publish round 4")
    walk.see("0 of 4 results are in")
    walk.results("½", "1–0", "1–0", "0–1")
    walk.click("Finish round 4")
    walk.follow("Final standings")
    walk.see("Final standings")
    walk.follow("Event")
    walk.see("Winners", "The event is finished")
    walk.picture("winners", height=660)

    walk.follow("Final standings")
    walk.follow("Prizes")
    walk.see("No prizes set yet.")
    walk.follow("Set prizes")
    walk.fill("Prizes for all players", "40 + a cup\n20\n10")
    category = walk.box("Category")
    category.select_option(label="< 1600")
    walk.main.get_by_label("Prizes", exact=True).first.fill("15")
    walk.see("One prize per player, the largest they qualify for")
    walk.click("Save")
    walk.see("Prizes saved.", "Prize fund")
    walk.picture("prizes", top=page.get_by_role("heading", name="Prizes", exact=True), height=700)
    walk.follow("Print")
    walk.follow("Diplomas")
    walk.see("Diplomas")

    walk.follow("Event")
    walk.follow("Edit event")
    walk.open("Is this event rated?")
    walk.open("City, arbiter, time control")
    walk.fill("End date", "2026-12-16")
    walk.fill("Chief arbiter", "Castle, Linda")
    walk.choose("checkbox", "FIDE rated")
    walk.click("Save")
    walk.follow("Report file (TRF)")
    walk.see("Missing data", "No FIDE ID:", "Add missing player details")
    walk.picture("report", top=page.get_by_role("heading", name="Rating report"), height=620)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download report file (TRF)").click()
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("012 Wednesday Swiss")
    walk.follow("Event")
    walk.follow("Import and export")
    walk.see("For the rating officer", "Crosstable")

    walk.open("Menu")
    walk.follow("Members")
    walk.see("No members yet")
    walk.follow("Import members")
    walk.fill("Or paste the table", MEMBERS)
    walk.click("Show preview")
    walk.see("Nothing has been saved yet.")
    walk.click("Import")
    walk.see("9 members added, 0 changed.")
    walk.open("Menu")
    walk.follow("Dues")
    walk.follow("New season")
    walk.fill("Name", "2026/27")
    walk.fill("Start date", "2026-09-01")
    walk.fill("End date", "2027-08-31")
    walk.fill("Due date", "2026-10-15")
    classes = page.get_by_role("group", name="New fee class")
    for place, (name, amount, label, age) in enumerate(
        [("Adults", "40", "From age", "18"), ("Juniors", "15", "To age", "17")]
    ):
        walk.fill("Name", name, within=classes.nth(place))
        walk.fill("Amount", amount, within=classes.nth(place))
        walk.fill(label, age, within=classes.nth(place))
    walk.picture("season", top=page.get_by_role("heading", name="Fee classes"), height=820)
    walk.click("Save")
    walk.see("9 members have not been charged yet.")
    walk.click("Charge 9 members")
    walk.see("9 members were charged.")
    walk.open("Menu")
    walk.follow("Dues")
    walk.follow("Record a payment")
    page.get_by_role("row", name="Bridges, Tom").get_by_role("link", name="£40.00").click()
    walk.see("Record a payment", "Cash")
    walk.click("Record payment")
    walk.see("Receipt")
    walk.open("Menu")
    walk.follow("Dues")
    walk.follow("£295.00, 8 members")
    walk.see("no email, send a letter", "Print letters", "Send selected reminders", "Mark letters as delivered")
    walk.picture("overdue", top=page.get_by_role("heading", name="Overdue"), height=660)
    walk.open("Preview of the first email")
    walk.click("Send selected reminders")
    walk.see("Reminders sent")

    walk.open("Menu")
    walk.follow("Events")
    page.get_by_role("link", name=re.compile("^Wednesday Swiss")).first.click()
    walk.see("with the same players")
    walk.click("Repeat without players")
    walk.see("“Wednesday Swiss (2)” created. Check its date and name, then continue.")
    walk.follow("Choose members")
    walk.click("Select all or none")
    walk.click("Enter selected members")
    walk.see("9 players entered")
    walk.follow("Event")
    walk.follow("Edit event")
    walk.fill("Name", "Spring Swiss")
    walk.click("Save")
    walk.see("Spring Swiss")
    walk.follow("Clubnight")
    walk.follow("Clubs on this server")
    walk.follow("Backups")
    walk.see("Last successful backup:")
    walk.click("Make a backup now")
    walk.see("Last successful backup:")
    with page.expect_download():
        walk.main.locator("a[href$='.zip']").first.click()
    walk.picture("backups", height=380)


def follow_jahr_with_cards(walk: Walk) -> None:
    page = walk.page
    page.goto("/rook-lane-chess-club/")
    walk.follow("New event")
    walk.fill("Name", "Jahr evening")
    walk.fill("Rounds", "4")
    walk.open("Another system")
    walk.choose("radio", "Jahr's method (1981)")
    walk.click("Create event")
    walk.follow("Paste a list")
    walk.fill("Players, one per line", PLAYERS)
    walk.click("Check names")
    walk.click("Enter 8 players")
    walk.follow("Print")
    walk.follow("Start cards")
    walk.open("Options")
    walk.card_picture("card_empty", "Bridges, Tom")
    walk.follow("Round 1 , not paired yet")
    for number, results in enumerate(
        [("1–0", "0–1", "0–1", "0–1"), ("1–0", "1–0", "1–0", "0–1"), ("½", "1–0", "½", "1–0")], start=1
    ):
        page.locator("#pair-label").click()
        walk.see("Only officers can see this draft.")
        walk.click(f"Publish round {number}")
        walk.see("0 of 4 results are in")
        walk.results(*results)
        walk.click(f"Finish round {number}")
        walk.follow("Standings")
        walk.see(f"Standings after round {number}")
        walk.follow(f"Round {number + 1} , not paired yet")
    mark(walk, "Ferris, Olive", "Absent")
    walk.click("Everyone else is here")
    walk.see("7 of 8 here")
    page.locator("#pair-label").click()
    walk.click("Publish round 4")
    walk.see("Gates, Rory", "bye · ½")
    walk.results("1–0", "1–0", "½")
    walk.click("Finish round 4")
    walk.follow("Final standings")
    walk.look()
    walk.follow("Print")
    walk.follow("Start cards")
    walk.see("filled in so far")
    walk.card_picture("card_filled", "Dexter, Sam")
    walk.card_picture("card_bye", "Gates, Rory")


def take_readme_pictures(chromium: Browser, site: str, album: Album) -> None:
    """The current round of the demo club as its secretary sees it, and a pairing's explanation on a phone."""
    for look in LOOKS:
        desk = take_demo_page(chromium, site, look, DESK, is_officer=True)
        phone = take_demo_page(chromium, site, look, PHONE, is_officer=False)
        album.add(f"readme_{look}.webp", side_by_side(desk, phone))


def take_demo_page(
    chromium: Browser, site: str, look: Literal["light", "dark"], size: tuple[int, int], *, is_officer: bool
) -> Image.Image:
    page = chromium.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=look,
        locale="en-GB",
        device_scale_factor=README_SCALE,
        bypass_csp=True,
    )
    page.set_default_timeout(WAIT)
    page.goto(f"{site}/rook-lane/")
    address = page.locator("a[href*='tuesdays']").first.get_attribute("href") or ""
    event = site + "/".join(address.split("/")[:3])
    if is_officer:
        page.goto(f"{site}/sign-in/")
        page.get_by_label("Username or email").fill("secretary")
        page.get_by_label("Password").fill("secretary-demo")
        page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("button", name="Sign out").wait_for()
        play_demo_round(page, f"{event}/rounds/4/")
    else:
        page.goto(f"{event}/rounds/4/boards/2/")
        page.locator("h1").evaluate("each => scrollTo(0, each.getBoundingClientRect().top - 16)")
    page.add_style_tag(content="html { scrollbar-gutter: auto; overflow: hidden }")
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    return picture


def play_demo_round(page: Page, address: str) -> None:
    """Pair and publish the round and enter some results, unless that is already done."""
    page.goto(address)
    if page.locator("#pair-label").count():
        page.locator("#pair-label").click()
        page.get_by_role("button", name="Publish round 4").click()
        for board, result in ((1, "1-0"), (2, "1/2"), (4, "0-1"), (5, "1-0"), (9, "1-0")):
            page.locator(f"#board-{board} label:has([value='{result}'])").first.click()
            page.wait_for_timeout(500)
        page.goto(address)


def side_by_side(desk: Image.Image, phone: Image.Image) -> Image.Image:
    """Return both in one picture, with a transparent gap and a border, for pages of any colour."""
    gap = round(GAP * README_SCALE)
    picture = Image.new("RGBA", (desk.width + gap + phone.width, max(desk.height, phone.height)))
    for part, left in ((desk, 0), (phone, desk.width + gap)):
        framed = ImageOps.expand(ImageOps.crop(part.convert("RGBA"), 2), 2, fill="#8a939b")
        picture.paste(framed, (left, 0))
    return picture


if __name__ == "__main__":
    main()
