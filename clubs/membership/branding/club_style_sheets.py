"""Style sheets that apply a club's colour to the design tokens in static/css/clubnight.css and dark.css."""

from __future__ import annotations

from common.text.colours import ColourTones, tones_on_dark, tones_on_light


def club_style_sheet(colour: str, *, look: str) -> str:
    """Return the CSS tokens for a colour such as `#14613f`.

    `look` is `light`, `dark` or `auto` (follow the device).
    """
    if look == "auto":
        in_the_dark = club_style_sheet(colour, look="dark").strip()
        return (
            f"{club_style_sheet(colour, look='light')}@media screen and (prefers-color-scheme:dark){{{in_the_dark}}}\n"
        )
    tones = tones_on_dark(colour) if look == "dark" else tones_on_light(colour)
    # The bar at the top carries no text, so it uses the colour unchanged.
    return f":root{{--club:{colour};{_tokens(tones)}}}\n"


def _tokens(tones: ColourTones) -> str:
    return (
        f"--accent:{tones.accent};--accent-strong:{tones.strong};--accent-wash:{tones.wash};--on-accent:{tones.on};"
        f"--square-dark:{tones.accent};--on-square-dark:{tones.on}"
    )
