"""The README's picture, made anew: `python -m lab.readme_picture`.

The desk of the demo club's running round and, on a phone, the reasons of a pairing, in both looks. Needs Chromium.
Writes docs/pictures/readme_light.webp and readme_dark.webp; look at them afterwards.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Literal

from PIL import Image, ImageOps
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import QUIET
from tests.servers import free_port, running, sqlite_with_tables

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
DESK, PHONE, GAP, SCALE = (960, 720), (380, 720), 20, 1.5
"""Pixels of the page, wide and high, and those of the picture for each."""
LOOKS: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="clubnight-picture-") as folder:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CLUBNIGHT_")}
        environment |= {"CLUBNIGHT_DATABASE": f"{folder}/demo.sqlite3", "CLUBNIGHT_VAR": folder, "CLUBNIGHT_DEBUG": "0"}
        shutil.copy(sqlite_with_tables(), f"{folder}/demo.sqlite3")
        _manage("demo", environment=environment | {"CLUBNIGHT_DEBUG": "1"})
        _manage("collectstatic", "--no-input", "--verbosity", "0", environment=environment)
        at = f"127.0.0.1:{free_port()}"
        server = [sys.executable, "manage.py", "runserver", "--noreload", at]
        answers = lambda: urllib.request.urlopen(f"http://{at}/healthz", timeout=30).close()  # noqa: E731
        with running(server, answers=answers, folder=str(ROOT), environment=environment, seconds=300):
            _take(f"http://{at}")


def _manage(*arguments: str, environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, check=True)


def _take(site: str) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        for look in LOOKS:
            desk = _seen(chromium, site, look, DESK, officer=True)
            phone = _seen(chromium, site, look, PHONE, officer=False)
            picture = _side_by_side(desk, phone)
            picture.save(PICTURES / f"readme_{look}.webp", quality=80, method=6)
            sys.stdout.write(f"docs/pictures/readme_{look}.webp {picture.size}\n")
        chromium.close()


def _seen(
    chromium: Browser, site: str, look: Literal["light", "dark"], size: tuple[int, int], *, officer: bool
) -> Image.Image:
    """The desk of the running round as its secretary has it, or on a phone why a board of the round is what it is."""
    page = chromium.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=look,
        locale="en-GB",
        device_scale_factor=SCALE,
        bypass_csp=True,
    )
    page.set_default_timeout(120_000)
    page.goto(f"{site}/pod-wieza/")
    address = page.locator("a[href*='wtorki']").first.get_attribute("href") or ""
    event = site + "/".join(address.split("/")[:3])
    if officer:
        page.goto(f"{site}/sign-in/")
        page.get_by_label("Username or e-mail").fill("secretary")
        page.get_by_label("Password").fill("secretary-demo")
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="Sign out").wait_for()
        _play(page, f"{event}/rounds/4/")
    else:
        page.goto(f"{event}/rounds/4/boards/2/")
    page.add_style_tag(content="html { scrollbar-gutter: auto; overflow: hidden }")
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    return picture


def _play(page: Page, address: str) -> None:
    """The round paired, published, and some of its results entered; nothing where that has been done."""
    page.goto(address)
    if page.get_by_role("button", name="Pair round 4").count():
        page.get_by_role("button", name="Pair round 4").click()
        page.get_by_role("button", name="Publish round 4").click()
        for board, result in ((1, "1-0"), (2, "1/2"), (4, "0-1"), (5, "1-0"), (9, "1-0")):
            page.locator(
                f"#board-{board} label:has([value='{result}']), #board-{board} [value='{result}']"
            ).first.click()
            page.wait_for_timeout(500)
        page.goto(address)


def _side_by_side(desk: Image.Image, phone: Image.Image) -> Image.Image:
    """Both on nothing, with a line around each: GitHub's page may be of any colour."""
    gap = round(GAP * SCALE)
    picture = Image.new("RGBA", (desk.width + gap + phone.width, max(desk.height, phone.height)))
    for part, left in ((desk, 0), (phone, desk.width + gap)):
        framed = ImageOps.expand(ImageOps.crop(part.convert("RGBA"), 2), 2, fill="#8a939b")
        picture.paste(framed, (left, 0))
    return picture


if __name__ == "__main__":
    main()
