"""The pages of webhooks: for the secretary alone, with the latest messages, a test, and a pause."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from common.emails.outbox import create_sending_job, send_due_emails
from common.jobs.queue import run_job
from pairing.models import Webhook, WebhookDelivery
from pairing.public.webhooks import queue, views
from pairing.public.webhooks.delivery import deliver_webhooks
from pairing.public.webhooks.queue import new_message
from pairing.public.webhooks.signatures import new_salt, secret_of_webhook
from tests.factories import make_user
from tests.module_fixtures import make_module_fixtures
from tests.pairing.public.webhooks.test_sending import Receiver, receiver
from tests.scenario import Cast, make_cast

__all__ = ["receiver"]
pytestmark = [pytest.mark.django_db]
made_once, cast = make_module_fixtures(make_cast)
URL = "https://bot.example.org/hook"


def hook(cast: Cast, **more: Any) -> Webhook:
    wanted = {"url": URL, "topics": ["rounds"], "salt": new_salt(), "site": "https://chess.example/"}
    return Webhook.objects.create(club=cast.club, **wanted | more)


def page(cast: Cast, name: str, *more: int, club: str = "") -> str:
    return reverse(name, args=[club or cast.club.slug, *more])


@pytest.fixture(autouse=True)
def no_tests_yet(monkeypatch) -> None:
    """The job runs in the test itself: in its transaction, no other thread would see the message."""
    cache.clear()
    monkeypatch.setattr(views, "wait_for_job", lambda job, _seconds: run_job(job.pk, deliver_webhooks))


ALL: tuple[tuple[str, dict[str, Any]], ...] = (
    ("webhook_detail", {"url": URL, "topics": ["results"]}),
    ("webhook_test", {}),
    ("webhook_pause", {"do": "pause"}),
    ("webhook_secret_renew", {}),
    ("webhook_delete", {}),
)


@pytest.mark.parametrize(("name", "sent"), ALL)
def test_another_clubs_secretary_finds_nothing_and_an_arbiter_may_not(cast, name, sent):
    webhook = hook(cast)
    before = Webhook.objects.values().get()
    assert cast.browser("neighbour").post(page(cast, name, webhook.pk, club="elsewhere"), sent).status_code == 404
    assert cast.browser("neighbour").post(page(cast, name, webhook.pk), sent).status_code == 404
    assert cast.browser("arbiter").post(page(cast, name, webhook.pk), sent).status_code == 403
    assert Webhook.objects.values().get() == before
    assert not WebhookDelivery.objects.exists()


def test_a_webhook_is_added_once(cast):
    browser = cast.browser("secretary")
    empty = unescape(browser.get(page(cast, "webhook_list")).content.decode())
    assert "Your webhooks" not in empty
    assert f'"club": "{cast.club.slug}"' in empty, "an example"
    sent = {"url": URL, "topics": ["rounds", "standings"]}
    answer = browser.post(page(cast, "webhook_list"), sent)
    webhook = Webhook.objects.get()
    assert (answer.status_code, answer.url) == (302, page(cast, "webhook_detail", webhook.pk))
    assert (webhook.topics, webhook.site, webhook.created_by) == (
        ["rounds", "standings"],
        "http://testserver/",
        cast.secretary,
    )
    assert browser.post(page(cast, "webhook_list"), sent).status_code == 422
    assert Webhook.objects.count() == 1
    shown = browser.get(page(cast, "webhook_detail", webhook.pk))
    assert secret_of_webhook(webhook) in unescape(shown.content.decode())
    assert "no-store" in shown.headers["Cache-Control"]


@pytest.mark.parametrize(
    "sent",
    [
        {"url": "http://bot.example.org/"},
        {"url": "https://127.0.0.1/"},
        {"url": "https://[::ffff:127.0.0.1]/"},
        {"url": "https://localhost/"},
        {"url": "https://bot.example.org:22/"},
        {"url": "https://bot.example.org/" + "x" * 500},
        {"url": ""},
        {"topics": []},
        {"topics": ["everything"]},
    ],
)
def test_a_wrong_form_changes_nothing(cast, sent):
    webhook = hook(cast)
    before, wanted = Webhook.objects.values().get(), {"url": "https://new.example.org/", "topics": ["rounds"]}
    browser = cast.browser("secretary")
    assert browser.post(page(cast, "webhook_list"), wanted | sent).status_code == 422
    assert browser.post(page(cast, "webhook_detail", webhook.pk), wanted | sent).status_code == 422
    assert Webhook.objects.values().get() == before


def test_its_address_and_topics_are_changed(cast):
    webhook = hook(cast)
    sent = {"url": "https://new.example.org/", "topics": ["results"]}
    assert cast.browser("secretary").post(page(cast, "webhook_detail", webhook.pk), sent).status_code == 302
    webhook.refresh_from_db()
    assert (webhook.url, webhook.topics) == ("https://new.example.org/", ["results"])


def test_the_secretaries_get_an_email_about_a_new_webhook_and_one_that_moves(cast, settings):
    """A pause does not take the email back."""
    settings.EMAIL_HOST = "mail.example"
    User.objects.filter(pk=cast.secretary.pk).update(email="secretary@chess.example")
    browser = cast.browser("secretary")
    browser.post(page(cast, "webhook_list"), {"url": URL, "topics": ["rounds"]})
    webhook = Webhook.objects.get()
    for sent in ({"do": "pause"}, {"do": "start"}):
        browser.post(page(cast, "webhook_pause", webhook.pk), sent)
    run_job(create_sending_job().pk, send_due_emails)
    urls = (f"{URL}/other", "https://new.example.org/")
    for url in urls:
        browser.post(page(cast, "webhook_detail", webhook.pk), {"url": url, "topics": ["rounds"]})
        run_job(create_sending_job().pk, send_due_emails)
    assert [email.to for email in mail.outbox] == [["secretary@chess.example"]] * 3
    for email, url in zip(mail.outbox, (URL, *urls), strict=True):
        assert f"secretary added a webhook. Messages about your events now go to {url}." in email.body
        assert f"http://testserver{page(cast, 'webhook_detail', webhook.pk)}" in email.body


def test_a_club_has_only_so_many(cast, monkeypatch):
    monkeypatch.setattr(views, "MAX_WEBHOOKS", 1)
    hook(cast)
    sent = {"url": "https://new.example.org/", "topics": ["rounds"]}
    assert cast.browser("secretary").post(page(cast, "webhook_list"), sent).status_code == 422
    assert Webhook.objects.count() == 1


def test_a_test_is_sent_and_its_answer_shown(cast, receiver: Receiver):
    webhook, browser = hook(cast, url=f"{receiver.origin}/hook"), cast.browser("secretary")
    receiver.answers = [200, 302]
    shown = browser.post(page(cast, "webhook_test", webhook.pk), follow=True).content.decode()
    assert "The test was delivered." in shown
    shown = unescape(browser.post(page(cast, "webhook_test", webhook.pk), follow=True).content.decode())
    assert "302" in shown
    assert "Redirects aren't followed." in shown
    assert len(receiver.taken) == 2


def test_tests_have_a_limit(cast, receiver: Receiver, monkeypatch):
    monkeypatch.setattr(views, "MAX_TESTS_PER_MINUTE", 2)
    webhook, browser = hook(cast, url=f"{receiver.origin}/hook"), cast.browser("secretary")
    for _n in range(4):
        browser.post(page(cast, "webhook_test", webhook.pk))
    assert len(receiver.taken) == 2


def test_a_paused_webhook_sends_no_test_and_starts_again(cast, receiver: Receiver):
    webhook, browser = hook(cast, url=f"{receiver.origin}/hook"), cast.browser("secretary")
    browser.post(page(cast, "webhook_pause", webhook.pk), {"do": "pause"})
    assert "paused" in browser.get(page(cast, "webhook_list")).content.decode()
    browser.post(page(cast, "webhook_test", webhook.pk))
    assert receiver.taken == []
    browser.post(page(cast, "webhook_pause", webhook.pk), {"do": "start"})
    webhook.refresh_from_db()
    assert webhook.is_active


def test_a_stopped_webhook_says_so_and_starts_again(cast):
    webhook, browser = hook(cast, stopped_at=timezone.now(), failing_since=timezone.now()), cast.browser("secretary")
    assert "We stopped this webhook" in browser.get(page(cast, "webhook_detail", webhook.pk)).content.decode()
    browser.post(page(cast, "webhook_pause", webhook.pk), {"do": "start"})
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.failing_since) == (True, None)


def test_a_new_secret_ends_the_old_one(cast):
    webhook = hook(cast)
    old = secret_of_webhook(webhook)
    cast.browser("secretary").post(page(cast, "webhook_secret_renew", webhook.pk))
    webhook.refresh_from_db()
    assert secret_of_webhook(webhook) != old


def test_it_is_deleted_with_its_messages(cast):
    webhook = hook(cast)
    new_message(webhook, "test", at=timezone.now(), data={}).save()
    cast.browser("secretary").post(page(cast, "webhook_delete", webhook.pk))
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()


def test_tests_of_all_webhooks_share_the_clubs_limit(cast, receiver: Receiver, monkeypatch):
    monkeypatch.setattr(views, "MAX_TESTS_PER_MINUTE", 2)
    browser = cast.browser("secretary")
    for number in range(4):
        browser.post(page(cast, "webhook_test", hook(cast, url=f"{receiver.origin}/{number}").pk))
    assert len(receiver.taken) == 2
    # A page must not keep a web process for long.
    assert views.SECONDS_TO_WAIT <= 1


def test_another_server_gets_another_secret_and_no_earlier_messages(cast):
    webhook, browser = hook(cast), cast.browser("secretary")
    new_message(webhook, "round.published", at=timezone.now(), data={}).save()
    address, secret = page(cast, "webhook_detail", webhook.pk), secret_of_webhook(webhook)
    browser.post(address, {"url": URL + "/v2", "topics": ["results"]})
    webhook.refresh_from_db()
    assert (secret_of_webhook(webhook), webhook.deliveries.get().state) == (secret, "waiting")
    shown = browser.post(address, {"url": "https://new.example.org/", "topics": ["results"]}, follow=True)
    webhook.refresh_from_db()
    assert secret_of_webhook(webhook) != secret
    assert webhook.deliveries.get().state == "failed"
    assert "The new address has a new secret" in shown.content.decode()


def test_an_address_that_was_added_in_the_meantime_is_not_saved_twice(cast, monkeypatch):
    webhook = hook(cast, url="https://old.example.org/")
    hook(cast)
    monkeypatch.setattr(views.WebhookForm, "clean_url", lambda form: form.cleaned_data["url"])
    answer = cast.browser("secretary").post(
        page(cast, "webhook_detail", webhook.pk), {"url": URL, "topics": ["rounds"]}
    )
    assert answer.status_code == 422
    assert secret_of_webhook(Webhook.objects.get(pk=webhook.pk)) in unescape(answer.content.decode())
    assert "You already have a webhook with this address." in unescape(answer.content.decode())


def test_the_page_says_when_too_many_messages_wait(cast, monkeypatch):
    monkeypatch.setattr(queue, "MAX_WAITING", 1)
    webhook, browser = hook(cast), cast.browser("secretary")
    assert "messages are waiting" not in browser.get(page(cast, "webhook_detail", webhook.pk)).content.decode()
    new_message(webhook, "round.published", at=timezone.now(), data={}).save()
    assert "messages are waiting" in browser.get(page(cast, "webhook_detail", webhook.pk)).content.decode()


def test_the_page_says_if_its_creator_is_no_longer_an_officer(cast):
    webhook, browser = hook(cast, created_by=cast.secretary), cast.browser("secretary")
    assert "no longer an officer" not in browser.get(page(cast, "webhook_detail", webhook.pk)).content.decode()
    Webhook.objects.update(created_by=make_user("former"))
    assert "no longer an officer" in browser.get(page(cast, "webhook_detail", webhook.pk)).content.decode()


def test_two_secretaries_cannot_exceed_the_limit_at_the_same_moment(cast, monkeypatch):
    """The club's row is locked before its webhooks are counted."""
    locked: list[Any] = []
    monkeypatch.setattr(views, "lock_row", lambda _rows, key: locked.append((key, Webhook.objects.count())))
    cast.browser("secretary").post(page(cast, "webhook_list"), {"url": URL, "topics": ["rounds"]})
    assert locked == [(cast.club.pk, 0)]
