"""A club's colour and logo, open to everyone. Their URLs change with their content, so they are cached for a year."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from clubs.models import ClubLetterhead
from common.text.colours import ColourTones, tones_for_dark_background, tones_for_light_background


def club_style_sheet(colour: str, *, look: str) -> str:
    """Return the CSS tokens for a colour such as `#14613f`.

    `look` is `light`, `dark` or `auto` (follow the device).
    """
    if look == "auto":
        in_the_dark = club_style_sheet(colour, look="dark").strip()
        return (
            f"{club_style_sheet(colour, look='light')}@media screen and (prefers-color-scheme:dark){{{in_the_dark}}}\n"
        )
    tones = tones_for_dark_background(colour) if look == "dark" else tones_for_light_background(colour)
    # The bar at the top carries no text, so it uses the colour unchanged, except where a dark one would not be seen.
    bar = tones.accent if look == "dark" else colour
    return f":root{{--club:{bar};{_tokens(tones)}}}\n"


def _tokens(tones: ColourTones) -> str:
    return (
        f"--accent:{tones.accent};--accent-strong:{tones.strong};--accent-wash:{tones.wash};--on-accent:{tones.on};"
        f"--square-dark:{tones.accent};--on-square-dark:{tones.on}"
    )


_A_YEAR = 365 * 24 * 3600


@login_not_required
@require_safe
@cache_control(public=True, max_age=_A_YEAR, immutable=True)
def club_colours_css(request: HttpRequest, colour: str, look: str) -> HttpResponse:
    """Return the style sheet for a club colour, given as six hexadecimal digits."""
    return HttpResponse(club_style_sheet(f"#{colour}", look=look), content_type="text/css")


@login_not_required
@require_safe
@cache_control(public=True, max_age=_A_YEAR, immutable=True)
def club_logo_image(request: HttpRequest, club: str, mark: str) -> HttpResponse:
    """Return the club's logo if `mark`, the start of its digest, matches. Raises Http404 if not."""
    paper = get_object_or_404(ClubLetterhead, club__slug=club, club__logo_mark=mark)
    if not paper.logo:
        raise Http404
    return HttpResponse(bytes(paper.logo), content_type="image/png")
