"""A real Chromium for the tests of this folder. They are skipped without it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.fork_server import ForkServer

# Playwright's sync interface runs an event loop in this thread, and Django then refuses to use the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

# Machines that run tests are busy, so a slow page does not fail. While you fix a test, set fewer seconds.
WAIT_MS = 1000 * int(os.environ.get("CLUBNIGHT_BROWSER_SECONDS", "90"))
expect.set_options(timeout=WAIT_MS)

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium. The headless shell, if installed, takes a third of the time."""
    yield from _started(playwright, "chromium-headless-shell", "chromium", "chromium-browser")


@pytest.fixture(scope="session")
def whole_chromium(playwright: Playwright) -> Iterator[Browser]:
    """Chromium with windows, which also shows notifications."""
    yield from _started(playwright, "chromium", "chromium-browser")


def _started(playwright: Playwright, *names: str) -> Iterator[Browser]:
    path = os.environ.get("CLUBNIGHT_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not path:
        pytest.skip("no Chromium here: install the package chromium, or set CLUBNIGHT_CHROMIUM")
    browser = playwright.chromium.launch(executable_path=path, args=QUIET)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def stream_fork_server(django_db_setup: None) -> Iterator[ForkServer]:
    """Start stream processes next to the tests' server, on its database."""
    if connection.vendor != "sqlite":
        pytest.skip("the process of the streams is given a SQLite file here")
    environment = os.environ | {
        "CLUBNIGHT_DATABASE": str(connection.settings_dict["NAME"]),
        "CLUBNIGHT_SECRET_KEY": settings.SECRET_KEY,
        "CLUBNIGHT_DEBUG": "1",
    }
    forks = ForkServer(environment, "uvicorn", "config.asgi")
    yield forks
    forks.end()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page on a laptop. A script error fails the test, and so does a violation of the content policy."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert not errors


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A player's phone with scripts disabled."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", java_script_enabled=False)
    context.set_default_timeout(WAIT_MS)
    yield context.new_page()
    context.close()
