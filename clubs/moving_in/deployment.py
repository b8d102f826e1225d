"""What a server lacks to be one, said by `check --deploy` and `doctor` in our own words."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.security, deploy=True)
def missing_for_a_server(**_asked: Any) -> list[CheckMessage]:
    """Neither keeps a club from playing in a hall without the Internet."""
    found: list[CheckMessage] = []
    if not settings.SECURE_SSL_REDIRECT:
        found.append(
            Warning(
                "pages come without TLS: who listens on the way reads passwords",
                hint="Set CLUBNIGHT_HTTPS=1 behind a web server with a certificate (docs/server.md). Nothing, where the"
                " server is a laptop in the hall that only the hall reaches.",
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
