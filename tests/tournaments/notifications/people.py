"""Players who want notifications, and what they got."""

from __future__ import annotations

from django.core import mail
from django.utils import timezone

from common.jobs.queue import create_job, enqueue_job
from tournaments.models import Entry, Notification, NotificationChannel
from tournaments.notifications.notification_job import NOTIFY_TASK
from tournaments.notifications.preferences import PREFERENCE_FIELDS, save_email_preferences

SITE = "https://chess.example/"


def entry_of(event, number: int) -> Entry:
    return event.entries.select_related("member", "tournament__club").get(name=f"Figura, Nr{number}")


def by_letter(entry: Entry, *kinds: str) -> NotificationChannel:
    return save_email_preferences(entry, kinds or PREFERENCE_FIELDS, site=SITE)


def look_again() -> None:
    """As every minute: send what is waiting, without any pause."""
    Notification.objects.filter(state="waiting").update(due_at=timezone.now())
    NotificationChannel.objects.update(last_told_at=None)
    enqueue_job(create_job(NOTIFY_TASK, by=None))


def letters_to(number: int) -> list[str]:
    return [str(each.body) for each in mail.outbox if each.to == [f"nr{number}@poczta.example"]]
