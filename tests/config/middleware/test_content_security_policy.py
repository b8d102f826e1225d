"""The security headers of the application's pages."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from config.middleware.content_security_policy import content_security_policy

pytestmark = pytest.mark.django_db


def sent(response: HttpResponse) -> str:
    answered = content_security_policy(lambda _request: response)
    return answered(RequestFactory().get("/")).headers.get("Content-Security-Policy", "")


def test_a_page_may_not_run_or_load_what_is_not_a_file_of_ours():
    policy = Client().get(reverse("home")).headers["Content-Security-Policy"]
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == "'self'"
    assert directives["object-src"] == directives["base-uri"] == "'none'"
    assert directives["frame-ancestors"] == directives["form-action"] == "'self'"
    assert "script-src" not in directives
    assert "style-src" not in directives
    assert "unsafe" not in policy


def test_an_error_page_has_the_policy_too(settings):
    settings.DEBUG = False
    assert "default-src" in Client().get("/no-such-club/").headers["Content-Security-Policy"]


def test_djangos_own_pages_of_debugging_are_left_alone(settings):
    settings.DEBUG = True
    assert sent(HttpResponse(status=500)) == sent(HttpResponse(status=404)) == ""
    assert sent(HttpResponse(status=403)) != ""


def test_papers_are_left_to_the_browsers_own_viewer():
    assert sent(HttpResponse(b"%PDF-", content_type="application/pdf")) == ""


def test_where_pages_listen_for_news_is_allowed(settings):
    settings.SECURE_CSP = {"connect-src": ["'self'", "https://chess.example.org"]}
    assert sent(HttpResponse()) == "connect-src 'self' https://chess.example.org"


@pytest.mark.parametrize("name", ["account_login", "colour_scheme_set", "language_set"])
@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example"]
)
def test_nobody_is_sent_away_by_what_an_address_says(name: str, elsewhere: str, django_user_model):
    django_user_model.objects.create_user("arbiter", password="arbiter")
    more = {"login": "arbiter", "password": "arbiter", "language": "pl"}
    answer = Client().post(reverse(name), {"next": elsewhere, **more})
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/"


def test_a_session_from_before_signing_in_is_no_use_after_it(django_user_model):
    django_user_model.objects.create_user("arbiter", password="arbiter")
    browser = Client()
    browser.session.save()
    before = browser.cookies["sessionid"].value
    browser.post(reverse("account_login"), {"login": "arbiter", "password": "arbiter"})
    cookie = browser.cookies["sessionid"]
    assert cookie.value != before
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
