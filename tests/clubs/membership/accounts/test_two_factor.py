"""One-time codes after the password, clubs that require them of officers, a lost phone."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from clubs.access import get_club_for_member, get_club_for_secretary
from clubs.models import Role, User
from clubs.roles import roles_in_club
from clubs.two_factor import TwoFactorRequired
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_cast)


@pytest.fixture
def secret(cast) -> str:
    """The secretary has two-factor authentication: the key on her phone."""
    secret = generate_totp_secret()
    TOTP.activate(cast.secretary, secret)
    return secret


def code(secret: str) -> str:
    """The code on her phone."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def first_step(who: str = "secretary") -> Client:
    browser = Client()
    browser.post(reverse("account_login"), {"login": who, "password": who})
    return browser


def is_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def test_a_passkey_that_says_nothing_is_refused_with_a_way_out(cast):
    said = Client().post(reverse("mfa_login_webauthn"), {"credential": "{}"}, follow=True).text
    assert "The passkey didn't work. Try again, or sign in with your password." in said


def test_the_password_alone_does_not_open(cast, secret):
    browser = first_step()
    assert not is_in(browser)
    assert browser.get(reverse("member_list", args=[cast.club.slug])).status_code == 302


@pytest.mark.usefixtures("no_time_passes")
def test_wrong_codes_are_slowed_down_whatever_browser_they_come_from(cast, secret):
    for _ in range(6):
        answer = first_step().post(reverse("mfa_authenticate"), {"code": "000000"})
    assert "You can try again in 3 seconds. Then enter the code your app shows" in answer.text
    assert "new password" not in answer.text
    browser = first_step()
    browser.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert not is_in(browser)


def test_the_second_step_opens(cast, secret):
    browser = first_step()
    browser.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert is_in(browser)


def test_a_code_is_good_once(cast, secret):
    """In any process, and as long as the code is valid: a minute and a half, with clocks that differ."""
    now = code(secret)
    first_step().post(reverse("mfa_authenticate"), {"code": now})
    for again in (now, f"{now[:3]} {now[3:]}"):
        caches["default"].clear()
        browser = first_step()
        answer = browser.post(reverse("mfa_authenticate"), {"code": again})
        assert not is_in(browser)
        assert "Wait up to 30 seconds for the next one, then enter that." in answer.text


def test_a_lost_phone_and_a_recovery_code_that_is_good_once(cast, secret):
    codes = RecoveryCodes.activate(cast.secretary).get_unused_codes()
    for good in (True, False):
        browser = first_step()
        browser.post(reverse("mfa_authenticate"), {"code": codes[0]})
        assert is_in(browser) is good


def test_a_form_that_was_kept_survives_the_second_step(cast, secret):
    browser = Client()
    answer = browser.post(reverse("member_groups", args=[cast.club.slug]), {"name": "Juniorzy"})
    kept = re.findall(r'name="kept" value="([^"]+)"', answer.text)
    browser.post(reverse("account_login"), {"login": "secretary", "password": "secretary", "kept": kept})
    answer = browser.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert answer.headers["Location"] == reverse("deferred_posts")
    assert "Juniorzy" in browser.get(reverse("deferred_posts")).text


def test_setting_it_up_asks_for_the_password_and_gives_recovery_codes(cast):
    browser = cast.browser("secretary")
    page = reverse("mfa_activate_totp")
    assert browser.get(page).headers["Location"].startswith(reverse("account_reauthenticate"))
    browser.post(reverse("account_reauthenticate"), {"password": "secretary", "next": page})
    shown = browser.get(page)
    assert "data:image/svg+xml" in shown.text
    assert browser.post(page, {"code": "000000"}).status_code == 200
    assert not Authenticator.objects.exists()
    now = code(shown.context["form"].secret)
    answer = browser.post(page, {"code": now}, follow=True)
    assert len(re.findall(r"<code", answer.text)) == 10
    elsewhere = first_step()
    elsewhere.post(reverse("mfa_authenticate"), {"code": now})
    assert not is_in(elsewhere), "what set it up was seen by whoever looked over her shoulder"
    assert browser.get(reverse("mfa_download_recovery_codes")).text.split()


# -- What a club demands -----------------------------------------------------------------------------------------------


@pytest.fixture
def demanding(cast) -> Cast:
    cast.club.officers_need_two_factor = True
    cast.club.save()
    return cast


def test_officers_without_one_are_members_at_most(demanding):
    arbiter = User.objects.get(username="arbiter")
    assert roles_in_club(arbiter, demanding.club) == set()
    with pytest.raises(TwoFactorRequired):
        get_club_for_secretary(demanding.secretary, demanding.club.slug)
    root = User.objects.create_superuser("root")
    assert roles_in_club(root, demanding.club) == {Role.MEMBER}


def test_they_are_led_to_where_they_set_it_up(demanding):
    answer = demanding.browser("secretary").get(reverse("member_list", args=[demanding.club.slug]))
    assert answer.headers["Location"] == reverse("mfa_activate_totp")
    answer = demanding.browser("arbiter").post(reverse("tournament_new", args=[demanding.club.slug]), {"name": "x"})
    assert answer.headers["Location"] == reverse("mfa_activate_totp")


def test_members_and_strangers_notice_nothing(demanding):
    member = User.objects.get(username="member")
    assert get_club_for_member(member, demanding.club.slug) == demanding.club
    assert demanding.browser("member").get(reverse("member_list", args=[demanding.club.slug])).status_code == 403
    assert demanding.browser("neighbour").get(reverse("member_list", args=[demanding.club.slug])).status_code == 404


def test_with_one_all_is_open(demanding, secret):
    assert Role.SECRETARY in roles_in_club(demanding.secretary, demanding.club)
    assert demanding.browser("secretary").get(reverse("member_list", args=[demanding.club.slug])).status_code == 200


def test_a_secretary_who_requires_two_factor_has_it(cast):
    page = reverse("club_settings", args=[cast.club.slug])
    answer = cast.browser("secretary").post(page, {"section": "people", "officers_need_two_factor": "on"})
    assert answer.status_code == 422
    assert "Set up your own two-factor authentication first" in answer.text
    cast.club.refresh_from_db()
    assert not cast.club.officers_need_two_factor
    TOTP.activate(cast.secretary, generate_totp_secret())
    answer = cast.browser("secretary").post(page, {"section": "people", "officers_need_two_factor": "on"})
    assert answer.status_code == 302
    cast.club.refresh_from_db()
    assert cast.club.officers_need_two_factor
