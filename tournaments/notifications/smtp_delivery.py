"""Letters: through the mail server, with the very moment noted at which it takes one over.

A mail server cannot be asked whether it has a letter already. So a letter's row is marked as handed over just before
the full stop that ends it is sent, and by whoever is killed later it is not sent a second time; killed earlier, the
server never had the whole of it.
"""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.smtp import EmailBackend


class HandoverSmtpConnection(smtplib.SMTP):
    """Calls `before_final_dot` when all of a letter but its end is at the server."""

    before_final_dot: Callable[[], None] = staticmethod(lambda: None)

    def data(self, msg: Any) -> tuple[int, bytes]:
        """As the library's, but for the moment before the end."""
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
    """The same, encrypted from the start."""


class HandoverEmailBackend(EmailBackend):
    """Django's, with connections that call before a letter's end."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return HandoverSmtpTlsConnection if self.use_ssl else HandoverSmtpConnection


class MailServerConnection:
    """A connection for some letters; opened with the first, closed with the block."""

    def __init__(self) -> None:
        smtp = settings.EMAIL_BACKEND == "django.core.mail.backends.smtp.EmailBackend"
        self._connection: Any = HandoverEmailBackend() if smtp else get_connection()

    def __enter__(self) -> MailServerConnection:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def open_connection(self) -> None:
        """OSError, which every SMTPException is, where the server does not answer."""
        self._connection.open()

    def send_email(self, letter: EmailMessage, hand_over: Callable[[], None]) -> None:
        """Send one letter. `hand_over` is called once the server has all but its end; what it raises stops the letter.

        Raises OSError: after `hand_over` was called and not SMTPDataError, nobody knows whether the letter has gone.
        """
        smtp = getattr(self._connection, "connection", None)
        if isinstance(smtp, HandoverSmtpConnection):
            smtp.before_final_dot = hand_over
        else:
            hand_over()
        try:
            self._connection.send_messages([letter])
        except BaseException:
            # In the middle of a letter nothing else may be said on this connection: the server must not get its end.
            if isinstance(smtp, HandoverSmtpConnection):
                smtp.close()
                self._connection.connection = None
            raise
