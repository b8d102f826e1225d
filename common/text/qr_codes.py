"""QR codes, as SVG for pages and as PNG in a data URI for printouts."""

from __future__ import annotations

from io import BytesIO

import segno
from django.http import HttpResponse


def qr_code_svg(text: str, *, scale: int = 6, border: int = 4) -> str:
    """Return a QR code as an SVG document, black on white. `scale` is the width of a module, `border` is in modules."""
    svg = BytesIO()
    code = segno.make(text, micro=False)
    code.save(svg, kind="svg", xmldecl=False, nl=False, scale=scale, border=border, light="#fff", svgclass=None)
    return svg.getvalue().decode()


def qr_code_response(address: str, *, is_private: bool = True) -> HttpResponse:
    """Return a QR code for a URL as SVG. Private URLs are not cached."""
    headers = {"Cache-Control": "private, no-store"} if is_private else {}
    return HttpResponse(qr_code_svg(address), content_type="image/svg+xml", headers=headers)


def qr_code_data_uri(address: str) -> str:
    """Return a QR code for a URL as a data URI. Empty for an empty URL."""
    if not address:
        return ""
    # One fixed mask: trying all eight takes three times as long, and phones read any of them.
    code = segno.make(address, micro=False, error="m", boost_error=False, mask=3)
    return str(code.png_data_uri(scale=4, border=0))
