"""The queue of emails. A package registers its rows (`EmailOutboxRow`) as an outbox, and one job sends what is due.

A row is cleared just before the mail server has the whole email (`smtp_delivery`), so a crash never sends it twice. If
another email about the row becomes due in the meantime, it replaces the old one. The job runs after each request, and
is checked every minute.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.utils import parseaddr
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.mail import EmailMessage
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from common.emails.smtp_delivery import MailServerConnection
from common.jobs.kinds import JobKind, JobStage, register_job_kind
from common.models import EmailOutboxRow, Job
from common.schedule import registry as chore_kinds

SEND_TASK = register_job_kind(
    "common.tasks.send_emails",
    JobKind(title=_("Sending emails"), stages={"messages": JobStage(words=_("Sending messages"))}),
)
CLAIM_LEASE = timedelta(seconds=60)
"""After this time without sending, a process that claimed an email is considered dead."""
RETRY_PAUSES = tuple(timedelta(seconds=each) for each in (30, 60, 120, 300, 600))
"""The pauses before each retry; the last one repeats."""
MAX_ATTEMPTS = 500
"""About three days of retries."""

_log = logging.getLogger(__name__)


class EmailClaimLost(Exception):
    """Raised if another process took over an email, or a different email is now due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailOutbox:
    """The rows of one model. `rows` returns those whose emails may be sent, with the data `compose` needs.

    `compose` is the dotted name of a function that returns a row's email. `on_refused`, if given, names a function
    that gets the row and the reply of a mail server that permanently rejects it. Both are imported when needed.
    """

    model: type[EmailOutboxRow]
    rows: Callable[[], QuerySet[Any]]
    compose: str
    on_refused: str = ""


_outboxes: dict[type[EmailOutboxRow], EmailOutbox] = {}


def register_outbox(outbox: EmailOutbox) -> None:
    """Register the outbox of a model."""
    _outboxes[outbox.model] = outbox


def is_email_due() -> bool:
    """Return True if any email is due now. One query per outbox."""
    return any(_due(outbox).exists() for outbox in _outboxes.values())


chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="emails", task=SEND_TASK, minutes=1, is_needed=is_email_due)
)


def create_sending_job(*, by: AbstractBaseUser | None = None, club: Model | None = None) -> Job:
    """Return the job that sends the emails now due: the running one, or a new one.

    If the running job misses an email, the email is sent within a minute.
    """
    from common.jobs.queue import create_job  # loads Celery

    return create_job(SEND_TASK, by=by, club=club, key="emails")


def send_due_emails(job: Job) -> None:
    """Send all emails that are due. If the mail server doesn't answer, they are sent later. Safe to run twice.

    The outboxes take turns, so that a letter to hundreds of people doesn't delay a confirmation.
    """
    from common.jobs.queue import report_progress  # loads Celery

    done = 0
    with MailServerConnection() as server:
        for outbox, row in _claim_in_turn():
            waiting = sum(_due(each).count() for each in _outboxes.values())
            report_progress(job, done=done, total=done + 1 + waiting, stage="messages")
            try:
                server.open_connection()
            except OSError:
                _send_later(outbox, row)
                return
            _send(server, outbox, row)
            done += 1


def new_email(
    *, subject: str, body: str, to: str, reply_to: str, site: str, sender: str, **headers: str
) -> EmailMessage:
    """Return an email marked as automatic, from the server's address with the name of the `sender`.

    `site` is the server's URL. Names in `headers` have underscores.
    """
    host = urlsplit(site).hostname or "clubnight"
    return EmailMessage(
        subject=" ".join(subject.split()),
        body=body,
        from_email=sender_address(sender),
        to=[to],
        reply_to=[reply_to] if reply_to else None,
        headers={
            "Message-ID": f"<{secrets.token_hex(12)}@{host}>",
            "Auto-Submitted": "auto-generated",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )


def sender_address(name: str) -> str:
    """Return the server's address with this name, such as `Rook Lane <club@chess.example>`."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return str(Address(display_name=" ".join(name.split()), addr_spec=address))


def hold_row(row: EmailOutboxRow, **changes: Any) -> None:
    """Save changes to a row while its email is composed. Raises EmailClaimLost if this process has lost the email."""
    if not _held(row).update(**changes):
        raise EmailClaimLost


def _due(outbox: EmailOutbox) -> QuerySet[Any]:
    return outbox.rows().exclude(email_due="").filter(email_due_at__lte=timezone.now())


def _claim_in_turn() -> Iterator[tuple[EmailOutbox, EmailOutboxRow]]:
    """Claim one email after another until none is due."""
    is_any_due = True
    while is_any_due:
        is_any_due = False
        for outbox in _outboxes.values():
            if (row := _claim(outbox)) is not None:
                is_any_due = True
                yield outbox, row


def _claim(outbox: EmailOutbox) -> EmailOutboxRow | None:
    for row in _due(outbox).order_by("email_due_at", "pk")[:20]:
        lease = timezone.now() + CLAIM_LEASE
        if _held(row).update(email_due_at=lease, email_attempts=F("email_attempts") + 1):
            row.email_due_at, row.email_attempts = lease, row.email_attempts + 1
            claimed: EmailOutboxRow = row
            return claimed
    return None


def _held(row: EmailOutboxRow) -> QuerySet[Any]:
    """Return a query for the row, empty if this process no longer has to send this email."""
    of_row = Q(pk=row.pk, email_due=row.email_due, email_due_at=row.email_due_at)
    return type(row)._default_manager.filter(of_row)


def _send(server: MailServerConnection, outbox: EmailOutbox, row: EmailOutboxRow) -> None:
    try:
        server.send_email(import_string(outbox.compose)(row), lambda: hold_row(row, email_due=""))
    except EmailClaimLost:
        return
    except SMTPRecipientsRefused as refused:
        code, said = next(iter(refused.recipients.values()))
        _refused(outbox, row, code, said)
    except SMTPDataError as refused:
        # The server refused the whole email, so it was not sent.
        again = type(row)._default_manager.filter(pk=row.pk, email_due="")
        again.update(email_due=row.email_due, email_due_at=row.email_due_at)
        _refused(outbox, row, refused.smtp_code, refused.smtp_error)
    except OSError:
        # If the row has been cleared, the server may have the email, so it isn't sent again.
        _send_later(outbox, row)
    except (ValueError, HeaderParseError) as error:  # an address or a header that the library can't write
        _log.warning("%s %s: the email can't be written (%s).", type(row).__name__, row.pk, type(error).__name__)
        _give_up(outbox, row, type(error).__name__)
    except Exception:  # such as a busy database or a bug: the other emails must not wait for this one
        _log.exception("%s %s: the email waits.", type(row).__name__, row.pk)
        _send_later(outbox, row)


def _refused(outbox: EmailOutbox, row: EmailOutboxRow, code: int, said: bytes | str) -> None:
    if 500 <= code < 600:
        text = said.decode(errors="replace") if isinstance(said, bytes) else said
        _give_up(outbox, row, f"{code} {text}")
    else:
        _send_later(outbox, row)


def _give_up(outbox: EmailOutbox, row: EmailOutboxRow, said: str) -> None:
    if _held(row).update(email_due="") and outbox.on_refused:
        import_string(outbox.on_refused)(row, said)


def _send_later(outbox: EmailOutbox, row: EmailOutboxRow) -> None:
    if row.email_attempts >= MAX_ATTEMPTS:
        _give_up(outbox, row, "no answer")
        return
    pause = RETRY_PAUSES[min(row.email_attempts, len(RETRY_PAUSES)) - 1]
    _held(row).update(email_due_at=timezone.now() + pause)
