"""Signing in as a person does."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def sign_in(page: Page, url: str, name: str, password: str) -> None:
    """Sign in on the server at this address; it has been done when there is a way to sign out."""
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Username or e-mail").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
