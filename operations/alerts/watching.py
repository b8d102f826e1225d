"""Checks every few minutes for anything that could stop a club evening or lose data, and sends alerts."""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.db import DatabaseError

from common.models import Job
from operations.alerts.telling import tell_about
from operations.backups.nightly_job import latest_backup_job
from operations.health.readiness import check_readiness
from operations.integrity.environment_checks import (
    check_backup_age,
    check_disk_space,
    check_overdue_tasks,
    check_stuck_jobs,
)
from operations.integrity.findings import Finding

CERTIFICATE_WARNING = timedelta(days=14)
"""certbot renews a certificate 30 days before it expires."""
CERTIFICATE_TIMEOUT = 10


def watch() -> None:
    """Check everything, and send alerts about new and resolved problems."""
    found: list[Finding] = []
    unknown: set[str] = set()
    for codes, check in _CHECKS:
        try:
            found += check()
        except DatabaseError:
            # "not-ready" is told.
            unknown |= codes
    tell_about("watch", found, unknown=unknown)


def check_answers() -> Iterator[Finding]:
    """Report a database or queue that does not answer, and missing migrations."""
    for name, is_ready in check_readiness().items():
        if not is_ready:
            yield Finding(
                code=f"not-ready-{name}",
                where=name,
                what="doesn't answer or isn't up to date",
                do="See journalctl --unit 'clubnight*' --unit 'postgres*' --unit redis-server. Restart what stopped.",
            )


def check_latest_backup() -> Iterator[Finding]:
    """Report the latest backup if it failed."""
    job = latest_backup_job()
    if job is not None and job.state == Job.State.FAILED:
        yield Finding(
            code="backup-failed",
            where=str(settings.BACKUP_DIR),
            what=f"the latest backup failed: {job.error}",
            do="Fix the cause, then make one with manage.py backup.",
        )


def check_mail_server() -> Iterator[Finding]:
    """Report a mail server that can't be reached or refuses the password."""
    connection = get_connection()
    if not isinstance(connection, EmailBackend):
        return
    try:
        connection.open()
        connection.close()
    except (OSError, smtplib.SMTPException) as error:
        yield Finding(
            code="mail-failing",
            where=f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}",
            what=f"the mail server can't be used: {error}",
            do="Check CLUBNIGHT_MAIL, and ask your mail provider. Reminders and password resets are not sent.",
        )


def check_certificate(port: int = 443) -> Iterator[Finding]:
    """Report a certificate that is invalid or expires soon. A site that can't be reached from here is not reported."""
    if not settings.SECURE_SSL_REDIRECT:
        return
    host, code = str(settings.ALLOWED_HOSTS[0]), "certificate"
    do = "Run certbot renew, and see what it says. Caddy: journalctl --unit caddy."
    try:
        with (
            socket.create_connection((host, port), CERTIFICATE_TIMEOUT) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as encrypted,
        ):
            ends = ssl.cert_time_to_seconds(str((encrypted.getpeercert() or {})["notAfter"]))
    except ssl.SSLCertVerificationError as error:
        yield Finding(code=code, where=host, what=f"browsers refuse the certificate: {error.verify_message}", do=do)
        return
    except (OSError, KeyError):
        return
    end = datetime.fromtimestamp(ends, UTC)
    if end < datetime.now(UTC) + CERTIFICATE_WARNING:
        yield Finding(code=code, where=host, what=f"the certificate expires on {end:%Y-%m-%d}", do=do)


_CHECKS: tuple[tuple[set[str], Callable[[], Iterable[Finding]]], ...] = (
    (set(), lambda: list(check_answers())),
    (set(), lambda: list(check_disk_space())),
    ({"job-waiting", "job-silent"}, lambda: list(check_stuck_jobs())),
    ({"chore-overdue"}, lambda: list(check_overdue_tasks())),
    ({"backup-old"}, lambda: list(check_backup_age())),
    ({"backup-failed"}, lambda: list(check_latest_backup())),
    (set(), lambda: list(check_mail_server())),
    (set(), lambda: list(check_certificate())),
)
"""Each check, with the codes that it can't decide without the database."""
