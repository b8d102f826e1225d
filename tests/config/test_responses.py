"""Responses: compressed text, small files."""

from __future__ import annotations

import gzip
import re
import runpy

import pytest
from django.test import Client
from django.urls import reverse
from gunicorn.config import Config
from gunicorn.http.parser import RequestParser

from clubs.models import Role
from config.static_files import minify_asset
from tests.factories import make_club, make_event, make_user, published
from tests.test_conventions import ROOT

COMPRESSED = {"Accept-Encoding": "gzip"}


@pytest.fixture
def event(db):
    event = make_event(make_club(), players=30)
    published(event, 1)
    return event


def test_a_page_is_sent_compressed_and_not_again(event):
    path = reverse("round", args=[event.club.slug, event.slug, 1])
    plain, answer = Client().get(path), Client().get(path, headers=COMPRESSED)
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(answer.content) < len(plain.content) / 4
    assert "Pionek, Nr001" in gzip.decompress(answer.content).decode()
    again = Client().get(path, headers={**COMPRESSED, "If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_papers_are_sent_as_they_are(event):
    answer = Client().get(reverse("print_pairings", args=[event.club.slug, event.slug, 1]), headers=COMPRESSED)
    assert answer.headers["Content-Type"] == "application/pdf"
    assert "Content-Encoding" not in answer.headers


PUBLIC = [("home", []), ("club", "c"), *[(name, "ce") for name in ("round", "standings", "tournament", "entries")]]


def public_pages(event) -> list[str]:
    slugs = {"c": event.club.slug, "e": event.slug}
    more = {"round": [1]}
    return [reverse(name, args=[*(slugs[each] for each in whose), *more.get(name, [])]) for name, whose in PUBLIC]


def test_visitors_get_no_more_script_than_they_use(event, client):
    for path in public_pages(event):
        html = client.get(path).content.decode()
        assert "htmx-2" not in html
        assert "result_entry.js" not in html
    client.force_login(make_user("secretary", event.club, Role.SECRETARY))
    assert "htmx-2" in client.get(reverse("round", args=[event.club.slug, event.slug, 1])).content.decode()


def test_a_page_for_everyone_sets_no_cookie(event):
    for path in public_pages(event):
        assert not Client().get(path).cookies, path


@pytest.mark.parametrize(
    ("name", "sent"), [("colour_scheme_set", {"look": "dark"}), ("language_set", {"language": "pl"})]
)
def test_choices_of_a_browser_need_no_token_and_come_from_our_own_pages(name, sent):
    client = Client(enforce_csrf_checks=True)
    for elsewhere in ("https://evil.example", "null"):
        refused = client.post(reverse(name), sent, headers={"Origin": elsewhere})
        assert refused.status_code == 403
        assert not refused.cookies
    assert client.get(reverse(name)).status_code == 405
    kept = client.post(reverse(name), sent, headers={"Origin": "http://testserver"})
    assert kept.status_code == 302
    assert list(kept.cookies) == ["look" if name == "colour_scheme_set" else "django_language"]


@pytest.mark.parametrize(
    "back", ["personal", "metrics", "x", "//evil.example/", "https://evil.example/", "/\\\\evil.example", "\t//x"]
)
def test_one_goes_back_to_a_page_of_ours_or_home(back):
    answer = Client().post(reverse("colour_scheme_set"), {"look": "dark", "next": back})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


OWN = [path for kind in ("css", "js") for path in sorted((ROOT / "static" / kind).rglob(f"*.{kind}"))]


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_slim_files_say_the_same(path):
    text = path.read_text(encoding="utf-8")
    slim = minify_asset(text, path.name)
    assert minify_asset(slim, path.name) == slim
    assert len(slim) < len(text)
    if path.suffix == ".css":
        assert "/*" not in slim
        assert [slim.count(sign) for sign in "{}"] == [
            re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).count(sign) for sign in "{}"
        ]
    else:
        assert [line for line in text.splitlines() if line.count("`") % 2] == [], "a string over several lines"
        assert '"use strict"' not in text or '"use strict"' in slim
        assert slim.count(";") >= len(re.findall(r";$", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), re.MULTILINE))


def test_no_header_says_where_the_program_is_found():
    """Some web servers pass on all browser headers; gunicorn trusts those from its own machine."""
    asked = b"GET /club/ HTTP/1.1\r\nHost: chess.example.org\r\nSCRIPT_NAME: /club\r\nPATH_INFO: /admin/\r\n\r\n"

    def headers(**settings: object) -> set[str]:
        config = Config()
        for name, value in settings.items():
            config.set(name, value)
        return {name for name, _value in next(RequestParser(config, iter([asked]), ("127.0.0.1", 1))).headers}

    told = runpy.run_path(str(ROOT / "gunicorn.conf.py"))["forwarder_headers"]
    assert headers(forwarder_headers=told) == {"HOST"}
    assert headers() > {"HOST"}, "it is another default by now"
