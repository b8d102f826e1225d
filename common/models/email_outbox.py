"""Base models for rows that send emails."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class EmailOutboxRow(models.Model):
    """A row that can have one email due at a time. Each is sent once (`common.emails.outbox`)."""

    email_due = models.CharField(max_length=7, blank=True, editable=False)
    """The kind of email that is due. Empty for none."""
    email_due_at = models.DateTimeField(default=timezone.now, editable=False)
    """The time at which to send the email or try again. While a process is sending it: when others may take it over."""
    email_attempts = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta:
        abstract = True

    def set_email_due(self, kind: str) -> None:
        """Make an email due now, replacing any that hasn't been sent. The row isn't saved."""
        self.email_due, self.email_due_at, self.email_attempts = kind, timezone.now(), 0


class ConfirmedByEmailRow(EmailOutboxRow):
    """A form that anybody can send. A link that works once confirms its address (`common.emails.confirmation`)."""

    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=200, blank=True)
    """The server's URL, such as https://chess.example/, for the links in emails."""
    sent_at = models.DateTimeField(default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True, editable=False)
    token_hash = models.CharField(max_length=64, blank=True, editable=False)
    """The hash of the token in the confirmation email. Empty before the email is sent and after the token is used."""
    token_ends_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True
