"""Clubnight's colours for the site's theme, taken from the application's style sheets."""

from __future__ import annotations

import re
from pathlib import Path

_TOKENS = {
    "accent": ("color-brand-primary", "color-brand-content", "color-brand-visited"),
    "page": ("color-background-secondary",),
    "surface": ("color-background-primary",),
    "ink": ("color-foreground-primary",),
    "ink-soft": ("color-foreground-secondary", "color-foreground-muted"),
    "line": ("color-background-border",),
    "sans": ("font-stack",),
    "serif": ("font-stack--headings",),
}
"""The theme's names for our tokens (docs/developer/design.md)."""


def theme_colours(style_sheet: Path) -> dict[str, str]:
    """Return the theme's variables with the values that a style sheet gives to our tokens."""
    tokens = dict(re.findall(r"^  --([a-z-]+): (.+);$", style_sheet.read_text(encoding="utf-8"), re.MULTILINE))
    return {name: tokens[token] for token, names in _TOKENS.items() if token in tokens for name in names}
