"""Placeholders such as {name} in texts that people write."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_PLACE = re.compile(r"\{\s*(\w*)\s*\}")


def unknown_placeholders(text: str, known: Collection[str]) -> list[str]:
    """Return the unknown placeholders in a text, as written."""
    return [found.group() for found in _PLACE.finditer(text) if found.group(1) not in known]


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the known placeholders filled in."""
    return _PLACE.sub(lambda found: values.get(found.group(1), found.group()), text)
