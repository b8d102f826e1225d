"""Every form of every page, sent with unexpected values: never a server error.

Whatever is sent is taken or refused, with a page. In the suite each form is sent once;
`CLUBNIGHT_FUZZ=200 pytest tests/test_fuzzed_forms.py` sends each so often, and has the doctor look whether what was
taken leaves an event or the books contradicting themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clubs.models import Club, Membership, Role, User
from operations.integrity.event_checks import check_events
from operations.integrity.ledger_checks import check_ledgers
from tests.full_scenario import address_of
from tests.routes import ROUTES
from tests.scenario import Cast
from tests.test_routes import book, made, made_once, places  # noqa: F401
from tournaments.models import Tournament

EXAMPLES = int(os.environ.get("CLUBNIGHT_FUZZ", "1"))
LEFT_OUT = ("/sign-out/",)
"""Whoever has signed out sends nothing more."""

VALUES = st.one_of(
    st.sampled_from(
        [
            "",
            "0",
            "-1",
            "1",
            "999999999999999999999",
            "9" * 5000,
            "1e9",
            "NaN",
            "٣",
            "½",
            "\x00",
            "\ud800",
            "a\r\nSet-Cookie: x=1",
            "<script>alert(1)</script>",
            '"><img src=x onerror=alert(1)>',
            "=HYPERLINK(1)",
            "../../etc/passwd",
            "%s%(x)s{x}",
            "2026-02-30",
            "0001-01-01",
            "9999-12-31",
            "25:61",
            "on",
            "x" * 300,
            "Ż" * 20_000,
            "00000000-0000-0000-0000-000000000000",
        ]
    ),
    st.integers(min_value=-(10**6), max_value=10**6).map(str),
    st.text(max_size=20),
)


@dataclass(kw_only=True)
class Form:
    """A form with this `action`, and the initial values of its fields."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    """Of its fields, those for files among them: what an input is for."""
    options: dict[str, list[str]] = field(default_factory=dict)


class Forms(HTMLParser):
    """The forms of a page that send something."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.found = address, list[Form]()
        self._form: Form | None = None
        self._select = self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            is_sent = told.get("method", "").lower() == "post"
            self._form = Form(action=told.get("action") or self.address) if is_sent else None
            if self._form:
                self.found.append(self._form)
        elif self._form and tag == "option" and self._select:
            self._form.options.setdefault(self._select, []).append(told.get("value", ""))
            values = self._form.fields.setdefault(self._select, [told.get("value", "")])
            if "selected" in told:
                values[:] = [told.get("value", "")]
        elif self._form and told.get("name") and tag in ("input", "select", "textarea", "button"):
            self._select = told["name"] if tag == "select" else ""
            self._text = told["name"] if tag == "textarea" else ""
            self._form.types.setdefault(told["name"], told.get("type", tag))
            if tag != "select" and told.get("type") != "file":
                self._form.fields.setdefault(told["name"], []).append(told.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self._form and self._text:
            self._form.fields[self._text] = [data]

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._text = ""
        elif tag == "form":
            self._form = None


def forms_of(browser: Client, places: dict[str, object]) -> Iterator[Form]:  # noqa: F811
    """One form of each kind from all pages, by target and fields."""
    seen = set()
    for name, route in ROUTES.items():
        if "GET" not in route.methods:
            continue
        address = address_of(name, places)
        answer = browser.get(address)
        if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
            continue
        parser = Forms(address)
        parser.feed(answer.content.decode())
        for form in parser.found:
            kind = (urlsplit(form.action).path, *sorted(form.fields))
            if kind not in seen and not form.action.startswith(("http", *LEFT_OUT)):
                seen.add(kind)
                yield form


@st.composite
def sendings(draw: st.DrawFn, form: Form) -> dict[str, list[str]]:
    """The fields' values, some of them changed, left out, or sent twice."""
    sent = {name: list(values[:1]) for name, values in form.fields.items()}
    names = sorted(sent)
    for name in draw(st.lists(st.sampled_from(names), max_size=4)) if names else []:
        values = draw(st.lists(VALUES, max_size=2))
        if values:
            sent[name] = values
        else:
            sent.pop(name, None)
    return sent


@pytest.fixture
def officer_browser(book: Cast) -> Client:  # noqa: F811
    """A browser of a user with every role in the club."""
    user = User.objects.get(username="secretary")
    for role in (Role.ARBITER, Role.TREASURER):
        Membership.objects.get_or_create(user=user, club=book.club, role=role)
    return book.browser("secretary")


@pytest.mark.slow
@pytest.mark.one_database
@pytest.mark.parametrize("who", ["officer", "visitor"])
def test_whatever_is_sent_is_taken_or_refused(who, officer_browser, book, places):  # noqa: F811
    browser = officer_browser if who == "officer" else Client()
    forms = list(forms_of(browser, places))
    assert len(forms) > (100 if who == "officer" else 5)
    wrong = list(filter(None, (what_goes_wrong(browser, form) for form in forms)))
    assert not wrong, "\n".join(wrong)


def _raw(text: str) -> str | bytes:
    """Half a character as bytes, which browsers never send but other programs may."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) and "\ud800" in text else text


def what_goes_wrong(browser: Client, form: Form) -> str:
    """With this form; nothing if it is empty. Its changes are undone each time."""

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES == 1, suppress_health_check=list(HealthCheck))
    @given(sent=sendings(form))
    def holds(sent: dict[str, list[str]]) -> None:
        cookies = dict(browser.cookies)
        with transaction.atomic():
            try:
                answer = browser.post(
                    form.action, {name: [_raw(each) for each in values] for name, values in sent.items()}
                )
                assert answer.status_code < 500, answer.status_code
                if answer.status_code == 302 and EXAMPLES > 1:
                    found = [*check_events(Tournament.objects.all()), *check_ledgers(Club.objects.all())]
                    assert found == []
            finally:
                transaction.set_rollback(True)
                browser.cookies.clear()
                browser.cookies.update(cookies)

    try:
        holds()
    except Exception as error:
        notes = " ".join(getattr(error, "__notes__", ()))
        return f"{form.action}: {type(error).__name__}: {error} {notes}"[:700]
    return ""
