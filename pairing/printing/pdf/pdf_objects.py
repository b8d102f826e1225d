"""References to objects of a WeasyPrint PDF."""

from __future__ import annotations

from typing import Any


def object_number(reference: bytes) -> int:
    """Return the object number of a reference such as `12 0 R`."""
    return int(reference.split()[0])


def resolve_reference(pdf: Any, reference: bytes) -> Any:
    """Return the object of a reference."""
    return pdf.objects[object_number(reference)]
