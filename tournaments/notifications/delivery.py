"""Delivery of due notifications: claimed, grouped by channel, retried, and never shown twice.

Emails: a row is HANDED just before the mail server has the whole email (`smtp_delivery`), and is never sent again after
that. Push: sent again if the outcome is unknown; the device knows a message by its `id` and shows it once.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.core.mail import EmailMessage
from django.db import connection
from django.db.models import Count, F, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from common.emails.outbox import sender_address
from common.emails.smtp_delivery import MailServerConnection, is_email_configured
from common.jobs.queue import report_progress
from common.models import Job
from tournaments.models import Notification, NotificationChannel
from tournaments.notifications.message_text import MessageText, compose_message_text
from tournaments.notifications.preferences import (
    FIELD_BY_NOTIFICATION_KIND,
    email_address_of,
    valid_channels,
)
from tournaments.notifications.tokens import channel_url
from tournaments.notifications.triggers import is_notification_still_true
from tournaments.notifications.web_push import PushOutcome, PushServiceResponse, send_push_message

CLAIM_LEASE = timedelta(seconds=30)
"""After this time without sending, a process that claimed a message is considered dead."""

MIN_GAP = {
    NotificationChannel.ChannelKind.MAIL: timedelta(minutes=2),
    NotificationChannel.ChannelKind.PUSH: timedelta(seconds=20),
}
"""The minimum time between two messages on one channel; messages in between are sent together."""

MAX_PER_HOUR = 20
"""Per channel; further messages wait and are sent together."""

RETRY_PAUSES = tuple(timedelta(seconds=each) for each in (15, 30, 60, 120, 300, 600))
"""The pauses before each retry; the last one repeats."""

CHANNELS_PER_BATCH = 20
"""The number of channels claimed together."""
SENDER_THREADS = 8
"""The number of push messages sent at the same time."""

NOTIFICATION_RETENTION = timedelta(days=30)

_log = logging.getLogger(__name__)
_State, _Channel = Notification.State, NotificationChannel.ChannelKind


class NotificationClaimLost(Exception):
    """Raised if another process claimed the messages because this one paused for too long."""


def due_notifications() -> QuerySet[Notification]:
    """Return messages that are due, or whose sending process has died."""
    now = timezone.now()
    waiting = Q(state=_State.WAITING, due_at__lte=now)
    left = Q(state=_State.CLAIMED, claimed_at__lt=now - CLAIM_LEASE)
    return Notification.objects.filter(waiting | left)


def deliver_due_notifications(job: Job) -> None:
    """Send all due messages. Safe to run twice: after a crash, it sends the messages not sent yet."""
    done = 0
    expire_old_notifications()
    for channel, send in ((_Channel.PUSH, _push_all), (_Channel.MAIL, _mail_all)):
        while groups := _claim(channel):
            report_progress(job, done=done, stage="messages")
            # If a mail server does not answer, this run does not try it again.
            if not send(job, groups):
                break
            done += len(groups)


def expire_old_notifications() -> None:
    """Mark messages past their deadline as failed, and delete old ones."""
    now = timezone.now()
    due_notifications().filter(give_up_at__lte=now).update(state=_State.FAILED)
    Notification.objects.filter(made_at__lt=now - NOTIFICATION_RETENTION).delete()


def _claim(channel: str) -> list[list[Notification]]:
    """Claim the due messages of some channels for this process, grouped by channel."""
    if channel == _Channel.MAIL and not is_email_configured():
        return []
    now = timezone.now()
    open_ways = valid_channels().filter(kind=channel).exclude(last_told_at__gt=now - MIN_GAP[_Channel(channel)])
    busy = (
        Notification.objects.filter(sent_at__gt=now - timedelta(hours=1))
        .values("channel")
        .annotate(letters=Count("letter", distinct=True))
        .filter(letters__gte=MAX_PER_HOUR)
        .values("channel")
    )
    ways = (
        due_notifications()
        .filter(channel__in=open_ways)
        .exclude(channel__in=busy)
        .order_by("channel")
        .values_list("channel", flat=True)
    )
    claim = secrets.token_hex(16)
    claimed = due_notifications().filter(channel__in=list(ways.distinct()[:CHANNELS_PER_BATCH]))
    claimed.update(state=_State.CLAIMED, claim=claim, claimed_at=now, attempts=F("attempts") + 1)
    groups: dict[int, list[Notification]] = {}
    rows = Notification.objects.filter(claim=claim, state=_State.CLAIMED).order_by("pk")
    for row in rows.select_related("channel__member", "round", "entry__member", "entry__tournament__club"):
        groups.setdefault(row.channel_id, []).append(row)
    return [kept for group in groups.values() if (kept := _worth_saying(group))]


def _worth_saying(group: list[Notification]) -> list[Notification]:
    """Return a channel's messages that are still true and wanted. Drop the others."""
    way = group[0].channel
    kept = [
        each
        for each in group
        if getattr(way, FIELD_BY_NOTIFICATION_KIND[Notification.Kind(each.kind)])
        and is_notification_still_true(each, group)
    ]
    gone = [each.pk for each in group if each not in kept]
    Notification.objects.filter(pk__in=gone, state=_State.CLAIMED).update(state=_State.DROPPED, claim="")
    return kept


def _of(group: Iterable[Notification]) -> QuerySet[Notification]:
    """Return the group's rows that this process still holds."""
    rows = list(group)
    return Notification.objects.filter(pk__in=[each.pk for each in rows], claim=rows[0].claim)


def _sent(group: list[Notification], letter: str) -> None:
    now = timezone.now()
    _of(group).update(state=_State.SENT, sent_at=now, letter=letter, error="")
    NotificationChannel.objects.filter(pk=group[0].channel_id).update(last_told_at=now)


def _later(group: list[Notification], said: str) -> None:
    """Schedule the group for another attempt."""
    pause = RETRY_PAUSES[min(max(each.attempts for each in group), len(RETRY_PAUSES)) - 1]
    _of(group).update(state=_State.WAITING, due_at=timezone.now() + pause, error=said[:200], claim="")


def _failed(group: list[Notification], said: str) -> None:
    _of(group).update(state=_State.FAILED, error=said[:200], claim="")


# -- Notifications ---------------------------------------------------------------------------------------------------


def _push_all(job: Job, groups: list[list[Notification]]) -> bool:
    """Send push messages in parallel, since services can be slow. Only this thread uses the database."""
    with ThreadPoolExecutor(SENDER_THREADS) as threads:
        under_way = {}
        for group in groups:
            letter = _letter_id(group)
            seconds = max(60, int((max(each.give_up_at for each in group) - timezone.now()).total_seconds()))
            message = _notification(group, letter)
            under_way[threads.submit(send_push_message, group[0].channel, message, seconds=seconds)] = (group, letter)
        for each in as_completed(under_way):
            group, letter = under_way[each]
            _settle(group, letter, each.result())
            report_progress(job)
    return True


def _settle(group: list[Notification], letter: str, answer: PushServiceResponse) -> None:
    if answer.outcome is PushOutcome.ACCEPTED:
        _sent(group, letter)
    elif answer.outcome is PushOutcome.GONE:
        _log.info("device %s is gone: %s", group[0].channel_id, answer.detail)
        group[0].channel.delete()
    elif answer.outcome is PushOutcome.RETRY_LATER:
        _later(group, answer.detail)
    else:
        _failed(group, answer.detail)


def _letter_id(group: list[Notification]) -> str:
    """Return an id that stays the same on retries, so that a device shows a message only once."""
    return f"{group[0].pk}-{group[-1].pk}"


def _notification(group: list[Notification], letter: str) -> dict[str, Any]:
    """Return the payload that `templates/pairing/pages/web_app/service_worker.js` shows."""
    way = group[0].channel
    said = compose_message_text(way, group)
    with translation.override(way.language or None):
        words = ((_("I'm coming"), "?answer=coming"), (_("I can't"), ""))
        actions = [{"title": title, "post": said.answer_url + query} for title, query in words if said.answer_url]
    return {
        "id": letter,
        "title": group[-1].entry.tournament.name[:80],
        "body": "\n".join(said.sentences)[:600],
        "lang": way.language,
        "url": said.page_url,
        "actions": actions,
    }


# -- Emails ------------------------------------------------------------------------------------------------------------


def _mail_all(job: Job, groups: list[list[Notification]]) -> bool:
    """Send the emails. Returns False if the mail server does not answer."""
    with MailServerConnection() as server:
        for place, group in enumerate(groups):
            report_progress(job)
            try:
                server.open_connection()
            except OSError as error:
                for each in groups[place:]:
                    _later(each, f"{type(error).__name__}: {error}")
                return False
            _mail(server, group)
    return True


def _mail(server: MailServerConnection, group: list[Notification]) -> None:
    letter = _letter_id(group)
    try:
        server.send_email(_letter(group, letter), _handing(group, letter))
    except NotificationClaimLost:
        return
    except SMTPRecipientsRefused as refused:
        code, said = next(iter(refused.recipients.values()))
        _refused(group, code, said)
    except SMTPDataError as refused:
        # The server refused the whole email, so it was not sent.
        _refused(group, refused.smtp_code, refused.smtp_error)
    except OSError as error:
        problem = f"{type(error).__name__}: {error}"[:200]
        if _of(group).filter(state=_State.HANDED).update(error=problem):
            NotificationChannel.objects.filter(pk=group[0].channel_id).update(last_told_at=timezone.now())
        else:
            _later(group, problem)
    else:
        _sent(group, letter)


def _refused(group: list[Notification], code: int, said: bytes | str) -> None:
    text = f"{code} {said.decode(errors='replace') if isinstance(said, bytes) else said}"
    if 500 <= code < 600:
        _failed(group, text)
    else:
        _later(group, text)


def _handing(group: list[Notification], letter: str) -> Callable[[], None]:
    def mark_handed_over() -> None:
        now = timezone.now()
        mine = _of(group).filter(state=_State.CLAIMED)
        with commit_without_fsync():
            handed = mine.update(state=_State.HANDED, letter=letter, sent_at=now)
        if handed != len(group):
            raise NotificationClaimLost

    return mark_handed_over


@contextmanager
def commit_without_fsync() -> Iterator[None]:
    """Commit without waiting for the disk, on SQLite only.

    Nobody notices a crash between marking an email as sent and ending it. Waiting for the disk would make that moment a
    hundred times longer. If the power fails right then, the mark is lost and the email may be sent twice.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        (before,) = cursor.execute("PRAGMA synchronous").fetchone()
        cursor.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA synchronous={int(before)}")


def _letter(group: list[Notification], letter: str) -> EmailMessage:
    way = group[0].channel
    club = group[-1].entry.tournament.club
    said = compose_message_text(way, group)
    host = urlsplit(way.site).hostname or "clubnight"
    stop = urljoin(way.site, channel_url(way, "notification_channel_stop"))
    return EmailMessage(
        subject=" ".join(said.subject.split()),
        body=render_email_body(way, said, club.name, language=club.language),
        from_email=sender_address(club.name),
        to=[email_address_of(way)],
        reply_to=[club.email] if club.email else None,
        headers={
            "Message-ID": f"<clubnight-{letter}@{host}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def render_email_body(way: NotificationChannel, said: MessageText, club: str, *, language: str) -> str:
    """Return the body of an email, in the language in which the channel was set up."""
    with translation.override(way.language or language):
        context = {
            "said": said,
            "club": club,
            "page": urljoin(way.site, said.page_url),
            "answer": urljoin(way.site, said.answer_url) if said.answer_url else "",
            "change": urljoin(way.site, said.preferences_url),
        }
        return render_to_string("tournaments/notifications/mail/notification.txt", context)
