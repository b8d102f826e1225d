"""People who want to be told, and what came to them."""

from __future__ import annotations

from django.core import mail
from django.utils import timezone

from common.jobs.queue import new_job, send
from tournaments.models import Entry, Message, MessageWay
from tournaments.notifications.telling import TELL
from tournaments.notifications.wishes import CHOSEN, choose_letters

SITE = "https://chess.example/"


def entry_of(event, number: int) -> Entry:
    return event.entries.select_related("member", "tournament__club").get(name=f"Figura, Nr{number}")


def by_letter(entry: Entry, *kinds: str) -> MessageWay:
    return choose_letters(entry, kinds or CHOSEN, site=SITE)


def look_again() -> None:
    """As every minute: what waits is sent, whatever pause it was to make."""
    Message.objects.filter(state="waiting").update(due_at=timezone.now())
    MessageWay.objects.update(last_told_at=None)
    send(new_job(TELL, by=None))


def letters_to(number: int) -> list[str]:
    return [str(each.body) for each in mail.outbox if each.to == [f"nr{number}@poczta.example"]]
