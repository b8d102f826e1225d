"""Template tag for the mail settings."""

from __future__ import annotations

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def has_mail_server() -> bool:
    """Return True if a mail server is set up. Without one, emails are saved as files."""
    return bool(settings.EMAIL_HOST)
