"""Django system checks of the server's settings, run by `check --deploy` and `doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from common.text.secret_files import can_create_files


@register(Tags.security, deploy=True)
def check_https_and_mail(**_asked: Any) -> list[CheckMessage]:
    """Warn if HTTPS or email is not set up. A club can run offline without them."""
    found: list[CheckMessage] = []
    if not settings.SECURE_SSL_REDIRECT:
        found.append(
            Warning(
                "pages are served without TLS, so passwords can be read on the network",
                hint="Set CLUBNIGHT_HTTPS=1 behind a web server with a certificate (docs/operator/server.md). "
                "Ignore this if the server is a laptop that only the playing hall can reach.",
                id="clubnight.W001",
            )
        )
    if not settings.EMAIL_HOST:
        found.append(
            Warning(
                "no mail server is set, so invitations, reminders and password resets are only saved in var/mail",
                hint="Set CLUBNIGHT_MAIL. Without it, share links yourself, and set new passwords with "
                "`manage.py changepassword NAME`.",
                id="clubnight.W002",
            )
        )
    return found


@register(Tags.security, deploy=True)
def check_settings_and_push_key(**_asked: Any) -> list[CheckMessage]:
    """Report unknown settings and an unusable push key file."""
    found: list[CheckMessage] = [
        Warning(
            f"{name} is not a Clubnight setting",
            hint=f"{f'Is {near} meant? ' if near else ''}All settings are listed in docs/operator/server.md.",
            id="clubnight.W003",
        )
        for name, near in settings.UNKNOWN_SETTINGS.items()
    ]
    keys = Path(settings.PUSH_KEY_FILE)
    if not _can_be_kept(keys):
        found.append(
            Error(
                f"CLUBNIGHT_PUSH_KEY={keys} can't be created or read, so nobody gets notifications",
                hint="Choose a file in a folder that the server's user can write to, or remove the setting.",
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
