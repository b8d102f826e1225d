"""Turning changes of events into messages: rows saved in the transaction of the change, and sent after it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

from django.db import transaction
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, JobStage, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds
from common.signals import ChangeKind, subscribe_to_changes
from pairing.log_actions import PairingAction
from pairing.models import Webhook, WebhookDelivery
from tournaments.audit_log.actions import EventAction
from tournaments.models import LogEntry

DELIVER_TASK = register_job_kind(
    "pairing.tasks.deliver_webhooks",
    JobKind(title=_("Sending to webhooks"), stages={"messages": JobStage(words=_("Sending messages"))}),
)
TEST = "test"
MAX_WAITING = 500
"""Messages of a webhook that wait. Beyond them, what happens is not sent to it."""
DELIVERY_TIME_LIMIT = 3 * 60
"""Seconds. A job normally ends before (`delivery.RUN_SECONDS` and its last requests)."""

_Topic = Webhook.Topic
_MESSAGES: Mapping[str, tuple[tuple[str, Webhook.Topic], ...]] = {
    PairingAction.ROUND_PUBLISHED: (("round.published", _Topic.ROUNDS),),
    PairingAction.PROPOSAL_ADOPTED: (("round.published", _Topic.ROUNDS),),
    PairingAction.ROUND_UNPUBLISHED: (("round.unpublished", _Topic.ROUNDS),),
    EventAction.RESULT_ENTERED: (("result.entered", _Topic.RESULTS),),
    EventAction.RESULT_CONFIRMED: (("result.entered", _Topic.RESULTS),),
    EventAction.RESULT_CORRECTED: (
        ("result.corrected", _Topic.RESULTS),
        ("standings.changed", _Topic.STANDINGS),
    ),
    EventAction.ROUND_FINISHED: (("standings.changed", _Topic.STANDINGS),),
    EventAction.ROUND_REOPENED: (("standings.changed", _Topic.STANDINGS),),
}
"""The types of message for each action, and the topic that a webhook must have chosen."""


def active_webhooks() -> Q:
    """Return the condition of webhooks that are sent what happens."""
    return Q(is_paused=False, stopped_at=None)


def due_deliveries() -> Q:
    """Return the condition of messages to be sent now: never sent, to be tried again, or left by a dead process.

    While a message is being sent or waits for another attempt, the webhook's others wait with it, but not a new test.
    """
    now = timezone.now()
    waiting = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING)
    busy = waiting.filter(attempts__gt=0, due_at__gt=now).values("webhook")
    return Q(
        Q(kind=TEST) | ~Q(webhook__in=busy),
        state=WebhookDelivery.State.WAITING,
        due_at__lte=now,
        webhook__is_paused=False,
        webhook__stopped_at=None,
    )


def full_webhooks(webhooks: Sequence[Webhook]) -> set[int]:
    """Return the keys of the webhooks with `MAX_WAITING` waiting messages, which get no more. One query."""
    waiting = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING, webhook__in=webhooks)
    counted = waiting.order_by().values("webhook").annotate(count=Count("pk")).filter(count__gte=MAX_WAITING)
    return set(counted.values_list("webhook", flat=True))


def is_delivery_due() -> bool:
    """Return True if a message is to be sent now."""
    return WebhookDelivery.objects.filter(due_deliveries()).exists()


_DELIVERY = chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(
        name="webhooks",
        task=DELIVER_TASK,
        minutes=1,
        is_needed=is_delivery_due,
        time_limit=DELIVERY_TIME_LIMIT,
    )
)


def subscribe_to_logged_changes() -> None:
    """Subscribe to what happens in events."""
    subscribe_to_changes(ChangeKind.EVENT_LOGGED, "webhooks", queue_messages_for_line)


def queue_messages_for_line(key: int) -> None:
    """Save the messages about a line of an event's log, in its transaction. One query if the club has no webhooks."""
    webhooks = list(Webhook.objects.filter(active_webhooks(), club__tournaments__log=key))
    if not webhooks:
        return
    full = full_webhooks(webhooks)
    line = LogEntry.objects.select_related("tournament__club", "round").get(pk=key)
    made = [
        new_message(webhook, kind, at=line.at, data=_data(webhook, line, kind))
        for kind, topic in _MESSAGES.get(line.action, ())
        for webhook in webhooks
        if topic in webhook.topics and webhook.pk not in full
    ]
    if made:
        WebhookDelivery.objects.bulk_create(made)
        # Not in this transaction: the job's key is unique, so the changes of other clubs would wait for it.
        transaction.on_commit(enqueue_delivery, robust=True)


def new_message(webhook: Webhook, kind: str, *, at: datetime, data: Mapping[str, Any]) -> WebhookDelivery:
    """Return a message to a webhook, not saved yet. Its text stays the same, however often it is sent."""
    body = {"type": kind, "timestamp": at.astimezone(UTC).isoformat(), "data": data}
    return WebhookDelivery(
        webhook=webhook,
        message_id=f"msg_{secrets.token_hex(12)}",
        kind=kind,
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
    )


def enqueue_delivery() -> Job:
    """Send what is due. Only one job sends: if the one under way misses a message, it is sent within a minute."""
    from common.schedule.due_tasks import start_task  # loads Celery

    return start_task(_DELIVERY)


def _data(webhook: Webhook, line: LogEntry, kind: str) -> dict[str, Any]:
    """Return what the receiver needs to read the rest by the API."""
    event = line.tournament
    places: list[Any] = [event.club.slug, event.slug]
    told: dict[str, Any] = {"club": event.club.slug, "event": event.slug, "sequence": line.pk}
    path = reverse("api_standings", args=places)
    if line.round is not None:
        told |= {"round": line.round.number, "version": line.round.publications}
        if not kind.startswith("standings"):
            path = reverse("api_round", args=[*places, line.round.number])
    if "board" in line.details:
        told["board"] = line.details["board"]
    return told | {"url": urljoin(webhook.site, path)}
