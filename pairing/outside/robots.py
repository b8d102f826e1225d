"""What search engines are asked to leave alone, in the file they read first."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_LEFT_ALONE = ("/p/", "/me/", "/join/", "/check-in/", "/account/", "/sign-in/", "/admin/", "/*/*/print/", "/*/*/me/")
"""Personal addresses, and papers, which are made anew for whoever asks. Pages that must not be listed say so
themselves (`config.search_engines`): a page that may not be read cannot, and previews of shared links are read."""


@login_not_required
@require_safe
@cache_control(public=True, max_age=24 * 60 * 60)
def robots_txt(_request: HttpRequest) -> HttpResponse:
    """RFC 9309."""
    lines = ["User-agent: *", *(f"Disallow: {each}" for each in _LEFT_ALONE), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
