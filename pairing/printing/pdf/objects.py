"""Objects of a PDF that WeasyPrint has made, by their references."""

from __future__ import annotations

from typing import Any


def number_of(reference: bytes) -> int:
    """`12 0 R` is a reference to the object with number 12."""
    return int(reference.split()[0])


def named(pdf: Any, reference: bytes) -> Any:
    """The object."""
    return pdf.objects[number_of(reference)]
