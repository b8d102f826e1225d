"""Django system checks of the server's settings, run by `check --deploy` and `doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from common.text.secret_files import can_create_files


@register(Tags.security, deploy=True)
def check_https_and_mail(**_asked: Any) -> list[CheckMessage]:
    """Warn if HTTPS or email is not set up. A club can play offline without either."""
    found: list[CheckMessage] = []
    if not settings.SECURE_SSL_REDIRECT:
        found.append(
            Warning(
                "pages come without TLS: who listens on the way reads passwords",
                hint="Set CLUBNIGHT_HTTPS=1 behind a web server with a certificate (docs/operator/server.md). Nothing,"
                " where the server is a laptop in the hall that only the hall reaches.",
                id="clubnight.W001",
            )
        )
    if not settings.EMAIL_HOST:
        found.append(
            Warning(
                "no mail server is set: invitations, reminders and forgotten passwords become files in var/mail",
                hint="Set CLUBNIGHT_MAIL. Without it links are handed over by those who make them, and"
                " `manage.py changepassword NAME` gives a new password.",
                id="clubnight.W002",
            )
        )
    return found


@register(Tags.security, deploy=True)
def check_settings_and_push_key(**_asked: Any) -> list[CheckMessage]:
    """Report unknown settings and an unusable push key file."""
    found: list[CheckMessage] = [
        Warning(
            f"{name} is no setting of Clubnight",
            hint=f"{f'Is {near} meant? ' if near else ''}All settings stand in docs/operator/server.md.",
            id="clubnight.W003",
        )
        for name, near in settings.UNKNOWN_SETTINGS.items()
    ]
    keys = Path(settings.PUSH_KEY_FILE)
    if not _can_be_kept(keys):
        found.append(
            Error(
                f"CLUBNIGHT_PUSH_KEY={keys} is no file that can be made, or read: nobody gets notifications",
                hint="Name a file in a folder in which the server's user may write, or leave the setting out.",
                id="clubnight.E001",
            )
        )
    return found


def _can_be_kept(file: Path) -> bool:
    if not file.exists():
        return can_create_files(file.parent)
    try:
        with file.open("rb"):
            return True
    except OSError:
        return False
