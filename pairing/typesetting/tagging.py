"""What WeasyPrint leaves wrong in the tags of a PDF, put right before it is written."""

from __future__ import annotations

from typing import Any

_POINTS = 0.75
"""Of a pixel. WeasyPrint reckons from the top of the page downwards in pixels, PDF from its foot in points."""


def put_figures_on_their_pages(_document: Any, pdf: Any) -> None:
    """The boxes of figures as PDF counts: a `finisher` of WeasyPrint, given what it has made."""
    for element in pdf.objects:
        if not isinstance(element, dict) or element.get("S") != "/Figure" or "BBox" not in element.get("A", {}):
            continue
        page = pdf.objects[int(element["Pg"].split()[0])]
        high = page["MediaBox"][3]
        left, top, right, bottom = (length * _POINTS for length in element["A"]["BBox"])
        element["A"]["BBox"][:] = (left, high - bottom, right, high - top)
