"""Emails about online entries, each sent once: the row says which email is due, and is the outbox.

A row is cleared just before the mail server has the whole email (`smtp_delivery`), so a crash never sends it twice. If
the entry's state changes meanwhile, the email about the new state replaces the old one.
"""

from __future__ import annotations

import logging
import secrets
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused
from urllib.parse import urljoin, urlsplit

from django.core.mail import EmailMessage
from django.db.models import F, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from common.jobs.queue import report_progress
from common.models import Job
from tournaments.models import OnlineEntry
from tournaments.notifications.smtp_delivery import MailServerConnection
from tournaments.online_entries.fees import payment_instructions
from tournaments.online_entries.links import hash_token, personal_page_of, status_token
from tournaments.online_entries.state_texts import describe_state, format_club_time

CLAIM_LEASE = timedelta(seconds=60)
"""After this time without sending, a process that claimed an email is taken for dead."""
CONFIRMATION_LIFETIME = timedelta(hours=24)
RETRY_PAUSES = tuple(timedelta(seconds=each) for each in (30, 60, 120, 300, 600))
"""The pauses before each retry; the last one repeats."""
MAX_ATTEMPTS = 500
"""About three days of retries."""

_Kind = OnlineEntry.EmailKind
_log = logging.getLogger(__name__)


class EmailClaimLost(Exception):
    """Raised if another process took over an email, or another one is due by now."""


def send_due_emails(job: Job) -> None:
    """Send all emails that are due. If the mail server doesn't answer, they wait."""
    with MailServerConnection() as server:
        while (online := _claim()) is not None:
            report_progress(job, stage="messages")
            try:
                server.open_connection()
            except OSError:
                _send_later(online)
                return
            _send(server, online)


def _claim() -> OnlineEntry | None:
    now = timezone.now()
    due = OnlineEntry.objects.exclude(email_due="").filter(email_due_at__lte=now, tournament__deleted_at=None)
    rows = due.select_related("tournament__club", "entry__member", "payment").order_by("email_due_at", "pk")
    for online in rows[:20]:
        lease = now + CLAIM_LEASE
        if _held(online).update(email_due_at=lease, email_attempts=F("email_attempts") + 1):
            online.email_due_at, online.email_attempts = lease, online.email_attempts + 1
            return online
    return None


def _held(online: OnlineEntry) -> QuerySet[OnlineEntry]:
    """Return the row as long as this email of it is still to be sent by this process."""
    return OnlineEntry.objects.filter(pk=online.pk, email_due=online.email_due, email_due_at=online.email_due_at)


def _send(server: MailServerConnection, online: OnlineEntry) -> None:
    try:
        server.send_email(_compose(online), lambda: _hand_over(online))
    except EmailClaimLost:
        return
    except SMTPRecipientsRefused as refused:
        code, _said = next(iter(refused.recipients.values()))
        _refused(online, code)
    except SMTPDataError as refused:
        # The server refused the whole email, so it was not sent.
        OnlineEntry.objects.filter(pk=online.pk, email_due="").update(
            email_due=online.email_due, email_due_at=online.email_due_at
        )
        _refused(online, refused.smtp_code)
    except OSError:
        # If the row is cleared already, the server may have the email, and it isn't sent again.
        _send_later(online)
    except Exception as error:  # an address that the library can't write: the other emails must not wait for it
        _held(online).update(email_due="")
        _log.warning("Online entry %s: the email can't be written (%s).", online.pk, type(error).__name__)


def _hand_over(online: OnlineEntry) -> None:
    if not _held(online).update(email_due=""):
        raise EmailClaimLost


def _refused(online: OnlineEntry, code: int) -> None:
    if 500 <= code < 600:
        _held(online).update(email_due="")
    else:
        _send_later(online)


def _send_later(online: OnlineEntry) -> None:
    if online.email_attempts >= MAX_ATTEMPTS:
        _held(online).update(email_due="")
        return
    pause = RETRY_PAUSES[min(online.email_attempts, len(RETRY_PAUSES)) - 1]
    _held(online).update(email_due_at=timezone.now() + pause)


def _compose(online: OnlineEntry) -> EmailMessage:
    """Return the email in the language of the form that the person used."""
    club = online.tournament.club
    with translation.override(online.language or club.language):
        context = _confirmation(online) if online.email_due == _Kind.CONFIRM else _state_context(online)
        body = render_to_string("tournaments/online_entries/mail/online_entry.txt", {"club": club, **context})
    host = urlsplit(online.site).hostname or "clubnight"
    return EmailMessage(
        subject=" ".join(str(context["subject"]).split()),
        body=body,
        to=[online.contact_email],
        reply_to=[club.email] if club.email else None,
        headers={"Message-ID": f"<entry-{secrets.token_hex(12)}@{host}>", "Auto-Submitted": "auto-generated"},
    )


def _confirmation(online: OnlineEntry) -> dict[str, object]:
    """Return the texts of the email that asks to confirm. The token is made now and only its hash is stored."""
    token, ends_at = secrets.token_urlsafe(32), timezone.now() + CONFIRMATION_LIFETIME
    if not _held(online).update(token_hash=hash_token(token), token_ends_at=ends_at):
        raise EmailClaimLost
    event = online.tournament
    said = {"event": event.name, "name": online.name, "time": format_club_time(event, ends_at)}
    return {
        "subject": _("%(event)s: confirm the entry") % said,
        "sentences": [
            _("Somebody entered %(name)s for %(event)s with this address.") % said,
            _("Open this page and confirm. The entry counts only after that. The link works until %(time)s.") % said,
        ],
        "address": urljoin(online.site, reverse("online_entry_confirm", args=[event.club.slug, event.slug, token])),
        "last_words": _("If you don't know about this, ignore this email."),
    }


def _state_context(online: OnlineEntry) -> dict[str, object]:
    event, page = online.tournament, personal_page_of(online)
    return {
        "subject": _("%(event)s: %(state)s") % {"event": event.name, "state": online.get_state_display()},
        "sentences": [describe_state(online)],
        "payment": payment_instructions(online) if online.entry else None,
        "address": urljoin(
            online.site, reverse("online_entry_status", args=[event.club.slug, event.slug, status_token(online)])
        ),
        "page": urljoin(online.site, page) if page else "",
    }
