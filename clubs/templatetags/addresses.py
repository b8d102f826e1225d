"""Template filter for email addresses."""

from __future__ import annotations

from django import template
from django.utils.html import format_html

register = template.Library()


@register.filter
def breakable_address(email: str) -> str:
    """Return an email address that a narrow column may break after the @."""
    name, sign, domain = email.partition("@")
    return format_html("{}{}<wbr>{}", name, sign, domain)
