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

ALIKE = {"secretary": 2}
"""How many pages of one URL name are opened, each with as many different queries: one for everybody else."""
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


def crawl(browser: Client, start: str, alike: int = 1) -> tuple[Counter[str], list[str]]:
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
            if opened[name] >= alike:
                continue
            paths.add(path)
            opened[name] += 1
        elif queries[path] >= alike:
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


@pytest.mark.slow(seconds=60)
@pytest.mark.django_db
def test_no_link_of_the_demo_is_broken():
    """For all users in one test: making the demo takes longer than some of them need."""
    make_demo_club()
    all_broken = []
    for who in (*LOGINS, "visitor"):
        browser = Client(raise_request_exception=False)
        if who != "visitor":
            browser.force_login(User.objects.get(username=who))
        opened, broken = crawl(browser, "/", ALIKE.get(who, 1))
        all_broken += [f"{who}: {each}" for each in broken]
        assert {"home", "club", "tournament", "round", "standings", "player"} <= set(opened)
        assert ("round_check_in" in opened) is (who in ("secretary", "arbiter"))
    assert_none(all_broken)


@pytest.mark.django_db
def test_a_broken_link_is_found():
    assert crawl(Client(), "/no-such-club/") == (Counter(club=1), ["nowhere leads to /no-such-club/: 404"])
    page = b'<a href="../players/#x">1</a> <a href="https://example.org/">2</a> <form action="/a/b/"></form>'
    assert links_of(page, "/club/event/rounds/") == ["/club/event/players/", "/a/b/"]
