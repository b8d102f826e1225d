"""A wrong password delays the next attempt from the same address, nobody else's, and never permanently."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from clubs.membership.accounts import known_devices
from clubs.membership.accounts.client_address import client_address, network_of_address
from clubs.membership.accounts.throttling import (
    FAILURES_EXPIRE_AFTER,
    MAX_WAIT,
    TooManyAttempts,
    record_attempt,
    record_success,
    sign_in_limits,
)
from clubs.models import SignInAttempts, User
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_time_passes")]

HERE, THERE = "192.0.2.1", "198.51.100.2"


def post(browser: Client, name: str, password: str, address: str = HERE):
    return browser.post(
        reverse("account_login"), {"login": name, "password": password}, headers={"X-Forwarded-For": address}
    )


def is_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def wrong(times: int, name: str = "secretary", address: str = HERE, browser: Client | None = None):
    for _ in range(times):
        answer = post(browser or Client(), name, "guess", address)
    return answer


def later(by: timedelta) -> None:
    for row in SignInAttempts.objects.all():
        SignInAttempts.objects.filter(pk=row.pk).update(last_at=row.last_at - by)


@pytest.fixture
def secretary() -> User:
    return make_user("secretary")


def test_the_right_password_has_to_wait_after_too_many_wrong_ones(secretary):
    answer = wrong(6)
    assert "Too many failed attempts" in answer.text
    browser = Client()
    answer = post(browser, "secretary", "secretary")
    assert not is_in(browser)
    assert "You can reset your password by email at any time" in answer.text
    later(MAX_WAIT)
    post(browser, "secretary", "secretary")
    assert is_in(browser)


def test_nine_strangers_do_not_lock_the_secretary_out(secretary):
    """Behind a proxy all requests once came from one address, and anybody could lock everybody out."""
    wrong(9, address=THERE)
    browser = Client()
    post(browser, "secretary", "secretary", HERE)
    assert is_in(browser)


def test_a_known_device_is_not_slowed_down_by_anybody(secretary):
    known = Client()
    post(known, "secretary", "secretary")
    known.post(reverse("account_logout"))
    for address in range(60):
        wrong(1, address=f"203.0.113.{address}")
    post(known, "secretary", "secretary", THERE)
    assert is_in(known)


def test_strangers_from_changing_addresses_do_not_keep_the_owner_out_of_a_new_device(secretary):
    for address in range(120):
        wrong(1, address=f"203.0.113.{address}")
    new_device = Client()
    for _mistyped in range(4):
        post(new_device, "secretary", "mistyped", THERE)
    post(new_device, "secretary", "secretary", THERE)
    assert is_in(new_device)


def test_an_address_that_has_used_its_own_allowance_shares_that_of_the_account(secretary):
    wrong(5, address=HERE)
    later(timedelta(minutes=5))
    for address in range(40):
        wrong(1, address=f"203.0.113.{address}")
    strange = Client()
    post(strange, "secretary", "secretary", HERE)
    assert not is_in(strange)


def test_the_many_networks_of_one_ipv6_customer_are_not_as_many_new_addresses(secretary):
    answers = [wrong(1, address=f"2001:db8:7:{network:x}::1").text for network in range(11)]
    assert "Too many failed attempts" not in answers[9]
    assert "Too many failed attempts" in answers[10]
    elsewhere = Client()
    post(elsewhere, "secretary", "secretary", "2001:db8:8::1")
    assert is_in(elsewhere)


def test_after_a_reset_the_device_is_known_and_nothing_is_counted(secretary, mailoutbox):
    secretary.email = "sekretarz@poczta.example"
    secretary.save()
    browser = Client()
    for _again in range(8):
        post(browser, "secretary", "forgotten")
    for address in range(60):
        wrong(1, address=f"203.0.113.{address}")
    browser.post(reverse("account_reset_password"), {"email": secretary.email})
    link = re.search(r"https?://testserver(/\S+)", mailoutbox[0].body)[1]
    form = browser.get(link, follow=True)
    new = {"password1": "a-long-new-word", "password2": "a-long-new-word"}
    assert browser.post(form.redirect_chain[-1][0], new).status_code == 302
    for address in range(60, 120):
        wrong(1, address=f"203.0.113.{address}")
    wrong(9, address=HERE)
    post(browser, "secretary", "a-long-new-word", HERE)
    assert is_in(browser)


def test_others_who_ask_for_reset_links_do_not_keep_the_owner_from_it(secretary, mailoutbox):
    """Strangers may have some sent; the owner who asks next is not refused, and has one that works."""
    secretary.email = "sekretarz@poczta.example"
    secretary.save()
    for address in range(30):
        Client().post(
            reverse("account_reset_password"),
            {"email": secretary.email},
            headers={"X-Forwarded-For": f"203.0.113.{address}"},
        )
    assert len(mailoutbox) == 5, "nobody's mailbox is filled"
    answer = Client().post(reverse("account_reset_password"), {"email": secretary.email})
    assert answer.status_code == 302
    assert answer.url == reverse("account_reset_password_done")


def test_a_known_device_of_one_is_a_strange_one_for_another(secretary):
    make_user("arbiter")
    known = Client()
    post(known, "arbiter", "arbiter")
    known.post(reverse("account_logout"))
    answer = wrong(6, browser=known)
    assert "Too many failed attempts" in answer.text


def test_a_device_that_a_whole_club_signs_in_on_knows_the_last_twenty():
    request = RequestFactory().get("/")
    for user_id in range(1, known_devices.MAX_ACCOUNTS_PER_DEVICE + 2):
        response = HttpResponse()
        known_devices.remember_device(request, response, user_id)
        request.COOKIES["device"] = response.cookies["device"].value
    known = [user_id for user_id in range(30) if known_devices.known_device_token(request, user_id)]
    assert known == [*range(2, known_devices.MAX_ACCOUNTS_PER_DEVICE + 2)]


def test_a_device_that_says_it_is_known_is_not(secretary):
    browser = Client()
    browser.cookies["device"] = '{"1": "x"}'
    assert "Too many failed attempts" in wrong(6, browser=browser).text


def test_guessing_on_a_known_device_is_slowed_down_too(secretary):
    known = Client()
    post(known, "secretary", "secretary")
    known.post(reverse("account_logout"))
    assert "Too many failed attempts" in wrong(6, browser=known).text


def test_name_and_address_count_together(secretary):
    secretary.email = "sekretarz@poczta.example"
    secretary.save()
    wrong(3)
    assert "Too many failed attempts" in wrong(3, name="Sekretarz@poczta.example").text


def test_whoever_is_not_known_here_is_slowed_down_alike():
    assert "Too many failed attempts" in wrong(6, name="nobody").text


def test_trying_one_password_on_many_names_is_slowed_down():
    for number in range(51):
        answer = wrong(1, name=f"name{number}")
    assert "Too many failed attempts" in answer.text


def test_a_reset_by_mail_always_works(secretary, mailoutbox):
    secretary.email = "sekretarz@poczta.example"
    secretary.save()
    wrong(30)
    Client().post(reverse("account_reset_password"), {"email": secretary.email}, headers={"X-Forwarded-For": HERE})
    assert len(mailoutbox) == 1


def test_a_signed_in_session_confirms_its_password_whatever_others_try(secretary):
    browser = Client()
    browser.force_login(secretary)
    for address in range(60):
        wrong(1, address=f"203.0.113.{address}")
    answer = browser.post(reverse("account_reauthenticate"), {"password": "secretary"})
    assert answer.status_code == 302


def test_success_begins_anew_but_not_for_what_the_address_tried_wrongly():
    counts = sign_in_limits("7", HERE, None)
    for _ in range(4):
        record_attempt(counts)
    record_success(counts)
    kept = SignInAttempts.objects.get()
    assert kept.failures == 3
    assert kept.key == counts[2].hashed_key


def test_a_club_that_signs_in_from_one_address_is_not_slowed_down():
    for number in range(120):
        counts = sign_in_limits(str(number), HERE, None)
        record_attempt(counts)
        record_success(counts)
    assert SignInAttempts.objects.get().failures == 0


def test_waits_grow_and_stay_short():
    counts = sign_in_limits("7", HERE, None)
    waits = []
    for _ in range(14):
        try:
            record_attempt(counts)
        except TooManyAttempts as wait:
            waits.append(wait.seconds)
            later(timedelta(seconds=wait.seconds))
            record_attempt(counts)
    assert waits == sorted(waits)
    assert waits[0] <= 3
    assert waits[-1] <= MAX_WAIT.total_seconds() + 1
    later(FAILURES_EXPIRE_AFTER + timedelta(minutes=1))
    record_attempt(counts)
    assert set(SignInAttempts.objects.values_list("failures", flat=True)) == {1}


def test_a_try_that_has_to_wait_is_not_counted():
    counts = sign_in_limits("7", HERE, None)
    for _ in range(5):
        record_attempt(counts)
    with pytest.raises(TooManyAttempts):
        record_attempt(counts)
    with pytest.raises(TooManyAttempts):
        record_attempt(counts)
    assert SignInAttempts.objects.get(key=counts[0].hashed_key).failures == 5


def test_names_of_any_length_are_refused_and_not_fallen_over(secretary):
    assert post(Client(), "a" * 5000, "guess").status_code == 200
    # A NUL is refused before anything reads the form, as everywhere (config.middleware.unreadable_requests).
    assert post(Client(), "a\x00b", "guess").status_code == 400


# -- Where a request comes from --------------------------------------------------------------------------------------


def asked(remote: str, forwarded: str = "") -> str:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers))


@pytest.mark.parametrize(
    ("remote", "forwarded", "found"),
    [
        (THERE, "", THERE),
        (THERE, HERE, THERE),  # A stranger can send any header.
        ("127.0.0.1", HERE, HERE),
        ("127.0.0.1", f"{HERE}, {THERE}", THERE),  # The stranger may have invented all earlier addresses.
        ("127.0.0.1", f"{THERE}, 127.0.0.1", THERE),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", f"{HERE}:4711", HERE),
        ("::1", "2001:db8::7", "2001:db8::7"),
        ("127.0.0.1", f"::ffff:{HERE}", HERE),
        ("", HERE, HERE),  # Through a Unix socket of this machine.
    ],
)
def test_the_real_address(remote, forwarded, found):
    assert asked(remote, forwarded) == found


def test_networks_of_proxies(settings):
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    assert asked("10.1.2.3", HERE) == HERE
    assert asked("127.0.0.1", HERE) == "127.0.0.1"


def test_a_household_is_one_place():
    assert network_of_address("2001:db8:1:2:3::4") == network_of_address("2001:db8:1:2:ffff::") == "2001:db8:1:2::/64"
    assert network_of_address(HERE) == HERE
