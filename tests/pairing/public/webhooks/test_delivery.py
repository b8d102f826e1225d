"""Messages about what happens: saved with the change, sent at least once, tried again, given up, and stopped."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils import timezone

from clubs.models import Club, User
from common.emails.outbox import create_sending_job, send_due_emails
from common.jobs.queue import create_job, run_job
from common.models import Job
from common.schedule.due_tasks import start_due_tasks
from pairing.models import Webhook, WebhookDelivery
from pairing.public.webhooks import delivery, queue
from pairing.public.webhooks.delivery import GIVE_UP_AFTER, RETRY_PAUSES, STOP_AFTER, deliver_webhooks
from pairing.public.webhooks.queue import DELIVER_TASK, enqueue_delivery, is_delivery_due, new_message
from pairing.public.webhooks.signatures import new_salt, secret_of_webhook
from tests.factories import draft_of, played, published
from tests.module_fixtures import make_module_fixtures
from tests.pairing.public.webhooks.test_sending import Receiver, is_signed, receiver
from tests.scenario import Cast, make_cast
from tournaments.models import Game, Round
from tournaments.results.recording import correct_result, enter_result, finish_round

__all__ = ["receiver"]
pytestmark = [pytest.mark.django_db]
made_once, cast = make_module_fixtures(make_cast)
State = WebhookDelivery.State


def hook(cast: Cast, url: str = "https://bot.example.org/", **more: Any) -> Webhook:
    wanted = {"topics": Webhook.Topic.values, "salt": new_salt(), "site": "https://chess.example/"}
    return Webhook.objects.create(club=more.pop("club", cast.club), url=url, **wanted | more)


def kinds(webhook: Webhook) -> list[str]:
    return list(webhook.deliveries.order_by("pk").values_list("kind", flat=True))


def run() -> None:
    job = create_job(DELIVER_TASK, by=None)
    assert run_job(job.pk, deliver_webhooks)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.DONE, "")


def evening(cast: Cast) -> Round:
    """Round 1 as officers run it, result by result."""
    this_round = published(cast.event, 1)
    for game in this_round.games.all():
        enter_result(game, Game.Result.DRAW, revision=0, by=None)
    return finish_round(this_round, by=None)


def message(webhook: Webhook) -> WebhookDelivery:
    row = new_message(webhook, "round.published", at=timezone.now(), data={})
    row.save()
    return row


def let_pass(pause: timedelta) -> None:
    """Make it as if this time had passed."""
    for row in WebhookDelivery.objects.all():
        row.due_at, row.created_at = row.due_at - pause, row.created_at - pause
        row.save()
    for webhook in Webhook.objects.all():
        if webhook.failing_since is not None:
            webhook.failing_since -= pause
            webhook.save()


# -- What is told -----------------------------------------------------------------------------------------------------


def test_an_evening_is_told_with_links_and_to_its_own_club_alone(cast):
    webhook, other = hook(cast), hook(cast, club=Club.objects.get(slug="elsewhere"))
    few = hook(cast, "https://few.example.org/", topics=["standings"])
    evening(cast)
    assert kinds(webhook) == ["round.published", *["result.entered"] * 3, "standings.changed"]
    assert kinds(few) == ["standings.changed"]
    assert kinds(other) == []
    first, second, *_more, last = (json.loads(each.body) for each in webhook.deliveries.order_by("pk"))
    address = f"https://chess.example/api/v1/clubs/{cast.club.slug}/{cast.event.slug}/"
    assert first["data"] | {"sequence": 0} == {
        "club": cast.club.slug,
        "event": cast.event.slug,
        "sequence": 0,
        "round": 1,
        "version": 1,
        "url": f"{address}rounds/1/",
    }
    assert (second["data"]["board"], last["data"]["url"]) == (1, f"{address}standings/")
    assert first["data"]["sequence"] < second["data"]["sequence"] < last["data"]["sequence"]
    assert Client().get(first["data"]["url"].removeprefix("https://chess.example")).status_code == 200
    names = [entry.name for entry in cast.event.entries.all()]
    assert not any(name in each.body for each in webhook.deliveries.all() for name in names)


def test_a_correction_changes_the_standings(cast):
    played(cast.event, 1)
    webhook = hook(cast)
    game = cast.round(1).games.get(board=1)
    correct_result(game, "0-1" if game.result != "0-1" else "1-0", revision=game.revision, by=None)
    assert kinds(webhook) == ["result.corrected", "standings.changed"]


def test_a_draft_is_not_told(cast):
    webhook = hook(cast)
    draft_of(cast.event, 1)
    assert kinds(webhook) == []


@pytest.mark.parametrize("more", [{"is_paused": True}, {"stopped_at": timezone.now()}])
def test_a_webhook_that_is_off_is_told_nothing(cast, more):
    webhook = hook(cast, **more)
    evening(cast)
    assert kinds(webhook) == []


def test_what_did_not_happen_is_not_told(cast):
    webhook = hook(cast)
    with transaction.atomic():
        evening(cast)
        transaction.set_rollback(True)
    assert kinds(webhook) == []


def test_a_club_without_webhooks_needs_one_query_for_a_result(cast, django_assert_num_queries):
    from pairing.public.webhooks.queue import queue_messages_for_line

    line = cast.event.log.first().pk
    with django_assert_num_queries(1):
        queue_messages_for_line(line)


# -- Delivery ---------------------------------------------------------------------------------------------------------


def test_a_result_reaches_the_receiver_signed(cast, receiver: Receiver):
    webhook = hook(cast, f"{receiver.origin}/hook")
    evening(cast)
    run()
    assert [json.loads(body)["type"] for _path, _headers, body in receiver.taken] == kinds(webhook)
    for _path, headers, body in receiver.taken:
        assert is_signed(secret_of_webhook(webhook), headers, body)
        assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    assert set(webhook.deliveries.values_list("state", "status_code", "attempts")) == {("delivered", 204, 1)}
    run()
    assert len(receiver.taken) == 5
    assert not is_delivery_due()


def test_a_message_is_tried_again_with_growing_pauses_and_then_given_up(cast, receiver: Receiver):
    webhook = hook(cast, f"{receiver.origin}/hook")
    message(webhook)
    receiver.answers = [500] * 20
    for pause in RETRY_PAUSES:
        run()
        row = webhook.deliveries.get()
        assert (row.state, row.status_code) == (State.WAITING, 500)
        assert timedelta(0) <= row.due_at - row.tried_at - pause < timedelta(seconds=5)
        assert not is_delivery_due()
        let_pass(pause)
    run()
    assert webhook.deliveries.get().state == State.FAILED
    let_pass(timedelta(days=1))
    run()
    assert len(receiver.taken) == len(RETRY_PAUSES) + 1
    # Always the same message, signed anew.
    assert len({(headers["webhook-id"], body) for _path, headers, body in receiver.taken}) == 1
    webhook.refresh_from_db()
    # It has failed for less than three days.
    assert webhook.stopped_at is None


def test_others_wait_with_a_message_that_failed_and_keep_their_order(cast, receiver: Receiver):
    webhook = hook(cast, f"{receiver.origin}/hook")
    rows = [message(webhook) for _n in range(3)]
    receiver.answers = [503]
    run()
    assert len(receiver.taken) == 1
    let_pass(RETRY_PAUSES[0])
    run()
    assert [headers["webhook-id"] for _p, headers, _b in receiver.taken] == [
        rows[0].message_id,
        *(each.message_id for each in rows),
    ]
    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_new_messages_wait_with_one_that_failed_but_a_test_does_not(cast, receiver: Receiver):
    webhook = hook(cast, f"{receiver.origin}/hook")
    message(webhook)
    receiver.answers = [503]
    run()
    message(webhook)
    run()
    assert (len(receiver.taken), is_delivery_due()) == (1, False)
    test = new_message(webhook, "test", at=timezone.now(), data={})
    test.save()
    run()
    assert [headers["webhook-id"] for _p, headers, _b in receiver.taken[1:]] == [test.message_id]


def test_another_process_takes_no_message_of_a_webhook_that_is_being_sent_one(cast):
    webhook = hook(cast)
    first, _second = message(webhook), message(webhook)
    assert list(delivery._claim(())) == [first]
    assert list(delivery._claim(())) == []


def test_only_one_job_sends_and_it_ends(cast):
    message(hook(cast))
    (job,) = [each for each in start_due_tasks() if each.task == DELIVER_TASK]
    again = enqueue_delivery()
    # Jobs of one key are one while unfinished. Here, each ends at once.
    assert (again.key, again.time_limit) == (job.key, job.time_limit)
    assert job.time_limit is not None


def test_a_job_leaves_the_rest_to_the_next_one(cast, receiver: Receiver, monkeypatch):
    message(hook(cast, f"{receiver.origin}/hook"))
    with monkeypatch.context() as patch:
        patch.setattr(delivery, "RUN_SECONDS", 0)
        run()
    assert (receiver.taken, is_delivery_due()) == ([], True)
    run()
    assert len(receiver.taken) == 1


def test_the_job_is_not_created_in_the_transaction_of_the_change(cast, django_capture_on_commit_callbacks):
    hook(cast)
    jobs = Job.objects.filter(task=DELIVER_TASK)
    with django_capture_on_commit_callbacks(execute=True):
        evening(cast)
        assert not jobs.exists()
    assert jobs.exists()


def test_a_webhook_with_too_many_waiting_messages_gets_no_others(cast, monkeypatch):
    monkeypatch.setattr(queue, "MAX_WAITING", 2)
    webhook, other = hook(cast), hook(cast, "https://other.example.org/")
    message(webhook), message(webhook)
    published(cast.event, 1)
    assert (webhook.deliveries.count(), other.deliveries.count()) == (2, 1)


def test_a_webhook_that_fails_does_not_delay_another(cast, receiver: Receiver, settings):
    broken, fine = hook(cast, f"{receiver.origin}1/hook"), hook(cast, f"{receiver.origin}/hook")
    for _n in range(3):
        message(broken), message(fine)
    run()
    assert [each.state for each in fine.deliveries.all()] == [State.DELIVERED] * 3
    assert {each.state for each in broken.deliveries.all()} == {State.WAITING}


def test_a_message_that_waited_too_long_for_others_is_given_up_after_one_try(cast, receiver: Receiver):
    webhook = hook(cast, f"{receiver.origin}/hook")
    message(webhook)
    let_pass(GIVE_UP_AFTER)
    receiver.answers = [500]
    run()
    assert (webhook.deliveries.get().state, webhook.deliveries.get().attempts) == (State.FAILED, 1)


def test_a_webhook_that_fails_for_days_is_stopped_and_the_secretary_gets_an_email(cast, receiver: Receiver, settings):
    settings.EMAIL_HOST = "mail.example"
    User.objects.filter(pk=cast.secretary.pk).update(email="secretary@chess.example")
    webhook = hook(cast, f"{receiver.origin}/hook")
    message(webhook)
    receiver.answers = [500, 500]
    run()
    let_pass(STOP_AFTER)
    later = message(webhook)
    run()
    webhook.refresh_from_db()
    assert webhook.stopped_at is not None
    assert webhook.deliveries.get(pk=later.pk).state == State.FAILED
    assert not is_delivery_due()
    run_job(create_sending_job().pk, send_due_emails)
    (email,) = mail.outbox
    assert email.to == ["secretary@chess.example"]
    assert f"https://chess.example/{cast.club.slug}/settings/webhooks/{webhook.pk}/" in email.body
    run_job(create_sending_job().pk, send_due_emails)
    assert len(mail.outbox) == 1


def test_without_any_address_nobody_gets_an_email_and_others_do(cast, settings):
    settings.EMAIL_HOST = "mail.example"
    webhook = hook(cast)
    webhook.set_email_due("stopped")
    webhook.save()
    run_job(create_sending_job().pk, send_due_emails)
    webhook.refresh_from_db()
    assert (mail.outbox, webhook.email_due) == ([], "")


def test_gone_stops_it_at_once(cast, receiver: Receiver):
    webhook = hook(cast, f"{receiver.origin}/hook")
    message(webhook), message(webhook)
    receiver.answers = [410]
    run()
    webhook.refresh_from_db()
    assert webhook.stopped_at is not None
    assert len(receiver.taken) == 1


def test_a_paused_webhook_keeps_its_messages_until_it_is_started(cast, receiver: Receiver):
    webhook = hook(cast, f"{receiver.origin}/hook")
    message(webhook)
    Webhook.objects.update(is_paused=True)
    run()
    assert (receiver.taken, is_delivery_due()) == ([], False)
    Webhook.objects.update(is_paused=False)
    run()
    assert len(receiver.taken) == 1


def test_what_a_dead_process_has_claimed_is_sent_again_with_the_same_id(cast, receiver: Receiver, monkeypatch):
    """It may have been sent already: at least once, and the receiver knows it by its id."""
    webhook = hook(cast, f"{receiver.origin}/hook")
    row = message(webhook)

    def dies(_delivery: object, _answer: object) -> bool:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(delivery, "record_answer", dies)
        with pytest.raises(SystemExit):
            run()
    assert len(receiver.taken) == 1
    assert not is_delivery_due()
    Job.objects.update(state=Job.State.FAILED)
    let_pass(delivery.CLAIM_LEASE)
    run()
    assert [headers["webhook-id"] for _p, headers, _b in receiver.taken] == [row.message_id] * 2
    assert webhook.deliveries.get().state == State.DELIVERED


def test_the_answer_to_a_message_that_another_process_took_over_is_not_saved(cast):
    row = message(hook(cast))
    row.attempts = 1
    WebhookDelivery.objects.update(attempts=2)
    assert not delivery.record_answer(row, delivery.WebhookAnswer(status=500))
    assert WebhookDelivery.objects.get().status_code is None


def test_old_messages_are_deleted(cast):
    webhook = hook(cast, is_paused=True)
    message(webhook), message(webhook)
    let_pass(delivery.OTHERS_KEPT_FOR)
    kept = message(webhook)
    run()
    assert list(webhook.deliveries.all()) == [kept]


def test_delivered_messages_are_deleted_earlier(cast):
    webhook = hook(cast, is_paused=True)
    delivered, waiting = message(webhook), message(webhook)
    WebhookDelivery.objects.filter(pk=delivered.pk).update(state=State.DELIVERED)
    let_pass(timedelta(days=7))
    run()
    assert list(webhook.deliveries.all()) == [waiting]


def test_due_messages_are_found_every_minute(cast, monkeypatch):
    message(hook(cast))
    assert DELIVER_TASK in {job.task for job in start_due_tasks()}
    WebhookDelivery.objects.update(state=State.DELIVERED)
    assert DELIVER_TASK not in {job.task for job in start_due_tasks(timezone.now() + timedelta(minutes=2))}
