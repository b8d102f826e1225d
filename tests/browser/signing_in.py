"""Sign in like a user, or start with a session."""

from __future__ import annotations

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from clubs.models import User


def sign_in(page: Page, url: str, name: str, password: str) -> None:
    """Sign in on the server at this address. It is done when the page has the account, on a phone in its menu."""
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Username or email").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.locator("a.who").first).to_be_attached()


def is_signed_in(page: Page, url: str, name: str) -> None:
    """Give the browser a session of the test's own server, without the two sign-in pages."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
