"""Pages cached for everyone: nothing private goes in, nothing outdated comes out."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.messages import INFO
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone

from clubs.models import Member, Role, User
from pairing.models import HallMessage
from pairing.pages.round import round_page
from pairing.pages.round.hall_messages import show_hall_message
from tests.factories import PAGES_OF_A_PLAYER, draft_of, key_of_number, make_user, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tests.test_conventions import ROOT
from tournaments.check_in.personal_links import event_link_token
from tournaments.live_updates import page_cache, shared_page_middleware
from tournaments.live_updates.event_state import load_event_state
from tournaments.live_updates.shared_page_middleware import SharedPageInfo
from tournaments.models import Game, Series
from tournaments.privacy.personal_data import hide_refused_names
from tournaments.results.recording import enter_result

PAGES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("round", (1,)),
    ("round", (3,)),
    ("standings", ()),
    ("hall_screen", ()),
)
ALL_PAGES = (
    *PAGES,
    *(
        ("tournament", ()),
        ("player", (1,)),
        ("standings_after", (1,)),
        ("crosstable", (1,)),
        ("tie_break_working", (1, 1)),
        ("club_standings", (1,)),
    ),
    *(("pairing_version_status", (1, 1)), ("prizes", ()), ("round_map", (1,))),
)
LOGGED = {
    *(
        f"tournaments_{name}"
        for name in ("bye", "entry", "forbiddenpair", "game", "logentry", "onlineentrysettings", "prizefund")
    ),
    *(f"tournaments_{name}" for name in ("prizelist", "prize", "resultclaim", "round", "series", "tournament")),
    *("clubs_club", "pairing_hallmessage"),
}
"""Tables whose every change the log tells, and those whose rows are in a state (`live_updates.event_state`)."""

PART = {"HX-Request": "true", "HX-Target": "live"}
SECRET = "Domysłowska, Ewelina"


def make_evening() -> Cast:
    """An event with the first round finished, the second published and the third a draft; one player has initials."""
    cast = make_cast()
    shy = cast.members[0]
    shy.publication_consent, shy.publication_consent_on = Member.Consent.REFUSED, timezone.localdate()
    shy.save()
    hide_refused_names(cast.event)
    played(cast.event, 1)
    played(cast.event, 2)
    return cast


made_once, cast = make_module_fixtures(make_evening)


def address(cast: Cast, name: str, args: tuple[int, ...] = ()) -> str:
    if name in PAGES_OF_A_PLAYER:
        args = (*args[:-1], key_of_number(cast.event, args[-1]))
    return reverse(name, args=[cast.club.slug, cast.event.slug, *args])


def text(browser: Client, path: str, **headers: str) -> str:
    """A page without the parts that differ in every response."""
    html = browser.get(path, headers=headers).content.decode()
    return re.sub(r'(name="csrfmiddlewaretoken" value=|x-csrftoken": )"[^"]*"|data-stream="[^"]*"', "", html)


def device_of(cast: Cast, place: int) -> Client:
    """A phone on which a player has opened their personal link."""
    phone = Client()
    assert phone.get(reverse("personal", args=[event_link_token(cast.entry(place))]), follow=True).status_code == 200
    assert "me" in phone.cookies
    return phone


def browsers(cast: Cast) -> dict[str, Client]:
    """Every role, an officer of another club, the server's administrator, a player's phone, and anonymous visitors."""
    make_user("treasurer", cast.club, Role.TREASURER)
    User.objects.create_superuser("operator")
    named = {who: cast.browser(who) for who in (*Role.values, "neighbour", "operator")}
    signed_out = cast.browser("secretary")
    signed_out.get(reverse("account_logout"))
    return named | {"device": device_of(cast, 1), "visitor": Client(), "signed out": signed_out}


# -- What must not be ------------------------------------------------------------------------------------------------


def test_whoever_asks_first_nobody_is_sent_what_is_another_ones(cast):
    draft_of(cast.event, 3)
    everyone = browsers(cast)
    alone = {}
    for who, browser in everyone.items():
        for page in PAGES:
            shared_page_middleware.clear_page_caches()
            alone[who, page] = text(browser, address(cast, *page))
    shared_page_middleware.clear_page_caches()
    for who in (*everyone, "visitor", "secretary"):
        for page in PAGES:
            assert text(everyone[who], address(cast, *page)) == alone[who, page], f"{who}, {page}"
    assert len(shared_page_middleware.plain_page_cache) == len(PAGES)
    for page in PAGES:
        assert alone["device", page] == alone["visitor", page]
        assert SECRET not in alone["visitor", page]
        assert "csrf" not in alone["visitor", page]
    assert SECRET in text(everyone["secretary"], address(cast, "entries"))
    assert 'id="controls"' in alone["secretary", ("round", (3,))]


def test_nothing_is_kept_of_a_request_that_bears_somebodys_cookie(cast):
    for who in ("secretary", "member"):
        text(cast.browser(who), address(cast, "round", (1,)))
    visitor = Client()
    visitor.cookies["messages"] = "made-up"
    text(visitor, address(cast, "round", (1,)))
    text(Client(), address(cast, "round", (1,)), Authorization="Bearer x")
    assert len(shared_page_middleware.plain_page_cache) == 0


def test_a_session_that_nobody_is_signed_in_with_gets_the_cached_page(cast, monkeypatch):
    """Anyone can invent a session cookie, or get a real one from the sign-in page."""
    page = address(cast, "round", (1,))
    text(Client(), page)
    assert len(shared_page_middleware.plain_page_cache) == 1
    real = Client()
    session = real.session
    session["any"] = "thing"
    session.save()
    for key in ("made-up", "", "x" * 32, real.cookies["sessionid"].value):
        visitor = Client()
        visitor.cookies["sessionid"] = key
        with monkeypatch.context() as patch:
            patch.setattr("django.template.base.Template.render", None)
            answer = visitor.get(page)
        assert answer.status_code == 200
        assert not answer.cookies


def test_requests_that_rule_out_the_cache_are_limited_by_address(cast, monkeypatch):
    monkeypatch.setattr("tournaments.live_updates.page_decorators.MAX_QUERIES_PER_MINUTE", 2)
    page = address(cast, "round", (1,))
    statuses = [
        Client(headers=headers).get(page).status_code
        for headers in ({"Authorization": "x"}, {"HX-Request": "true"}, {"HX-Target": "odd"}, {})
    ]
    assert statuses == [200, 200, 429, 200]
    assert cast.browser("secretary").get(page, headers={"HX-Target": "odd"}).status_code == 200


@pytest.mark.parametrize(
    "spoil",
    [
        lambda answer: answer.set_cookie("any", "thing"),
        lambda answer: setattr(answer, "content", b'<input name="csrfmiddlewaretoken" value="x">'),
        lambda answer: setattr(answer, "status_code", 302),
        lambda answer: answer.headers.pop("ETag"),
        lambda answer: delattr(answer, "shared_page_middleware"),
        lambda answer: setattr(answer, "shared_page_middleware", replace(answer.shared_page_middleware, part="live")),
    ],
)
def test_what_holds_something_of_one_visitor_is_not_kept_whatever_its_view_says(cast, spoil):
    def page(_request: HttpRequest) -> HttpResponse:
        answer = HttpResponse(b"text", headers={"ETag": '"any"'})
        state = load_event_state(cast.club.slug, cast.event.slug)
        assert state
        answer.shared_page_middleware = SharedPageInfo(  # type: ignore[attr-defined]
            club=cast.club.slug, event=cast.event.slug, state=state.digest, part=""
        )
        return answer

    def spoilt(request: HttpRequest) -> HttpResponse:
        answer = page(request)
        spoil(answer)
        return answer

    request = RequestFactory().get("/")
    request.resolver_match = resolve("/")
    shared_page_middleware.shared_page_middleware(spoilt)(request)
    assert len(shared_page_middleware.plain_page_cache) == 0
    shared_page_middleware.shared_page_middleware(page)(request)
    assert len(shared_page_middleware.plain_page_cache) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"HX-Target": "live"},
        {"HX-Target": "boards"},
        {"HX-Request": "false", "HX-Target": "live"},
        {"HX-Target": "%6Cive", "HX-Target-URI-AutoEncoded": "true"},
        {"Live-Changes": "1"},
        {"Live-Changes": "1", "If-None-Match": '"invented"'},
        {"HX-Boosted": "true"},
        {"HX-History-Restore-Request": "true"},
        {"X-Forwarded-Host": "attacker.example"},
        {"X-Original-URL": "/attacker/"},
        {"Accept": "application/json"},
        {"Range": "bytes=0-3"},
    ],
    ids=lambda headers: " ".join(headers),
)
def test_a_header_of_the_first_request_changes_nothing_for_later_ones(cast, headers):
    path = address(cast, "round", (1,))
    whole, part = text(Client(), path), text(Client(), path, **PART)
    shared_page_middleware.clear_page_caches()
    caches["parts"].clear()
    Client().get(path, headers=headers)
    Client().get(path, headers=PART | headers)
    assert text(Client(), path) == whole
    assert text(Client(), path, **PART) == part


def test_states_that_somebody_invents_keep_no_page_from_being_kept(cast):
    path = address(cast, "round", (1,))
    for number in range(page_cache.MAX_ANSWERS_PER_PAGE + 1):
        Client().get(path, headers=PART | {"Live-Changes": "1", "If-None-Match": f'"{number}"'})
    Client().get(path, headers=PART)
    with CaptureQueriesContext(connection) as asked:
        Client().get(path, headers=PART)
    assert len(asked) == 1


def test_a_message_for_one_visitor_is_shown_to_nobody_else(cast):
    path = address(cast, "round", (1,))
    storage, carrier = CookieStorage(RequestFactory().get("/")), HttpResponse()
    storage.add(INFO, "for you alone")
    storage.update(carrier)
    told = Client()
    told.cookies["messages"] = carrier.cookies["messages"].value
    assert "for you alone" in text(told, path)
    assert "for you alone" not in text(Client(), path)
    assert "for you alone" not in text(told, path), "it is shown once"


def test_nobody_sees_an_event_that_is_open_no_more(cast):
    for page in PAGES[::2]:
        assert Client().get(address(cast, *page)).status_code == 200
    cast.event.is_public = False
    cast.event.save()
    for page in PAGES[::2]:
        assert Client().get(address(cast, *page)).status_code == 404
        assert cast.browser("member").get(address(cast, *page)).status_code == 200
        assert Client().get(address(cast, *page)).status_code == 404
    type(cast.event).objects.update(is_public=True, deleted_at=timezone.now())
    assert Client().get(address(cast, *PAGES[0])).status_code == 404


def test_pages_for_everybody_read_nothing_whose_change_would_go_unnoticed(cast):
    read = set()
    published(cast.event, 3)
    for name, args in ALL_PAGES:
        with CaptureQueriesContext(connection) as asked:
            assert Client().get(address(cast, name, args)).status_code == 200
        read |= {table for each in asked for table in re.findall(r'(?:FROM|JOIN) "(\w+)"', each["sql"])}
    assert len(shared_page_middleware.plain_page_cache) == len(ALL_PAGES)
    assert read - LOGGED == set()


def test_what_is_done_while_a_page_is_made_is_not_missing_in_the_next(cast, monkeypatch):
    this_round = published(cast.event, 3)
    make = round_page.pairing_sheet

    def slowly(*args, **options):
        sheet = make(*args, **options)
        monkeypatch.setattr(round_page, "pairing_sheet", make)
        game = this_round.games.get(board=1)
        enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
        return sheet

    monkeypatch.setattr(round_page, "pairing_sheet", slowly)
    path = address(cast, "round", (3,))
    old = text(Client(), path)
    assert len(shared_page_middleware.plain_page_cache) == 0
    new = text(Client(), path)
    assert "½–½" in new != old


# -- What is ---------------------------------------------------------------------------------------------------------


def test_a_page_is_made_once_and_asks_one_question(cast, django_assert_num_queries):
    path = address(cast, "round", (1,))
    first = Client().get(path, headers={"Accept-Encoding": "gzip"})
    assert first.headers["Content-Encoding"] == "gzip"
    assert not first.cookies
    with django_assert_num_queries(1):
        second = Client().get(path, headers={"Accept-Encoding": "gzip"})
    assert second.content == first.content
    differ = {"X-Request-ID"}
    assert [(n, v) for n, v in first.items() if n not in differ] == [
        (n, v) for n, v in second.items() if n not in differ
    ]
    with django_assert_num_queries(1):
        known = Client().get(path, headers={"If-None-Match": f"W/{first.headers['ETag']}"})
    assert (known.status_code, known.content, known.headers["ETag"]) == (304, b"", first.headers["ETag"])
    with django_assert_num_queries(1):
        assert Client().get(path).content.decode().startswith("<!DOCTYPE html>")
    assert Client().head(path).status_code == 200
    # A proxy may keep a page for a second, but must never confuse it with a part of it.
    assert first.headers["X-Accel-Expires"] == str(shared_page_middleware.PROXY_CACHE_SECONDS)
    assert "X-Accel-Expires" not in Client().get(path, headers=PART).headers


def test_each_language_and_look_has_a_page_of_its_own(cast):
    path = address(cast, "standings")
    found = set()
    for _turn in range(2):
        for language in ("en", "pl", "de"):
            for look in ("", "dark", "light", "made-up"):
                browser = Client(headers={"Accept-Language": language})
                if look:
                    browser.cookies["look"] = look
                html = text(browser, path)
                assert f'lang="{language}"' in html
                assert ('href="/static/css/dark.css" media="screen"' in html) == (look == "dark")
                found.add(html)
    assert len(found) == 9
    chosen = Client(headers={"Accept-Language": "en"})
    chosen.cookies["django_language"] = "pl"
    assert 'lang="pl"' in text(chosen, path)


@pytest.mark.parametrize(
    "change",
    [
        lambda cast: type(cast.club).objects.update(name="Pod Wieżycą"),
        lambda cast: type(cast.club).objects.update(colour="#123456"),
        lambda cast: type(cast.event).objects.update(name="Czwartek"),
        lambda cast: Series.objects.update(name="Grand Prix Zimy"),
    ],
)
def test_changes_without_a_log_line_are_seen_at_once(cast, change):
    cast.event.series = Series.objects.create(club=cast.club, name="Grand Prix")
    cast.event.save()
    before = text(Client(), address(cast, "tournament"))
    assert text(Client(), address(cast, "tournament")) == before
    change(cast)
    assert text(Client(), address(cast, "tournament")) != before


def test_a_page_is_another_one_the_next_day_and_after_an_update(cast, monkeypatch):
    path = address(cast, "round", (1,))
    mark = {"If-None-Match": Client().get(path).headers["ETag"]}
    assert Client().get(path, headers=mark).status_code == 304
    now = timezone.now()
    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: now + timedelta(days=1))
        assert Client().get(path, headers=mark).status_code == 200
    assert Client().get(path, headers=mark).status_code == 304


def test_a_message_in_the_hall_ends_by_itself(cast):
    path = address(cast, "hall_screen")
    show_hall_message(cast.event, "Blitz at nine", 5, by=cast.secretary)
    assert "Blitz at nine" in text(Client(), path)
    assert len(shared_page_middleware.plain_page_cache) == 0
    HallMessage.objects.update(until=timezone.now())
    assert "Blitz at nine" not in text(Client(), path)
    assert "Blitz at nine" not in text(Client(), path, **PART)
    assert len(shared_page_middleware.plain_page_cache) == 2


def test_questions_push_no_page_out(cast, monkeypatch):
    monkeypatch.setattr(shared_page_middleware, "query_page_cache", page_cache.PageCache(4_000))
    path = address(cast, "standings")
    Client().get(path)
    for number in range(9):
        Client().get(f"{path}?page={number}")
    assert len(shared_page_middleware.plain_page_cache) == 1
    assert len(shared_page_middleware.query_page_cache) == 1


# -- Odd queries ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ALL_PAGES)
def test_parameters_that_no_page_knows_are_not_pages_of_their_own(cast, page, monkeypatch):
    """Each was rendered: twenty times as much work as a cached page."""
    visitor, path = Client(), address(cast, *page)
    known = text(visitor, path)
    monkeypatch.setattr("tournaments.live_updates.page_decorators.load_event_state", None)
    for query in ("utm_source=x", "x=1&y=2", "%00", "page_=1", "x=" + "a" * 500):
        assert text(visitor, f"{path}?{query}") == known


def test_parameters_that_pages_know_are_kept_beside_others(cast):
    path = address(cast, "round", (1,))
    assert text(Client(), f"{path}?x=1&name=Nobody") == text(Client(), f"{path}?name=Nobody")
    assert text(Client(), f"{path}?name=Nobody") != text(Client(), path)


def test_other_addresses_keep_what_they_are_asked():
    request = RequestFactory().get("/sign-in/", {"next": "/club/", "x": "1"})
    shared_page_middleware.shared_page_middleware(lambda _request: HttpResponse())(request)
    assert request.GET["next"] == "/club/"


def test_every_parameter_of_a_shared_page_is_known():
    """One that is missing would be ignored for visitors, and work for everybody else."""
    read = set()
    for folder in ("pairing/pages/round", "pairing/pages/standings", "pairing/pages/replay", "pairing/public/embeds"):
        for file in (ROOT / folder).rglob("*.py"):
            read |= set(re.findall(r'request\.GET\.get\("(\w+)"', file.read_text()))
    officers_alone = {"edit"}
    assert read - officers_alone == shared_page_middleware.SHARED_PAGE_PARAMETERS


def test_an_address_that_asks_for_too_many_pages_with_a_query_waits(cast, monkeypatch):
    monkeypatch.setattr("tournaments.live_updates.page_decorators.MAX_QUERIES_PER_MINUTE", 2)
    path = address(cast, "round", (1,))

    def status(name: str, where: str = "192.0.2.1") -> int:
        return Client().get(path, {"name": name}, headers={"X-Forwarded-For": where}).status_code

    assert [status(name) for name in ("a", "b", "c")] == [200, 200, 429]
    assert status("a") == 200, "what is kept costs nothing"
    assert status("d", "192.0.2.2") == 200
    assert Client().get(path, headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 200
    assert cast.browser("secretary").get(path, {"name": "e"}).status_code == 200
