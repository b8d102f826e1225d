"""Set-up in the browser only; a second person, an expired session, a lost phone."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.core.cache import cache
from playwright.sync_api import Browser, Page, expect

from clubs.membership.onboarding.club_creation import set_up_code
from clubs.models import Club, Membership, Role, User
from tests.browser.accessibility import accessibility_faults
from tests.browser.conftest import WAIT_MS
from tests.browser.signing_in import is_signed_in, sign_in
from tests.factories import make_event, played, published
from tournaments.models import Game, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a night at the club"
PLAYERS = "\n".join(f"Pionek, Nr{number}; {2000 - 20 * number}" for number in range(1, 7))


@pytest.fixture(autouse=True)
def nothing_was_asked_before() -> None:
    """Clear the cache, in which the library counts uses by keys that users of other tests had too."""
    cache.clear()


@pytest.fixture
def club() -> Club:
    club = Club.objects.create(name="Pod Wieżą", slug="pod-wieza")
    user = User.objects.create(username="secretary", email="s@poczta.example", password=make_password(PASSWORD))
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
    return club


@pytest.fixture
def second(chromium: Browser) -> Iterator[Page]:
    """Another person's phone."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
    context.set_default_timeout(WAIT_MS)
    yield context.new_page()
    context.close()


def test_from_an_empty_server_to_a_published_round(live_server, page: Page):
    page.goto(live_server.url)
    expect(page.get_by_role("heading", name="Welcome to Clubnight")).to_be_visible()
    assert accessibility_faults(page) == []
    page.get_by_label("Code").fill(set_up_code())
    page.get_by_role("button", name="Continue").click()

    page.get_by_label("Username").fill("sabina")
    page.get_by_label("Email").first.fill("sabina@poczta.example")
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_label("Club name").fill("Pod Wieżą")
    assert accessibility_faults(page) == []
    page.get_by_role("button", name="Create club").click()

    page.get_by_role("link", name="Create your first event").click()
    page.get_by_label("Name", exact=False).first.fill("Wednesday")
    page.get_by_label("Rounds").first.fill("3")
    page.get_by_role("button", name="Create event").click()
    page.get_by_role("link", name="Paste a list").first.click()
    page.get_by_role("textbox", name="Players, one per line").fill(PLAYERS)
    page.get_by_role("button", name="Check names").click()
    page.get_by_role("button", name="Enter 6 players").click()
    page.get_by_role("link", name="Wednesday").first.click()
    page.get_by_role("link", name="Go to check-in").click()
    page.get_by_role("button", name="Pair 6 players").click()
    page.get_by_role("button", name="Publish round 1").click()
    expect(page.get_by_text("0 of 3 results are in")).to_be_visible()
    assert Round.objects.get(number=1).state == Round.State.PUBLISHED


def test_a_new_clubs_clock_and_currency_are_likely_ones_until_somebody_says_others(live_server, chromium: Browser):
    context = chromium.new_context(timezone_id="Europe/London", locale="en-GB")
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto(live_server.url)
    page.get_by_label("Code").fill(set_up_code())
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_label("Time zone")).to_have_value("Europe/London")
    page.get_by_text("City, federation, language, currency, logo").click()
    currency, federation = page.get_by_label("Currency"), page.get_by_label("Federation")
    expect(currency).to_have_value("GBP")
    federation.fill("CZE")
    expect(currency).to_have_value("CZK")
    federation.fill("")
    expect(currency).to_have_value("GBP")
    currency.fill("EUR")
    federation.fill("CZE")
    expect(currency).to_have_value("EUR")
    context.close()


def test_from_an_invitation_to_a_second_persons_first_result(club, live_server, page: Page, second: Page):
    event = make_event(club, players=4)
    published(event, 1)
    is_signed_in(page, live_server.url, "secretary")
    page.goto(f"{live_server.url}/pod-wieza/settings/people/")
    page.locator("#id_role").first.select_option("arbiter")
    page.get_by_role("button", name="Create invitation").click()
    link = page.locator("#invitation-link").inner_text()
    expect(page.get_by_alt_text("QR code")).to_be_visible()

    second.goto(link)
    assert accessibility_faults(second) == []
    second.get_by_label("Username").fill("tadeusz")
    second.get_by_label("Password", exact=False).first.fill(PASSWORD)
    second.get_by_label("Confirm password").fill(PASSWORD)
    second.get_by_role("button", name="Create account and accept").click()
    expect(second.get_by_text("Welcome to Pod Wieżą")).to_be_visible()
    second.goto(f"{live_server.url}/pod-wieza/{event.slug}/rounds/1/")
    second.locator("#board-1").get_by_text("1–0").click()
    expect(second.locator("#board-1 label:has(:checked)")).to_have_text("1–0")
    expect(second.get_by_text("1 of 2 results are in")).to_be_visible()
    assert Game.objects.get(board=1).result == "1-0"
    assert User.objects.get(username="tadeusz").memberships.get().role == Role.ARBITER

    page.goto(link)
    expect(page.get_by_role("heading", name="This invitation is no longer valid")).to_be_visible()


def test_a_session_that_ends_while_results_are_entered(club, live_server, page: Page):
    """Two results entered by keyboard in an expired session are saved after signing in on the same page."""
    event = make_event(club, players=6)
    published(event, 1)
    is_signed_in(page, live_server.url, "secretary")
    page.goto(f"{live_server.url}/pod-wieza/{event.slug}/rounds/1/")
    expect(page.locator("tr[data-board]")).to_have_count(3)
    Session.objects.all().delete()
    page.keyboard.press("1")
    page.keyboard.press("0")
    ended = page.locator("[data-ended]")
    expect(ended.locator("input[name=kept]")).to_have_count(2)
    expect(ended).to_have_count(1)
    expect(ended).to_contain_text("they aren't lost")
    assert accessibility_faults(page) == []
    assert not Game.objects.exclude(result="").exists()

    ended.get_by_label("Username or email").fill("secretary")
    ended.get_by_label("Password").fill(PASSWORD)
    ended.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("2 forms were saved")).to_be_visible()
    expect(page.locator("#board-1 label:has(:checked)")).to_have_text("1–0")
    expect(page.locator("#board-2 label:has(:checked)")).to_have_text("0–1")
    assert list(Game.objects.order_by("board").values_list("result", flat=True)) == ["1-0", "0-1", ""]


def test_a_session_that_ends_on_a_phone_without_scripts(club, live_server, phone: Page):
    is_signed_in(phone, live_server.url, "secretary")
    phone.goto(f"{live_server.url}/pod-wieza/members/groups/")
    phone.get_by_label("Name").last.fill("Juniorzy")
    Session.objects.all().delete()
    phone.get_by_role("main").get_by_role("button").last.click()
    expect(phone.get_by_role("heading", name="You are no longer signed in")).to_be_visible()
    phone.get_by_label("Username or email").fill("secretary")
    phone.get_by_label("Password").fill(PASSWORD)
    phone.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(phone.get_by_text("Juniorzy")).to_be_visible()
    assert not club.groups.exists()
    phone.get_by_role("button", name="Save now").click()
    expect(phone.get_by_text("Group “Juniorzy” created.")).to_be_visible()
    assert club.groups.get().name == "Juniorzy"


def test_a_lost_phone(club, live_server, page: Page, second: Page):
    """Two-factor authentication is set up with recovery codes; then sign-in with the phone, and once without."""
    sign_in(page, live_server.url, "secretary", PASSWORD)
    page.goto(f"{live_server.url}/account/second-step/")
    page.get_by_role("link", name="Set up").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Or enter the key by hand").click()
    secret = page.locator("details code").inner_text()
    assert accessibility_faults(page) == []
    page.get_by_label("Code", exact=True).fill("000000")
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_text("This code is wrong or has expired. Enter the one your app shows now")).to_be_visible()
    page.get_by_text("Or enter the key by hand").click()
    assert page.locator("details code").inner_text() == secret
    page.get_by_label("Code", exact=True).fill(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))
    page.get_by_role("button", name="Switch on").click()
    codes = page.locator(".recovery-codes code").all_inner_texts()
    assert len(codes) == 10

    second.goto(f"{live_server.url}/pod-wieza/members/")
    second.get_by_label("Username or email").fill("secretary")
    second.get_by_label("Password").fill(PASSWORD)
    second.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(second.get_by_role("heading", name="Two-factor authentication")).to_be_visible()
    assert accessibility_faults(second) == []
    second.get_by_label("Code").fill(codes[3])
    second.get_by_role("button", name="Sign in", exact=True).click()
    expect(second.get_by_role("heading", name="Members", exact=True)).to_be_visible()


def test_a_passkey_signs_in_without_the_password_and_as_the_second_step(club, live_server, page: Page):
    """A device with passkeys, simulated by Chromium. A removed passkey no longer signs in."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    about = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    about |= dict.fromkeys(("hasResidentKey", "hasUserVerification", "isUserVerified"), True)
    device.send("WebAuthn.addVirtualAuthenticator", {"options": about})
    url = live_server.url.replace("127.0.0.1", "localhost")
    sign_in(page, url, "secretary", PASSWORD)
    expect(page).to_have_url(f"{url}/pod-wieza/")
    page.goto(f"{url}/account/second-step/")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Passkey name").fill("office")
    assert accessibility_faults(page) == []
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator(".recovery-codes code")).to_have_count(10)

    sign_out(page)
    page.goto(f"{url}/sign-in/?next=/pod-wieza/members/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Members", exact=True)).to_be_visible()

    sign_out(page)
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Username or email").fill("secretary")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    assert accessibility_faults(page) == []
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    page.goto(f"{url}/account/second-step/")
    assert accessibility_faults(page) == []
    page.get_by_role("link", name="Remove the passkey").click()
    if page.get_by_role("heading", name="Confirm it's you").is_visible():
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Remove passkey").click()
    expect(page.get_by_text("Passkey removed.")).to_be_visible()
    sign_out(page)
    page.goto(f"{url}/sign-in/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("The passkey didn't work.")).to_be_visible()


def test_a_round_that_has_no_legal_pairing(club, live_server, page: Page):
    """Four players who have all met: the blocking players are named, and the arbiter's decision becomes the draft."""
    event = make_event(club, players=4, rounds=5, system="fide-1989")
    for number in (1, 2, 3):
        played(event, number)
    is_signed_in(page, live_server.url, "secretary")
    page.goto(f"{live_server.url}/pod-wieza/{event.slug}/rounds/4/")
    page.get_by_role("button", name="Pair 4 players").click()
    expect(page.get_by_role("heading", name="Round 4: no legal pairing")).to_be_visible()
    expect(page.get_by_role("row", name="Pionek, Nr001").first).to_contain_text("nobody else")
    assert accessibility_faults(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    repeated = page.locator("form", has=page.get_by_role("button", name="Use as draft"))
    repeated.get_by_label("Reason").fill("Nobody else is left.")
    repeated.get_by_role("button", name="Use as draft").click()
    expect(page.get_by_role("button", name="Publish round 4")).to_be_visible()
    assert Round.objects.get(number=4).state == Round.State.DRAFT


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_the_language_changes_when_it_is_chosen_and_with_the_keyboard_by_the_button(live_server, club, page: Page):
    page.goto(live_server.url)
    page.locator("#language").select_option("pl")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    page.locator("#language").press("ArrowDown")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    page.locator("#language").select_option("de")
    page.locator("#language").press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "de")
