"""Alignment of the numbers in a column: integers, halves and decimals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.formats import localize

from pairing.printing.pdf.text_widths import Typeface, spaces_of_width, text_width

_NUMBER = re.compile(r"([−-]?\d*)(½|[.,]\d+)?")


def align_numbers(values: Sequence[object], typeface: Typeface = Typeface.TEXT) -> list[str]:
    """Return the values of a column in the active language, padded with spaces so that digits are aligned.

    If a value is not a number, nothing is changed.
    """
    texts = [str(localize(value)) for value in values]
    found = [_NUMBER.fullmatch(text) for text in texts]
    tails = [(match[2] or "") if match else "" for match in found]
    if not all(found) or not any(tails):
        return texts
    widest = max(text_width(tail, typeface) for tail in tails)
    return [
        text + spaces_of_width(widest - text_width(tail, typeface), typeface)
        for text, tail in zip(texts, tails, strict=True)
    ]
