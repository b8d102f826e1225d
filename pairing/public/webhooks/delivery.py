"""Delivery of due messages: claimed, sent, and tried again with growing pauses, at least once each.

A message that a killed process has claimed is sent again, with the same `webhook-id`. One message at a time goes to a
webhook. If it fails, the others wait with it. A webhook that has failed for days is stopped, and the secretary gets an
email.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from http import HTTPStatus

from django.db import transaction
from django.db.models import F, Min, Q
from django.utils import timezone

from common.jobs.queue import report_progress
from common.models import Job
from pairing.models import Webhook, WebhookDelivery
from pairing.public.webhooks.queue import due_deliveries
from pairing.public.webhooks.sending import WebhookAnswer, post_message
from pairing.public.webhooks.signatures import secret_of_webhook, sign_message

RETRY_PAUSES = (
    timedelta(seconds=30),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
)
"""The pauses before the second attempt, the third, and so on. After the last, the message is given up."""
GIVE_UP_AFTER = timedelta(hours=24)
"""A message this old is not tried again after a failure, even if it had to wait for others."""
STOP_AFTER = timedelta(days=3)
"""A webhook is stopped if it has given up a message and has accepted nothing for this long."""
CLAIM_LEASE = timedelta(minutes=2)
"""After this time, a process that claimed a message is taken for dead. Resolving a name can take half a minute."""
SENDER_THREADS = 8
RUN_SECONDS = 45
"""After this time, no more messages are claimed. The next job, within a minute, sends the rest."""
DELIVERED_KEPT_FOR = timedelta(days=7)
OTHERS_KEPT_FOR = timedelta(days=30)

_State = WebhookDelivery.State


def deliver_webhooks(job: Job) -> None:
    """Send messages that are due. Safe to run twice: after a crash, it sends those that have not been accepted."""
    _delete_old_messages(timezone.now())
    done, failed, latest_claim = 0, set[int](), time.monotonic() + RUN_SECONDS
    with ThreadPoolExecutor(max_workers=SENDER_THREADS) as threads:
        while time.monotonic() < latest_claim and (claimed := list(_claim(failed))):
            report_progress(job, done=done, stage="messages")
            for delivery, answer in zip(claimed, threads.map(_send, claimed), strict=True):
                if not record_answer(delivery, answer):
                    failed.add(delivery.webhook_id)
            done += len(claimed)


def _delete_old_messages(now: datetime) -> None:
    """Delete old messages, found by the index of those that are due."""
    delivered = Q(state=_State.DELIVERED, due_at__lt=now - DELIVERED_KEPT_FOR)
    others = Q(state__in=(_State.WAITING, _State.FAILED), due_at__lt=now - OTHERS_KEPT_FOR)
    WebhookDelivery.objects.filter(delivered | others).delete()


def _claim(failed: Collection[int]) -> Iterator[WebhookDelivery]:
    """Claim the oldest due message of each of some webhooks, without those that failed in this run."""
    due = WebhookDelivery.objects.filter(due_deliveries()).exclude(webhook__in=failed)
    oldest = due.values("webhook").annotate(first=Min("pk")).order_by("first").values_list("first", flat=True)
    rows = WebhookDelivery.objects.select_related("webhook").filter(pk__in=list(oldest[: 2 * SENDER_THREADS]))
    for each in rows.order_by("pk"):
        lease = timezone.now() + CLAIM_LEASE
        same = WebhookDelivery.objects.filter(pk=each.pk, state=_State.WAITING, due_at=each.due_at)
        if same.update(due_at=lease, attempts=F("attempts") + 1):
            each.due_at, each.attempts = lease, each.attempts + 1
            yield each


def _send(delivery: WebhookDelivery) -> WebhookAnswer:
    """Send a message. No query, because it runs in a thread."""
    webhook = delivery.webhook
    headers = sign_message(secret_of_webhook(webhook), delivery.message_id, int(time.time()), delivery.body)
    return post_message(webhook.url, delivery.body, headers)


@transaction.atomic
def record_answer(delivery: WebhookDelivery, answer: WebhookAnswer) -> bool:
    """Save the outcome of an attempt. Return True if the message was accepted.

    Nothing is saved if another process has taken the message over.
    """
    now = timezone.now()
    mine = WebhookDelivery.objects.filter(pk=delivery.pk, state=_State.WAITING, attempts=delivery.attempts)
    outcome = {"tried_at": now, "status_code": answer.status, "error": answer.error}
    if answer.is_accepted:
        mine.update(state=_State.DELIVERED, **outcome)
        Webhook.objects.filter(pk=delivery.webhook_id).exclude(failing_since=None).update(failing_since=None)
        return True
    again_at = _next_attempt(delivery, now)
    if not mine.update(state=_State.FAILED if again_at is None else _State.WAITING, due_at=again_at or now, **outcome):
        return False
    Webhook.objects.filter(pk=delivery.webhook_id, failing_since=None).update(failing_since=now)
    if answer.status == HTTPStatus.GONE or (again_at is None and _has_failed_too_long(delivery.webhook_id, now)):
        _stop(delivery.webhook_id, now)
    return False


def _next_attempt(delivery: WebhookDelivery, now: datetime) -> datetime | None:
    """Return when a message is tried again, or None if it is given up."""
    if delivery.attempts > len(RETRY_PAUSES) or now - delivery.created_at >= GIVE_UP_AFTER:
        return None
    return now + RETRY_PAUSES[delivery.attempts - 1]


def _has_failed_too_long(webhook: int, now: datetime) -> bool:
    return Webhook.objects.filter(pk=webhook, failing_since__lte=now - STOP_AFTER).exists()


def _stop(key: int, now: datetime) -> None:
    """Stop a webhook, give up its messages, and make the email about it due."""
    webhook = Webhook.objects.filter(pk=key, stopped_at=None).first()
    if webhook is None:
        return
    webhook.stopped_at = now
    webhook.set_email_due(Webhook.EmailKind.STOPPED)
    webhook.save(update_fields=["stopped_at", "email_due", "email_due_at", "email_attempts"])
    webhook.deliveries.filter(state=_State.WAITING).update(state=_State.FAILED)
