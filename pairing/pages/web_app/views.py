"""The web app manifest, the service worker, and the page shown without a connection."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from clubs.request_types import WebRequest

THEME_COLOUR, BACKGROUND_COLOUR = "#14613f", "#ffffff"


@login_not_required
@require_safe
def web_app_manifest(request: WebRequest) -> HttpResponse:
    """Return the web app manifest. The app opens on the player's own board."""
    icons = [
        {"src": static(f"img/clubnight-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in (192, 512)
        for purpose in ("any", "maskable")
    ]
    content = {
        "id": "/",
        "name": "Clubnight",
        "short_name": "Clubnight",
        "description": _("My board"),
        "lang": get_language(),
        "start_url": reverse("my_page"),
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME_COLOUR,
        "background_color": BACKGROUND_COLOUR,
        "icons": icons,
    }
    return JsonResponse(content, content_type="application/manifest+json")


@login_not_required
@require_safe
@conditional_page
def service_worker(request: WebRequest) -> HttpResponse:
    """Return the service worker script. Browsers check for a new one with every page."""
    response = render(request, "pairing/pages/web_app/service_worker.js", content_type="text/javascript")
    patch_cache_control(response, no_cache=True)
    return response


@login_not_required
@require_safe
def offline_page(request: WebRequest) -> HttpResponse:
    """Show the offline page: a list of the pages stored on the device."""
    return render(request, "pairing/pages/web_app/offline.html")
