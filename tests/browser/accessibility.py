"""Accessibility problems that axe-core finds on a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

CONTRAST = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}


def accessibility_faults(page: Page, *, also_dark: bool = False) -> list[str]:
    """The rules that the page breaks, with the elements. In the dark scheme only the contrast is checked."""
    found = Axe().run(page).response["violations"]
    if also_dark:
        page.emulate_media(color_scheme="dark")
        found += Axe().run(page, options=CONTRAST).response["violations"]
        page.emulate_media(color_scheme="light")
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


def assert_accessible(page: Page) -> None:
    """Fail if the page breaks a rule, or is wider than the screen."""
    assert accessibility_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
