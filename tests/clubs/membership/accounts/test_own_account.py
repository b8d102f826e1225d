"""The user's own account: password, email address, sessions."""

from __future__ import annotations

import re

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.admin.sites import site
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from clubs.models import Membership, Role, User
from tests.factories import make_club, make_user

pytestmark = pytest.mark.django_db

NEW = "a night at the club"


@pytest.fixture(autouse=True)
def nothing_was_asked_before() -> None:
    """Clear the cache, in which the library counts uses by keys that users of other tests had too."""
    cache.clear()


@pytest.fixture
def user() -> User:
    user = make_user("sabina")
    user.email = "sabina@poczta.example"
    user.save()
    return user


def signed_in(password: str = "sabina") -> Client:  # noqa: S107
    browser = Client()
    browser.post(reverse("account_login"), {"login": "sabina", "password": password})
    return browser


def is_in(browser: Client) -> bool:
    return browser.get(reverse("own_account")).status_code == 200


def link_in(letter) -> str:
    return re.search(r"http://testserver(/\S+)", letter.body).group(1)


@pytest.mark.parametrize("password", ["12345678", "password", "short", "sabina@poczta"])
def test_passwords_that_anybody_guesses_are_refused(user, password):
    browser = signed_in()
    sent = {"oldpassword": "sabina", "password1": password, "password2": password}
    assert browser.post(reverse("account_change_password"), sent).status_code == 200
    user.refresh_from_db()
    assert user.check_password("sabina")


def test_the_present_password_is_asked_for(user):
    answer = signed_in().post(
        reverse("account_change_password"), {"oldpassword": "wrong", "password1": NEW, "password2": NEW}
    )
    assert "your current password" in answer.text


def test_a_changed_password_signs_all_others_out_and_is_told(user, mailoutbox):
    here, there = signed_in(), signed_in()
    here.post(reverse("account_change_password"), {"oldpassword": "sabina", "password1": NEW, "password2": NEW})
    assert is_in(here)
    assert not is_in(there)
    assert mailoutbox[0].to == [user.email]
    assert "changed" in mailoutbox[0].subject


def test_a_forgotten_password(user, mailoutbox):
    Client().post(reverse("account_reset_password"), {"email": "Sabina@poczta.example"})
    address = link_in(mailoutbox[0])
    browser = Client()
    form = browser.get(address, follow=True)
    browser.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    assert is_in(signed_in(NEW))
    again = Client().get(address, follow=True)
    assert "This link has expired" in again.text


def test_a_stranger_learns_nothing_of_who_has_a_log_in(user, mailoutbox):
    known = Client().post(reverse("account_reset_password"), {"email": user.email}, follow=True)
    unknown = Client().post(reverse("account_reset_password"), {"email": "nobody@poczta.example"}, follow=True)
    assert known.text.replace("x", "") == unknown.text.replace("x", "") or known.status_code == unknown.status_code
    assert known.redirect_chain == unknown.redirect_chain
    assert len(mailoutbox) == 1


def test_a_new_address_holds_once_its_owner_says_so(user, mailoutbox):
    browser = signed_in()
    page = reverse("account_email")
    answer = browser.post(page, {"email": "new@poczta.example", "action_add": "1"})
    assert answer.headers["Location"].startswith(reverse("account_reauthenticate")), (
        "the password is asked for once more"
    )
    assert mailoutbox == []
    browser.post(reverse("account_reauthenticate"), {"password": "sabina", "next": page})
    user.refresh_from_db()
    assert user.email == "sabina@poczta.example"
    letter = next(each for each in mailoutbox if each.to == ["new@poczta.example"])
    address = link_in(letter)
    assert "as the email address of" in browser.get(address).text
    user.refresh_from_db()
    assert user.email == "sabina@poczta.example", "opening the link changes nothing yet"
    browser.post(address)
    user.refresh_from_db()
    assert user.email == "new@poczta.example"
    assert any(each.to == ["sabina@poczta.example"] for each in mailoutbox), "the old address is told"


def test_signed_out_everywhere_else(user):
    here, there = signed_in(), signed_in()
    assert UserSession.objects.count() == 2
    assert here.get(reverse("usersessions_list")).text.count("127.0.0.1") == 2
    here.post(reverse("usersessions_list"))
    assert is_in(here)
    assert not is_in(there)


def test_signing_up_is_by_invitation():
    make_user("somebody")
    answer = Client().post(reverse("account_signup"), {"username": "x", "password1": NEW, "password2": NEW})
    assert "By invitation only" in answer.text
    assert User.objects.count() == 1


def test_the_administration_has_no_sign_in_of_its_own(user):
    """The admin's own form would skip the second factor and the throttling."""
    answer = Client().post(reverse("admin:login"), {"username": "sabina", "password": "sabina"})
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(reverse("account_login"))
    assert site.login.__name__


def test_ones_name(user):
    browser = signed_in()
    browser.post(reverse("own_account"), {"first_name": "Sabina", "last_name": "Zmyślona"})
    assert "Sabina Zmyślona" in browser.get("/", follow=True).text


@pytest.mark.parametrize(("clubs", "leads"), [(0, "/"), (1, "/klub-0/"), (2, "/")])
def test_signing_in_without_a_page_leads_to_the_only_club(user, clubs, leads):
    for number in range(clubs):
        club = make_club(f"klub-{number}")
        for role in (Role.ARBITER, Role.TREASURER):
            Membership.objects.create(user=user, club=club, role=role)
    answer = Client().post(reverse("account_login"), {"login": "sabina", "password": "sabina"})
    assert answer.headers["Location"] == leads


def test_a_forged_port_is_not_in_the_link_of_a_reset_letter(db, settings, mailoutbox):
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["chess.example.org"]
    user = make_user("secretary")
    user.email = "sekretarz@poczta.example"
    user.save()
    Client().post(
        reverse("account_reset_password"),
        {"email": user.email},
        secure=True,
        headers={"Host": "chess.example.org:6666"},
    )
    assert "https://chess.example.org/account/password/" in mailoutbox[0].body
    assert "6666" not in mailoutbox[0].body
