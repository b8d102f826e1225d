"""Play a Keizer season in Chromium: `python -m lab.keizer_season [--evenings 12] [--players 24] [--pictures FOLDER]`.

Before each evening the players answer by their personal links: two on a phone's browser, the others with the requests
that it sends. Then the secretary opens the event, marks who is here after all, who is not, and who plays for the club,
pairs, publishes, enters every result and reads the standings. There is a guest on evening 4 and a late entry on
evening 6. Printed for each evening: the seconds until each page was ready, and the secretary's clicks and keys. At the
end the standings are compared with the literal transcription. `--pictures` saves the pages in both looks.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from shutil import copy, which
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from lab.figures import table
from tests.browser.conftest import QUIET
from tests.servers import free_port, running, sqlite_with_tables

ROOT = Path(__file__).resolve().parents[1]
PASSWORD = "an evening at the club"  # noqa: S105
WAIT = 60_000
GUEST, LATE = "Walker, Gil", "Newman, Lou"
LOOKS: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
SIZES = (390, 844), (1280, 800)
SECONDS_A_CLICK = 2
"""What a practised person takes to find and click something, for the estimate."""


@dataclass(slots=True)
class Secretary:
    """The secretary's browser. Every click and key is counted."""

    page: Page
    clicks: int = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def type(self, what: Locator, text: str) -> None:
        """Fill in a field: a click, and one more for the typing."""
        what.fill(text)
        self.clicks += 2


def main() -> None:
    """Play the season, and print a table of its evenings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--evenings", type=int, default=12)
    parser.add_argument("--players", type=int, default=24)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    program = os.environ.get("CLUBNIGHT_CHROMIUM") or which("chromium-headless-shell") or which("chromium")
    if program is None:
        sys.exit("Chromium is not installed (Debian: chromium)")
    with tempfile.TemporaryDirectory(prefix="clubnight-season-") as folder, served(folder, options) as (site, links):
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=program, args=QUIET)
            rows, shown = play_season(chromium, site, links, options.evenings)
            if options.pictures:
                take_pictures(chromium, site, links, options)
            chromium.close()
        check(folder, shown)
    heads = ["evening", "boards", "seconds", "clicks and keys", f"with {SECONDS_A_CLICK} s a click"]
    sys.stdout.write(table(heads, rows) + "\n")


# -- The club ----------------------------------------------------------------------------------------------------------


@contextmanager
def served(folder: str, options: argparse.Namespace) -> Iterator[tuple[str, dict[str, str]]]:
    """Run a server with a Keizer event. Yield its address, and the players' personal links by name."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CLUBNIGHT_")}
    environment |= {"CLUBNIGHT_DATABASE": f"{folder}/club.sqlite3", "CLUBNIGHT_VAR": folder, "CLUBNIGHT_DEBUG": "0"}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
    copy(sqlite_with_tables(), f"{folder}/club.sqlite3")
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=environment, check=True)
    program = f"from lab.keizer_season import prepare; prepare({options.evenings}, {options.players})"
    made = [sys.executable, "-c", program]
    said = subprocess.run(made, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout
    links = dict(line.split("\t") for line in said.splitlines() if "\t" in line)
    at = f"127.0.0.1:{free_port()}"
    server = [sys.executable, "manage.py", "runserver", "--noreload", at]
    answers = lambda: urllib.request.urlopen(f"http://{at}/healthz", timeout=30).close()  # noqa: E731
    with running(server, answers=answers, folder=str(ROOT), environment=environment, seconds=300):
        yield f"http://{at}", links


def prepare(evenings: int, players: int) -> None:
    """Create the club and its season in the database of this process. Print names and personal links."""
    import django

    django.setup()
    from django.utils import timezone

    from clubs.models import Club, Membership, Role, User
    from tournaments.check_in.personal_links import event_link_url
    from tournaments.entries.enrolment import enter_pasted_list
    from tournaments.events.event_setup import create_tournament
    from tournaments.series.evening_schedule import schedule_evenings

    club = Club.objects.create(slug="lab", name="Lab")
    user = User.objects.create_user("secretary", password=PASSWORD)
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
    event = create_tournament(
        club, by=user, name="Season", rounds_announced=evenings, system="keizer", only_sign_ups=True, is_public=True
    )
    enter_pasted_list(event, "\n".join(f"Pionek, Nr{n:02}; {2200 - 30 * n}" for n in range(1, players + 1)), by=user)
    schedule_evenings(event, timezone.now() + timedelta(days=7), 7, by=user)
    for entry in event.entries.select_related("tournament__club"):
        sys.stdout.write(f"{entry.name}\t{event_link_url(entry)}\n")


def check(folder: str, shown: Sequence[tuple[str, str]]) -> None:
    """Compare the standings as shown with the literal transcription of what is stored."""
    os.environ |= {"CLUBNIGHT_DATABASE": f"{folder}/club.sqlite3", "CLUBNIGHT_VAR": folder, "CLUBNIGHT_DEBUG": "0"}
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings"}
    import django

    django.setup()
    from tests.pairing.engine.literal.keizer import Keizer
    from tournaments.import_export.snapshots import snapshot_before_round
    from tournaments.models import Tournament

    event = Tournament.objects.get()
    snapshot = snapshot_before_round(event, event.rounds.filter(state="finished").count() + 1)
    order, totals = Keizer(snapshot, {}).rankings()[-1]
    names = {card.tpn: card.name for card in snapshot.cards}
    assert [name for name, _total in shown][: len(order)] == [names[tpn] for tpn in order]
    for tpn, (_name, total) in zip(order, shown, strict=False):
        assert abs(float(totals[tpn]) - float(total)) < 0.006
    sys.stdout.write(f"{len(order)} places and totals are those of the literal transcription.\n")


# -- The evenings ------------------------------------------------------------------------------------------------------


def play_season(
    chromium: Browser, site: str, links: dict[str, str], evenings: int
) -> tuple[list[list[str]], list[tuple[str, str]]]:
    """Return a row for each evening, and names and totals in the order of the last standings."""
    desk = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", base_url=site)
    desk.set_default_timeout(WAIT)
    expect.set_options(timeout=WAIT)
    secretary = Secretary(desk.new_page())
    secretary.page.goto("/sign-in/")
    secretary.page.get_by_label("Username or email").fill("secretary")
    secretary.page.get_by_label("Password").fill(PASSWORD)
    secretary.page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(secretary.page.get_by_role("button", name="Sign out")).to_be_visible()
    phone = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", is_mobile=True)
    phone.set_default_timeout(WAIT)
    chance = Random(36)
    rows = []
    for evening in range(1, evenings + 1):
        silent = answer(phone.new_page(), site, links, chance)
        before, begun = secretary.clicks, time.monotonic()
        boards = play_evening(secretary, evening, silent, chance, is_last=evening == evenings)
        seconds, clicks = time.monotonic() - begun, secretary.clicks - before
        rows.append(
            [str(evening), str(boards), f"{seconds:.0f}", str(clicks), f"{seconds + SECONDS_A_CLICK * clicks:.0f}"]
        )
        sys.stderr.write(f"{rows[-1]}\n")
    lines = secretary.page.locator("table.standings tbody tr")
    names = [name.strip() for name in lines.locator("th a").all_inner_texts()]
    totals = [text.strip() for text in lines.locator("td.points").all_inner_texts()]
    return rows, list(zip(names, totals, strict=True))


def answer(phone: Page, site: str, links: dict[str, str], chance: Random) -> list[str]:
    """Answer for everybody but a few, who are returned: two in the browser, the others by their requests."""
    names = sorted(links)
    chance.shuffle(names)
    silent, by_phone, others = names[:3], names[3:5], names[5:]
    for name in by_phone:
        phone.goto(site + path_of(links[name]))
        phone.get_by_role("button", name="I'm coming").first.click()
        expect(phone.get_by_text("coming").first).to_be_visible()
    phone.close()
    for name in others:
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        page = visitor.open(site + path_of(links[name]), timeout=60).read().decode()
        form = re.search(r'<form[^>]*action="([^"]*/(?:bye|byes)/)"(.*?)</form>', page, re.DOTALL)
        assert form is not None, f"{name} is not asked"
        sent = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[2]))
        sent["answer"] = "away" if chance.random() < 0.2 else "coming"
        asked = urllib.request.Request(site + form[1], urlencode(sent).encode(), {"Referer": site + "/"})  # noqa: S310
        visitor.open(asked, timeout=60).close()
    return silent


def path_of(link: str) -> str:
    return "/" + link.split("://")[-1].partition("/")[2]


def play_evening(secretary: Secretary, evening: int, silent: Sequence[str], chance: Random, *, is_last: bool) -> int:
    """Play an evening from the event's page to the standings. Return the number of boards."""
    page = secretary.page
    page.goto("/lab/season/")
    secretary.click(
        page.get_by_role("link", name=re.compile(rf"Round {evening}\b|{evening}"))
        .and_(page.locator(f"a[href$='/rounds/{evening}/']"))
        .first
    )
    if evening == 4 and not is_last:
        enter(secretary, evening, GUEST, guest=True)
    if evening == 6:
        enter(secretary, evening, LATE)
    here, duty, _stays_away = silent
    row = page.locator("li.door-row", has_text=here)
    secretary.click(row.locator("button[value='here'], button[value='not-seen']").first)
    expect(row).to_have_class(re.compile("is-here"))
    row = page.locator("li.door-row", has_text=duty)
    secretary.click(row.locator("summary"))
    secretary.click(row.get_by_role("button", name="Playing for the club"))
    expect(row).to_have_class(re.compile("is-bye"))
    secretary.click(page.locator("#pair-label"))
    expect(page.get_by_text("Only officers can see this draft.")).to_be_visible()
    secretary.click(page.get_by_role("button", name=f"Publish round {evening}"))
    expect(page.get_by_text("results are in").first).to_be_visible()
    boards = page.locator("tr[data-board]").count()
    for _board in range(boards):
        page.keyboard.press(chance.choice("1115000"))
        secretary.clicks += 1
    expect(page.get_by_text("All results are in").first).to_be_visible()
    secretary.click(page.get_by_role("button", name=f"Finish round {evening}"))
    expect(page.get_by_text("finished").first).to_be_visible()
    secretary.click(page.locator(f"a[href$='/standings/{evening}/'], a[href$='/standings/']").first)
    expect(page.locator("table.standings")).to_be_visible()
    return boards


def enter(secretary: Secretary, evening: int, name: str, *, guest: bool = False) -> None:
    """Enter somebody who comes in, from the check-in page, and mark them as a guest if they are."""
    page = secretary.page
    secretary.click(page.locator("#more > summary"))
    secretary.click(page.locator("#more").get_by_role("link", name="Enter players"))
    secretary.type(page.locator("#q"), name)
    add = page.get_by_role("button", name=re.compile("^(Add|Enter)")).last
    expect(add).to_be_visible()
    secretary.click(add)
    expect(page.get_by_text("has been entered")).to_be_visible()
    page.goto(f"/lab/season/rounds/{evening}/")
    secretary.clicks += 1
    row = page.locator("li.door-row", has_text=name.partition(",")[0])
    secretary.click(row.locator("button[value='here']").first)
    expect(row).to_have_class(re.compile("is-here"))
    if guest:
        secretary.click(row.locator("summary"))
        secretary.click(row.get_by_role("button", name="Guest, this evening only"))
        expect(row).to_contain_text("this evening only")


# -- Pictures ----------------------------------------------------------------------------------------------------------


def take_pictures(chromium: Browser, site: str, links: dict[str, str], options: argparse.Namespace) -> None:
    """Save the public pages of the season in each size and look."""
    options.pictures.mkdir(parents=True, exist_ok=True)
    last = options.evenings
    event = "/lab/season"
    pages = {
        "standings": f"{event}/standings/",
        "part": f"{event}/standings/{last}/?from={last // 2 + 1}",
        "player": f"{event}/players/1/",
        "total": f"{event}/standings/{last}/1/",
        "chart": f"{event}/players/1/path/",
        "round": f"{event}/rounds/{last}/",
        "board": f"{event}/rounds/{last}/boards/2/",
        "replay": f"{event}/rounds/{last}/replay/?step=4",
        "hall": f"{event}/hall/",
        "mine": path_of(links["Pionek, Nr01"]),
    }
    for width, height in SIZES:
        for look in LOOKS:
            context = chromium.new_context(
                viewport={"width": width, "height": height}, color_scheme=look, locale="en-GB", base_url=site
            )
            page = context.new_page()
            for name, address in pages.items():
                answer = page.goto(address)
                if answer is None or not answer.ok:
                    sys.stderr.write(f"{address}: {answer and answer.status}\n")
                page.wait_for_timeout(300)
                page.screenshot(path=options.pictures / f"{name}_{width}_{look}.png", full_page=name != "hall")
            context.close()


if __name__ == "__main__":
    main()
