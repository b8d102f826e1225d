"""The page of tokens: for the secretary alone, shown once, revoked at once."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Role, User
from common.emails.outbox import create_sending_job, send_due_emails
from common.jobs.queue import run_job
from pairing.models import ApiToken
from pairing.public.api_tokens import tokens
from pairing.public.api_tokens.tokens import create_token, find_token, record_use, revoke_token
from tests.factories import make_event, make_user
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast

pytestmark = [pytest.mark.django_db]
made_once, cast = make_module_fixtures(make_cast)


def address(cast: Cast) -> str:
    return reverse("club_api_tokens", args=[cast.club.slug])


def sent(**more: Any) -> dict[str, Any]:
    return {"name": "Results bot", "scopes": ["results:write"], "tournament": "", "lifetime": "90"} | more


def created(cast: Cast, **more: Any) -> tuple[ApiToken, str]:
    wanted: dict[str, Any] = {"name": "bot", "scopes": ["read"], "tournament": None, "expires_at": None}
    return create_token(cast.club, **wanted | more, by=cast.secretary, site="https://chess.example/")


@pytest.mark.parametrize("who", ["arbiter", "treasurer", "member", "neighbour"])
def test_only_the_secretary_makes_tokens(cast, who):
    from clubs.models import Role
    from tests.factories import make_user

    if who == "treasurer":
        make_user("treasurer", cast.club, Role.TREASURER)
    assert cast.browser(who).post(address(cast), sent()).status_code in (403, 404)
    assert not ApiToken.objects.exists()


def test_a_token_is_shown_once_and_stored_as_a_hash(cast):
    browser = cast.browser("secretary")
    assert "No tokens yet" in unescape(browser.get(address(cast)).content.decode())
    answer = browser.post(address(cast), sent(tournament=str(cast.event.pk)))
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    (text,) = re.findall(r"clubnight_[\w-]{43}", answer.content.decode())
    token = ApiToken.objects.get()
    assert find_token(text) == token
    assert (token.scopes, token.tournament, token.created_by) == (["results:write"], cast.event, cast.secretary)
    assert timedelta(days=89) < token.expires_at - timezone.now() <= timedelta(days=90)
    assert text not in str(list(ApiToken.objects.values()))
    again = browser.get(address(cast)).content.decode()
    assert "Results bot" in again
    assert "clubnight_" not in again


def test_a_form_sent_twice_makes_one_token(cast):
    browser = cast.browser("secretary")
    assert [browser.post(address(cast), sent()).status_code for _n in range(2)] == [200, 422]
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(
    "more",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"name": "Results\u202ebot"},
        {"name": "Results\u200bbot"},
        {"name": "Results\x07bot"},
        {"lifetime": ""},
        {"scopes": []},
        {"scopes": ["everything"]},
        {"lifetime": "99999"},
        {"tournament": "999999"},
    ],
)
def test_a_wrong_form_makes_none(cast, more):
    answer = cast.browser("secretary").post(address(cast), sent(**more))
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_another_clubs_event_is_not_offered(cast):
    other = make_event(Club.objects.get(slug="elsewhere"))
    assert cast.browser("secretary").post(address(cast), sent(tournament=str(other.pk))).status_code == 422


def test_a_revoked_token_stays_on_the_page_with_who_revoked_it(cast):
    token, text = created(cast)
    revoke = reverse("club_api_token_revoke", args=[cast.club.slug, token.pk])
    for _n in range(2):
        assert cast.browser("secretary").post(revoke).status_code == 302
    token = find_token(text)
    assert (token.is_valid, token.revoked_by) == (False, cast.secretary)
    page = unescape(cast.browser("secretary").get(address(cast)).content.decode())
    assert "Revoked tokens" in page
    # The name is free again.
    assert created(cast)[0].is_valid


def test_another_clubs_token_is_not_revoked(cast):
    token, _text = created(cast)
    revoke = reverse("club_api_token_revoke", args=["elsewhere", token.pk])
    assert cast.browser("neighbour").post(revoke).status_code == 404
    assert ApiToken.objects.get().is_valid


def test_a_club_has_only_so_many(cast, monkeypatch):
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    created(cast, name="first")
    answer = cast.browser("secretary").post(address(cast), sent())
    assert answer.status_code == 422
    assert ApiToken.objects.count() == 1


def test_its_use_is_written_at_most_once_a_minute(cast, django_assert_num_queries):
    token, _text = created(cast)
    record_use(token)
    token.refresh_from_db()
    used = token.last_used_at
    with django_assert_num_queries(0):
        record_use(token)
    assert used is not None
    assert not ApiToken.objects.exclude(last_used_at=used).exists()


def test_an_expired_token_is_not_valid(cast):
    token, _text = created(cast, expires_at=timezone.now())
    assert (token.is_valid, token.is_expired) == (False, True)
    revoke_token(token, by=cast.secretary)
    assert "expired" not in cast.browser("visitor").get(address(cast)).content.decode()


def test_a_token_that_changes_something_and_never_expires_is_refused(cast):
    """The form makes none. One from elsewhere, such as an old database, counts as expired."""
    token, _text = created(cast, scopes=["read", "results:write"], expires_at=None)
    assert (token.is_valid, token.is_expired) == (False, True)
    assert "expired" in cast.browser("secretary").get(address(cast)).content.decode()


def test_all_secretaries_get_an_email_about_a_new_token(cast, settings):
    """Also the one who made it: somebody else may be using their account."""
    settings.EMAIL_HOST = "mail.example"
    other = make_user("other", cast.club, Role.SECRETARY)
    for user in (cast.secretary, other):
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@chess.example")
    assert cast.browser("secretary").post(address(cast), sent()).status_code == 200
    assert cast.browser("secretary").post(address(cast), sent()).status_code == 422
    run_job(create_sending_job().pk, send_due_emails)
    (email,) = mail.outbox
    assert email.to == ["other@chess.example", "secretary@chess.example"]
    assert "secretary created the API token “Results bot”" in email.body
    assert f"http://testserver{address(cast)}" in email.body
    assert "clubnight_" not in email.body


def test_a_token_that_only_reads_can_last_forever(cast):
    assert cast.browser("secretary").post(address(cast), sent(scopes=["read"], lifetime="")).status_code == 200
    assert ApiToken.objects.get().expires_at is None


def test_expired_tokens_leave_room_for_others(cast, monkeypatch):
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    created(cast, name="old", expires_at=timezone.now())
    assert created(cast, name="new")[0].is_valid


def test_the_page_marks_tokens_of_somebody_who_is_no_longer_an_officer(cast):
    created(cast)
    assert "no longer an officer" not in cast.browser("secretary").get(address(cast)).content.decode()
    ApiToken.objects.update(created_by=make_user("former"))
    assert "no longer an officer" in cast.browser("secretary").get(address(cast)).content.decode()


def test_two_secretaries_cannot_exceed_the_limit_at_the_same_moment(cast, monkeypatch):
    """The club's row is locked before its tokens are counted."""
    locked: list[Any] = []
    monkeypatch.setattr(tokens, "lock_row", lambda _rows, key: locked.append((key, ApiToken.objects.count())))
    created(cast)
    assert locked == [(cast.club.pk, 0)]
