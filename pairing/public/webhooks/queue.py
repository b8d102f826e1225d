"""Turning changes of events into messages: rows saved in the transaction of the change, and sent after it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

from django.db.models import Q
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
    """Return the condition of messages to be sent now: never sent, to be tried again, or left by a dead process."""
    return Q(
        state=WebhookDelivery.State.WAITING,
        due_at__lte=timezone.now(),
        webhook__is_paused=False,
        webhook__stopped_at=None,
    )


def is_delivery_due() -> bool:
    """Return True if a message is to be sent now."""
    return WebhookDelivery.objects.filter(due_deliveries()).exists()


chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="webhooks", task=DELIVER_TASK, minutes=1, is_needed=is_delivery_due)
)


def subscribe_to_logged_changes() -> None:
    """Subscribe to what happens in events."""
    subscribe_to_changes(ChangeKind.EVENT_LOGGED, "webhooks", queue_messages_for_line)


def queue_messages_for_line(key: int) -> None:
    """Save the messages about a line of an event's log, in its transaction. One query if the club has no webhooks."""
    webhooks = list(Webhook.objects.filter(active_webhooks(), club__tournaments__log=key))
    if not webhooks:
        return
    line = LogEntry.objects.select_related("tournament__club", "round").get(pk=key)
    made = [
        queue_message(webhook, kind, at=line.at, data=_data(webhook, line, kind))
        for kind, topic in _MESSAGES.get(line.action, ())
        for webhook in webhooks
        if topic in webhook.topics
    ]
    if made:
        enqueue_delivery()


def queue_message(webhook: Webhook, kind: str, *, at: datetime, data: Mapping[str, Any]) -> WebhookDelivery:
    """Save a message to a webhook. Its text stays the same, however often it is sent."""
    body = {"type": kind, "timestamp": at.astimezone(UTC).isoformat(), "data": data}
    return WebhookDelivery.objects.create(
        webhook=webhook,
        message_id=f"msg_{secrets.token_hex(12)}",
        kind=kind,
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
    )


def enqueue_delivery() -> Job:
    """Send what is due, after the transaction. If the job under way misses it, it is sent within a minute."""
    from common.jobs.queue import create_job, enqueue_job  # loads Celery

    job = create_job(DELIVER_TASK, by=None, key="webhooks")
    enqueue_job(job)
    return job


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
