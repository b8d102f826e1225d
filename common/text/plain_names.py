"""Names that anybody can enter in a form, for emails to addresses that nobody has confirmed."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_SIGNS = " ,.'’-\u2010\u2011\u05be\u05f3\u05f4·"
"""With the hyphens and quotation marks of Hebrew names, and the dot within Catalan ones."""


def clean_plain_name(name: str) -> str:
    """Return the name without extra spaces. Raises ValidationError if it could contain a message or a link."""
    name = name.replace(".", ". ")
    if not all(unicodedata.category(letter)[0] in "LM" or letter in _SIGNS for letter in name):
        raise ValidationError(_("A name can only have letters, spaces, hyphens, apostrophes and full stops."))
    return ", ".join(" ".join(part.split()) for part in name.split(",", 1)).strip(", ")
