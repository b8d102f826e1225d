"""Measures the printouts' fonts: `python -m lab.measure_fonts` writes `faces.json`.

It needs the fonts of `docs/secretary/printing.md` and fontconfig's `fc-match`. Printouts only read the file.
"""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from pathlib import Path

WIDTHS_FILE = Path(__file__).parent.parent / "pairing" / "printing" / "pdf" / "faces.json"
FONT_PATTERNS = {
    "cards": "DejaVu Sans:condensed",
    "cards-bold": "DejaVu Sans:condensed:bold",
    "text": "Noto Sans",
    "text-bold": "Noto Sans:bold",
}
"""The fontconfig pattern of every typeface."""

_BLOCKS = ((0x20, 0x24F), (0x2B0, 0x2FF), (0x370, 0x52F), (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x20A0, 0x20BF))
_SINGLE = "№½¼¾↑↓←→○●−×≥≤□☐✓"


def measure_font(pattern: str) -> dict[str, str]:
    """Return the characters of a font, grouped by width in thousandths of an em. `pattern` is for fontconfig."""
    from fontTools.ttLib import TTFont

    command = ["fc-match", "-f", "%{file}", pattern]
    path = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    font = TTFont(path, lazy=True)
    names, widths, em = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    wanted = [code for first, last in _BLOCKS for code in range(first, last + 1)] + [ord(sign) for sign in _SINGLE]
    by_width: dict[int, str] = defaultdict(str)
    for code in wanted:
        if code in names:
            by_width[round(widths[names[code]][0] * 1000 / em)] += chr(code)
    return {str(width): signs for width, signs in sorted(by_width.items()) if width}


def main() -> None:
    faces = {name: measure_font(pattern) for name, pattern in FONT_PATTERNS.items()}
    WIDTHS_FILE.write_text(json.dumps(faces, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
