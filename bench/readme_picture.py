"""The README's picture, made anew: `python -m bench.readme_picture`.

A board of the demo club's running event, with the reasons of its pairing, in both looks. Needs Chromium.
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

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import QUIET
from tests.servers import free_port, running, sqlite_with_tables

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
WIDE, HIGH = 860, 700
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
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, check=True)  # noqa: S603


def _take(site: str) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        for look in LOOKS:
            page = chromium.new_page(
                viewport={"width": WIDE, "height": HIGH},
                color_scheme=look,
                locale="en-GB",
                device_scale_factor=1.5,
            )
            page.set_default_timeout(120_000)
            _open_reasons(page, site)
            picture = Image.open(io.BytesIO(page.screenshot()))
            picture.save(PICTURES / f"readme_{look}.webp", quality=80, method=6)
            sys.stdout.write(f"docs/pictures/readme_{look}.webp {page.url.removeprefix(site)}\n")
            page.close()
        chromium.close()


def _open_reasons(page: Page, site: str) -> None:
    """Why the second board of the latest published round is what it is, as everybody sees it."""
    page.goto(f"{site}/pod-wieza/")
    address = page.locator("a[href*='wtorki']").first.get_attribute("href") or ""
    event = "/".join(address.split("/")[:3])
    page.goto(f"{site}{event}/rounds/3/boards/2/")
    page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
