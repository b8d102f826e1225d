"""Access to every URL of the application, for every user and method."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie

import pytest
from django.db import connection, transaction
from django.template.backends.django import Template
from django.test import Client
from django.urls import reverse
from django.utils.safestring import mark_safe

from pairing.printing.pdf import weasyprint_rendering
from tests.full_scenario import address_of, make_full_scenario, make_neighbour_event, url_arguments, url_patterns
from tests.module_fixtures import make_module_fixtures
from tests.routes import (
    ALLAUTHS,
    EVERYONE,
    FORM,
    MEMBERS,
    NOT_FOUND_BY_OTHERS,
    READERS,
    ROUTES,
    SHARED,
    STRANGERS,
    Route,
)
from tests.scenario import Cast
from tournaments.models import Tournament

NOT_MADE = frozenset(
    [
        "metrics",
        "api_nothing",
        "api_prizes",
        "security_txt",
        "round_restore",
        "letterhead_logo",
        "club_colours_css",
        "styleguide",
        "club_logo_image",
        "proposal",
        "proposal_adopt",
        "proposal_discard",
        "relaxation_adopt",
        "round_what_if_result",
        "event_paper_print",
        "posted_paper_remove",
        "club_paper_print",
        "print_prizes",
        "saved_filter_remove",
        "personal_check_in",
        "personal_bye",
        "personal_leave",
        "personal_result",
        "personal_account_request",
        "round_check_in",
        "result_keys_edit",
        "club_request_new",
        "account_confirm_email",
        "mfa_deactivate_totp",
        "mfa_view_recovery_codes",
        "mfa_download_recovery_codes",
    ]
)
"""What they are about is not there in these tests, or nothing is sent: whoever passes may find nothing."""


def everything_with_places() -> tuple[Cast, dict[str, object]]:
    cast = make_full_scenario()
    return cast, url_arguments(cast)


made_once, made = make_module_fixtures(everything_with_places)


@pytest.fixture
def book(made: tuple[Cast, dict[str, object]], monkeypatch: pytest.MonkeyPatch) -> Cast:
    """Papers are not rendered, which takes long and is tested elsewhere."""
    monkeypatch.setattr(
        weasyprint_rendering, "render_and_count_pages", lambda paper, **_more: (b"%PDF-", [1] * len(paper.parts))
    )
    return made[0]


@pytest.fixture
def places(made: tuple[Cast, dict[str, object]]) -> dict[str, object]:
    """The parts of the URLs: one object of each kind."""
    return made[1]


SHOWN_PAGES = frozenset({"secretary", "visitor"})
"""Who is shown pages on SQLite, those that refuse among them; others only where none of these may pass.

Of all others the status counts here, and writing pages takes longer than deciding who sees them. Each role's own pages
are written by the crawl of the demo (tests/test_crawl.py).
"""


def writes_nothing(_template: object, *_context: object, **_more: object) -> str:
    """Replaces a template."""
    return mark_safe("")


class Asking:
    """A user with a browser. Changes made by requests are undone, including cookies."""

    def __init__(self, cast: Cast, who: str, places: dict[str, object]) -> None:
        self.browser = cast.browser(who)
        self.who = who
        self.browser.raise_request_exception = False
        self.cookies = self.browser.cookies.output(header="")
        self.places = places

    def status(self, method: str, name: str) -> int:
        self.browser.cookies = SimpleCookie(self.cookies)
        with transaction.atomic(), pytest.MonkeyPatch.context() as patch:
            if not self.is_shown(name):
                patch.setattr(Template, "render", writes_nothing)
            answer = self.browser.generic(method, address_of(name, self.places))
            transaction.set_rollback(True)
        return answer.status_code

    def is_shown(self, name: str) -> bool:
        """On PostgreSQL pages are opened completely, so that their templates' queries are sent too."""
        return connection.vendor != "sqlite" or self.who in SHOWN_PAGES or not SHOWN_PAGES & ROUTES[name].who


def refused(name: str, who: str, status: int) -> bool:
    """The answer for denied access, for strangers and for people of the club.

    Who is not signed in is led to where one signs in, whether the page is there or not.
    """
    if who == "visitor":
        return status in (302, 401)
    return status == (404 if who in STRANGERS or name in NOT_FOUND_BY_OTHERS or not ROUTES[name].who else 403)


def is_public(view: object) -> bool:
    """Opens without sign-in, as the middleware sees it."""
    return not getattr(view, "login_required", True)


def test_every_address_is_in_the_table():
    assert {pattern.name for _address, pattern in url_patterns()} == set(ROUTES)


def test_a_page_is_public_exactly_where_the_table_lets_visitors_in():
    """A missing mark would close a page; an extra one would open it."""
    marked = {pattern.name for _address, pattern in url_patterns() if is_public(pattern.callback)}
    assert marked == {name for name, route in ROUTES.items() if "visitor" in route.who}


def test_no_address_does_without_the_token_against_forged_requests():
    """But those whose own token is all that acts: a mail program's button for fewer letters, a notification's; and
    those that keep a choice in the browser that made it, and nothing else. The API takes a header's token alone.
    """
    exempt = {pattern.name for _address, pattern in url_patterns() if getattr(pattern.callback, "csrf_exempt", False)}
    of_the_api = {name for name in ROUTES if name.startswith("api_")}
    acting = {"notification_channel_stop", "letters_unsubscribe", "evening_answer", "colour_scheme_set", "language_set"}
    assert exempt == acting | of_the_api


@pytest.mark.parametrize("name", ["colour_scheme_set", "language_set"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_what_does_without_it_is_not_taken_from_other_sites(db, name: str, origin: str):
    guarded = Client(enforce_csrf_checks=True)
    sent = {"look": "dark", "language": "de", "next": "/"}
    answer = guarded.post(reverse(name), sent, headers={"Origin": origin})
    assert (answer.status_code, set(answer.cookies) & {"look", "django_language"}) == (403, set())
    answer = guarded.post(reverse(name), sent, headers={"Origin": "http://testserver"})
    assert (answer.status_code, len(answer.cookies)) == (302, 1)


OFFICERS = ("secretary", "treasurer", "arbiter")
ON_POSTGRESQL = {*OFFICERS, "visitor"}
"""These open every page there is between them, so that each of its queries is sent to that server as well."""


def sends_what_others_do_not(who: str, route: Route) -> bool:
    """On PostgreSQL a page is opened once as an officer and once as a visitor: others are refused by the same code."""
    officer = next((each for each in OFFICERS if each in route.who), None)
    return who in {officer, "visitor"} & route.who


@pytest.mark.parametrize(
    "who",
    [pytest.param(who, marks=[] if who in ON_POSTGRESQL else pytest.mark.one_database) for who in sorted(EVERYONE)],
)
def test_who_may_not_is_refused_and_who_may_passes(book: Cast, places: dict[str, object], who: str):
    wrong, asking = [], Asking(book, who, places)
    for name, route in ROUTES.items():
        if connection.vendor != "sqlite" and not sends_what_others_do_not(who, route):
            continue
        for method in sorted(route.methods):
            status = asking.status(method, name)
            passes = who in route.who
            ok = status < 500 and status not in (403, 404, 405) if passes else refused(name, who, status)
            if not ok and not (passes and name in NOT_MADE and status == 404):
                wrong.append(f"{method} {name}: {status}")
    assert not wrong, ", ".join(wrong)


@pytest.mark.one_database
@pytest.mark.parametrize("who", ["secretary", "visitor"])
def test_what_only_shows_does_nothing_and_what_does_something_shows_nothing(
    book: Cast, places: dict[str, object], who: str
):
    wrong, asking = [], Asking(book, who, places)
    for name, route in ROUTES.items():
        for method in FORM - route.methods:
            status = asking.status(method, name)
            # Anonymous users are sent to the sign-in page first, whatever the URL would do afterwards.
            led = who == "visitor" and status in (302, 401) and "visitor" not in route.who
            if status not in (403, 404, 405) and not led and name not in ALLAUTHS:
                wrong.append(f"{method} {name}: {status}")
    assert not wrong, ", ".join(wrong)


@pytest.mark.one_database
@pytest.mark.parametrize("who", ["visitor", "neighbour", "member"])
def test_an_event_that_is_not_public_is_there_for_its_club_alone(book: Cast, places: dict[str, object], who: str):
    book.event.is_public = False
    book.event.save()
    asking = Asking(book, who, places)
    assert {
        name for name, route in ROUTES.items() if route.who == SHARED and asking.status("GET", name) != 404
    } == set()
    found = {name for name, route in ROUTES.items() if route.who == READERS and asking.status("GET", name) != 404}
    there = {name for name, route in ROUTES.items() if route.who == READERS} - NOT_MADE
    assert found - NOT_MADE == (there if who in MEMBERS else set())


NAMED_BY_KEY = re.compile(
    ":(member|first|second|entry|pair|season|series|view|job|register|listed|proposal|payment|membership|invitation|"
    "booking|voucher|line|collection|deleted|online_entry|application|letter|api_token|webhook)>"
)
"""Parts of addresses that name one thing among those of all clubs."""


@pytest.mark.one_database
def test_what_is_another_clubs_is_not_there_under_ones_own(book: Cast, places: dict[str, object]):
    """The neighbour has every role in another club, and an event with the same slug; no other object is theirs."""
    own = make_neighbour_event(book.event.slug)
    asking = Asking(book, "neighbour", places | {"club": own.slug})
    wrong = []
    for name, route in ROUTES.items():
        whole = next(address for address, pattern in url_patterns() if pattern.name == name)
        if "<slug:club>" not in whole or not NAMED_BY_KEY.search(whole):
            continue
        if name.startswith("api_"):  # needs a token, whoever asks (tests/pairing/public/api/test_changes.py)
            continue
        for method in sorted(route.methods):
            status = asking.status(method, name)
            # A user who restores an event that is not among their deleted events gets a message on the list of deleted
            # events.
            if status != 404 and name != "deleted_event_restore":
                wrong.append(f"{method} {name}: {status}")
    assert not wrong, ", ".join(wrong)
    asking.browser.post(address_of("deleted_event_restore", places | {"club": own.slug}))
    assert Tournament.with_deleted.get(pk=str(places["deleted"])).deleted_at


def test_the_table_tells_apart():
    """A wrong role for a route would be noticed: each kind of user differs from the others somewhere."""
    assert Route(frozenset(), EVERYONE) != Route(frozenset(), READERS)
    for one in EVERYONE - STRANGERS:
        for other in EVERYONE - {one}:
            assert any((one in route.who) != (other in route.who) for route in ROUTES.values()), (one, other)
