"""Objects of a PDF that WeasyPrint has made, by their references."""

from __future__ import annotations

from typing import Any


def object_number(reference: bytes) -> int:
    """`12 0 R` is a reference to the object with number 12."""
    return int(reference.split()[0])


def resolve_reference(pdf: Any, reference: bytes) -> Any:
    """The object."""
    return pdf.objects[object_number(reference)]
