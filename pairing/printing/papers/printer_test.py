"""A test page for printers: margins, scaling, greys and the smallest legible type."""

from __future__ import annotations

from urllib.parse import quote

from django.utils import translation
from django.utils.translation import gettext as _

from pairing.printing.pdf.paper_templates import PrintOptions, render_part
from pairing.printing.pdf.weasyprint_rendering import Paper

_RULER = 30
"""The length of a ruler from the edge, in millimetres."""
_SIZES = (5, 5.5, 6.5, 8, 9, 10, 11.5)
"""The type sizes that papers use, in points."""
_GREYS = (0, 25, 50, 75, 90, 100)


def printer_test_paper(wishes: PrintOptions, *, club: str) -> Paper:
    """Rulers from each edge, cut marks in the quarters, a ten-centimetre square, greys and sizes of type."""
    with translation.override(wishes.language):
        heading = _("Printer test")
        context = {
            "heading": heading,
            "title": f"{heading}, {club}",
            "club": club,
            "sizes": [(size, f"s{str(size).replace('.', '-')}") for size in _SIZES],
            "greys": _GREYS,
            "body_class": str(wishes.size),
        }
        return Paper(
            parts=(
                render_part(
                    "pairing/printing/papers/printer_test.html",
                    context,
                    wishes,
                    "printer_test",
                    wishes.portrait_css,
                    _picture(wishes),
                ),
            )
        )


def _picture(wishes: PrintOptions) -> str:
    """Return the rulers and marks as the background of the sheet."""
    wide, high = wishes.size.size_in_mm
    hairs = "".join(_ruler(wide, high))
    across, down = wide / 2, high / 4
    marks = "".join(
        f"M{x:.2f} {y - 8:.2f}v16M{x - 8:.2f} {y:.2f}h16" for x in (0, across, wide) for y in (down, 2 * down, 3 * down)
    )
    frame = f"M5 5h{wide - 10:.2f}v{high - 10:.2f}h-{wide - 10:.2f}z"
    square = f"M{across - 50:.2f} {high / 2 - 50:.2f}h100v100h-100z"
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}"'
        f' fill="none" stroke="#000"><path stroke-width=".1" d="{hairs}{marks}{frame}"/>'
        f'<path stroke-width=".2" d="{square}"/></svg>'
    )
    return f".test {{ height: {high}mm; background: url('data:image/svg+xml,{quote(picture)}') 0 0 no-repeat }}"


def _ruler(wide: float, high: float) -> list[str]:
    """Return strokes a millimetre apart from every edge inwards, longer at each fifth and tenth."""
    strokes = []
    for at in range(_RULER + 1):
        long = 6 if at % 10 == 0 else 4 if at % 5 == 0 else 2
        x, y = wide * 0.25, high * 0.375
        strokes += [
            f"M{x:.2f} {at}h{long}",
            f"M{x:.2f} {high - at:.2f}h{long}",
            f"M{at} {y:.2f}v{long}",
            f"M{wide - at:.2f} {y:.2f}v{long}",
        ]
    return strokes
