"""Arbiters as report files name them: the name, then the FIDE ID in brackets."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"(.*?)\s*[(\[]\s*([0-9]{5,11})\s*[)\]]\s*", re.DOTALL)


def parse_deputy_arbiters(text: str) -> list[str]:
    """Return the deputy arbiters in a text with one per line."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def split_name_and_fide_id(text: str) -> tuple[str, str]:
    """Split an arbiter's name and FIDE ID. The ID may be missing."""
    match = _NUMBERED.fullmatch(text)
    return (match[1].strip(), match[2]) if match else (text.strip(), "")


def format_name_with_fide_id(name: str, number: str) -> str:
    """Return the name with its FIDE ID, as in a report."""
    return f"{name} ({number})" if name and number and not split_name_and_fide_id(name)[1] else name
