"""Sending email through a mail server, noting the exact moment at which it accepts an email.

A mail server cannot be asked whether it already has an email. So the row is marked HANDED just before the full stop
that ends the email is sent. After a later crash it is not sent again; before that, the server never had all of it.
"""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.smtp import EmailBackend


def is_email_configured() -> bool:
    """Return True if a mail server is set. Without one, emails are only written to files."""
    return bool(settings.EMAIL_HOST)


class HandoverSmtpConnection(smtplib.SMTP):
    """An SMTP connection that calls `before_final_dot` when the server has all of an email except its end."""

    before_final_dot: Callable[[], None] = staticmethod(lambda: None)

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send a message like the library's method, but call `before_final_dot` before its end."""
        self.putcmd("data")
        code, said = self.getreply()
        if code != 354:
            raise smtplib.SMTPDataError(code, said)
        quoted = smtplib._quote_periods(msg)  # type: ignore[attr-defined]
        self.send(quoted if quoted.endswith(b"\r\n") else quoted + b"\r\n")
        self.before_final_dot()
        self.send(b".\r\n")
        code, said = self.getreply()
        if code != 250:
            raise smtplib.SMTPDataError(code, said)
        return code, said


class HandoverSmtpTlsConnection(HandoverSmtpConnection, smtplib.SMTP_SSL):
    """A `HandoverSmtpConnection` that is encrypted from the start."""


class HandoverEmailBackend(EmailBackend):
    """Django's email backend with connections that call back before the end of an email."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return HandoverSmtpTlsConnection if self.use_ssl else HandoverSmtpConnection


class MailServerConnection:
    """A connection for several emails, opened for the first one and closed at the end of the block."""

    def __init__(self) -> None:
        smtp = settings.EMAIL_BACKEND == "django.core.mail.backends.smtp.EmailBackend"
        self._connection: Any = HandoverEmailBackend() if smtp else get_connection()

    def __enter__(self) -> MailServerConnection:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def open_connection(self) -> None:
        """Open the connection. Raises OSError, the base of every SMTPException, if the server does not answer."""
        self._connection.open()

    def send_email(self, letter: EmailMessage, hand_over: Callable[[], None]) -> None:
        """Send one email. `hand_over` is called before the final dot, and can raise an error to stop the email.

        Raises OSError. After `hand_over` was called, it is unknown whether the email was sent, except after
        SMTPDataError.
        """
        smtp = getattr(self._connection, "connection", None)
        if isinstance(smtp, HandoverSmtpConnection):
            smtp.before_final_dot = hand_over
        else:
            hand_over()
        try:
            self._connection.send_messages([letter])
        except BaseException:
            # In the middle of an email, send nothing more on this connection: the server must not receive its end.
            if isinstance(smtp, HandoverSmtpConnection):
                smtp.close()
                self._connection.connection = None
            raise
