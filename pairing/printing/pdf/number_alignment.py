"""Figures of a column under one another: whole ones, halves and decimals end at the same place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.formats import localize

from pairing.printing.pdf.text_widths import Typeface, spaces_of_width, text_width

_NUMBER = re.compile(r"([−-]?\d*)(½|[.,]\d+)?")


def align_numbers(values: Sequence[object], typeface: Typeface = Typeface.TEXT) -> list[str]:
    """The values of a column as they are written in the language now active, with white space behind what is shorter.

    Where one is no number, nothing is changed.
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
