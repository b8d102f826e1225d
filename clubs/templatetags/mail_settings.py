"""Whether letters go out, in templates."""

from __future__ import annotations

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def has_mail_server() -> bool:
    """A mail server is set; without one letters become files, and nobody should wait for those."""
    return bool(settings.EMAIL_HOST)
