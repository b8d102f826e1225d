"""Headings of banks' tables in a form in which they can be compared."""

from __future__ import annotations

import re

from common.text.name_search import normalise_name

CURRENCY_BEHIND_HEADING = re.compile(
    r"\s*(?:\bin|\bw|\bv)?\s*[(\[]?\b(?P<code>[A-Z]{3})\b[)\]]?\Z|\s*[(\[](?P<mark>[^)\]]+)[)\]]\Z"
)
"""The currency in "Umsatz in EUR", "Betrag (€)", "Kwota PLN"."""


def normalise_heading(heading: str) -> str:
    """Return a heading in lower-case Latin letters, without a trailing currency or a leading #."""
    bare = heading.strip().lstrip("#")
    return " ".join(normalise_name(CURRENCY_BEHIND_HEADING.sub("", bare) or bare).split())
