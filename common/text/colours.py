"""Club colours: their contrast, and the tones a page uses.

Contrast is defined as in WCAG 2.2: 1 for equal colours, 21 for black on white. Text needs 4.5.
"""

from __future__ import annotations

import colorsys
import re
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MIN_CONTRAST = 4.5
"""The minimum contrast of text to its background."""

_DARK_CONTRAST = 7
"""The minimum on a dark background, where links at 4.5 look like muted text."""

_DARK_SATURATION = 0.7
"""The minimum on a dark background, except for colours that are nearly grey."""

_NEARLY_GREY = 0.1

_LIGHT_GROUND, _DARK_GROUND = "#ffffff", "#191f1c"
_BLACK, _WHITE = "#16201a", "#ffffff"
_STEPS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourTones:
    """The tones of a colour: `accent` for buttons, `strong` on hover, `wash` for backgrounds, `on` for text on it."""

    accent: str
    strong: str
    wash: str
    on: str


def contrast_ratio(one: str, other: str) -> float:
    """Return the contrast of two colours such as `#14613f`."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def tones_for_light_background(colour: str) -> ColourTones:
    """Return the tones on white, from the colour or the nearest darker one that is readable."""
    accent = _until_readable(colour, towards="#000000", ground=_LIGHT_GROUND, contrast=MIN_CONTRAST)
    return ColourTones(
        accent=accent, strong=_mixed(accent, "#000000", 0.25), wash=_mixed(accent, _WHITE, 0.88), on=_upon(accent)
    )


def tones_for_dark_background(colour: str) -> ColourTones:
    """Return the tones on a dark background, from a lighter, saturated colour of the same hue that is readable."""
    accent = _until_readable(_saturated(colour), towards=_WHITE, ground=_DARK_GROUND, contrast=_DARK_CONTRAST)
    return ColourTones(
        accent=accent, strong=_mixed(accent, _WHITE, 0.3), wash=_mixed(accent, _DARK_GROUND, 0.8), on=_upon(accent)
    )


def check_colour_contrast(value: str) -> None:
    """Raise ValidationError if a colour is not readable on white. The message suggests the nearest one."""
    if not re.fullmatch(r"#[0-9a-f]{6}", value):
        raise ValidationError(_("Enter a colour as #rrggbb, such as #14613f."))
    nearest = tones_for_light_background(value).accent
    if nearest != value:
        raise ValidationError(
            _("This colour is too light to read on white. The nearest readable colour is %(colour)s.")
            % {"colour": nearest}
        )


def _until_readable(colour: str, *, towards: str, ground: str, contrast: float) -> str:
    for step in range(_STEPS + 1):
        tried = _mixed(colour, towards, step / _STEPS)
        if contrast_ratio(tried, ground) >= contrast:
            return tried
    return towards


def _saturated(colour: str) -> str:
    """Return the colour at the lightness where its hue is strongest on a dark background."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in _parts(colour)))
    if saturation < _NEARLY_GREY:
        return colour
    parts = colorsys.hls_to_rgb(hue, max(lightness, 0.6), max(saturation, _DARK_SATURATION))
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _upon(accent: str) -> str:
    return max((_WHITE, _BLACK), key=lambda ink: contrast_ratio(ink, accent))


def _mixed(one: str, other: str, share: float) -> str:
    """Mix a share of the other colour into the first one."""
    parts = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(part / 255) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
