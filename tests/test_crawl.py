"""Every link of the demo club works, for each of its users and for visitors.

Whoever opens a page must be able to open what it links to: no link to what is not there, or to what this person may not
see. Of pages that are alike (the card of each player) a few are opened.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from clubs.models import User
from operations.demo.demo_club import LOGINS, make_demo_club
from tests.test_conventions import assert_none

ALIKE = 2
"""So many pages of one address name are opened, each with every query its links have."""
MOST_QUERIES = 2
NOT_PAGES = ("/static/", "/admin/")


TAG = re.compile(r"<[a-z][^>]*>")
LEADS = re.compile(
    r"""\s(?:href|src|hx-get)="([^"]+)"|<form\b(?=[^>]*\saction="([^"]+)")(?![^>]*\smethod="post")""", re.IGNORECASE
)


def links_of(page: bytes, base: str) -> list[str]:
    """The URLs of this site that a page links to, loads or shows, without fragments.

    Read by expressions: of the time that some hundred pages take, a parser takes a third.
    """
    found = [unescape(link or form) for tag in TAG.findall(page.decode()) for link, form in LEADS.findall(tag)]
    whole = [urljoin(base, link).partition("#")[0] for link in found]
    return [link for link in whole if link.startswith("/") and not link.startswith(("//", *NOT_PAGES))]


def crawl(browser: Client, start: str) -> tuple[Counter[str], list[str]]:
    """The number of opened pages by URL name, and the broken links."""
    waiting, seen = [(start, "nowhere")], {start}
    opened: Counter[str] = Counter()
    queries: Counter[str] = Counter()
    paths: set[str] = set()
    broken = []
    while waiting:
        address, page = waiting.pop(0)
        path = urlsplit(address).path
        name = resolve(path).url_name or ""
        if path not in paths:
            if opened[name] >= ALIKE:
                continue
            paths.add(path)
            opened[name] += 1
        elif queries[path] >= MOST_QUERIES:
            continue
        else:
            queries[path] += 1
        # Check a paper as the page from which it is made; typesetting is tested elsewhere.
        answer = browser.get(address, {"as": "page"} if path.endswith(".pdf") else None, follow=True)
        if answer.status_code != 200:
            broken.append(f"{page} leads to {address}: {answer.status_code}")
        elif not path.endswith(".pdf") and "html" in answer.headers["Content-Type"]:
            shown = answer.redirect_chain[-1][0] if answer.redirect_chain else address
            for link in links_of(answer.content, shown):
                if link not in seen:
                    seen.add(link)
                    waiting.append((link, address))
    return opened, broken


@pytest.fixture(scope="module", autouse=True)
def demo(module_transaction) -> None:
    make_demo_club()


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("who", [*LOGINS, "visitor"])
def test_no_link_of_the_demo_is_broken(who: str):
    browser = Client(raise_request_exception=False)
    if who != "visitor":
        browser.force_login(User.objects.get(username=who))
    opened, broken = crawl(browser, "/")
    assert_none(broken)
    assert {"home", "club", "tournament", "round", "standings", "player"} <= set(opened)
    assert ("round_check_in" in opened) is (who in ("secretary", "arbiter"))


@pytest.mark.django_db
def test_a_broken_link_is_found():
    assert crawl(Client(), "/no-such-club/") == (Counter(club=1), ["nowhere leads to /no-such-club/: 404"])
    page = b'<a href="../players/#x">1</a> <a href="https://example.org/">2</a> <form action="/a/b/"></form>'
    assert links_of(page, "/club/event/rounds/") == ["/club/event/players/", "/a/b/"]
