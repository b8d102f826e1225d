"""A club's colour as a style sheet over the tokens of the looks (static/css/clubnight.css, dark.css)."""

from __future__ import annotations

from common.text.colours import ColourTones, tones_on_dark, tones_on_light


def club_style_sheet(colour: str, *, look: str) -> str:
    """The tokens of one look, `light`, `dark` or `auto` (as the device is), for a colour such as `#14613f`."""
    if look == "auto":
        in_the_dark = club_style_sheet(colour, look="dark").strip()
        return (
            f"{club_style_sheet(colour, look='light')}@media screen and (prefers-color-scheme:dark){{{in_the_dark}}}\n"
        )
    tones = tones_on_dark(colour) if look == "dark" else tones_on_light(colour)
    # The bar at the top of the page is in the colour as it was chosen: nothing is read on it.
    return f":root{{--club:{colour};{_tokens(tones)}}}\n"


def _tokens(tones: ColourTones) -> str:
    return (
        f"--accent:{tones.accent};--accent-strong:{tones.strong};--accent-wash:{tones.wash};--on-accent:{tones.on};"
        f"--square-dark:{tones.accent};--on-square-dark:{tones.on}"
    )
