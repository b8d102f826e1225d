"""Views for search engines: robots.txt and the sitemap."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.models import Round, Tournament

MAX_EVENTS = 1_500
"""A sitemap has at most 50,000 URLs, and an event at most 32 of them."""

_LEFT_ALONE = ("/p/", "/me/", "/join/", "/check-in/", "/account/", "/sign-in/", "/admin/", "/*/*/print/", "/*/*/me/")
"""Personal URLs, and papers, which are made for each request.

Pages that must not be listed use `noindex` (`config.noindex_default`), which works only if the page can be read.
Previews of shared links need to read them too.
"""


@login_not_required
@require_safe
@cache_control(public=True, max_age=24 * 60 * 60)
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Return robots.txt (RFC 9309, sitemaps.org)."""
    lines = ["User-agent: *", *(f"Disallow: {each}" for each in _LEFT_ALONE)]
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@login_not_required
@require_safe
@cache_control(public=True, max_age=60 * 60)
def sitemap(request: HttpRequest) -> HttpResponse:
    """Return the sitemap: public pages, and events of clubs that allow search engines."""
    places = [f"<url><loc>{escape(request.build_absolute_uri(each))}</loc></url>" for each in _listed()]
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return HttpResponse("\n".join([head, *places, "</urlset>\n"]), content_type="application/xml; charset=utf-8")


def _listed() -> Iterator[str]:
    yield from (reverse("home"), reverse("pairing_help_list"))
    events = Tournament.objects.filter(is_public=True, club__in_search_engines=True).order_by("club__slug", "-pk")
    clubs: set[str] = set()
    for club, event in events.values_list("club__slug", "slug")[:MAX_EVENTS]:
        if club not in clubs:
            clubs.add(club)
            yield reverse("club", args=[club])
        yield from (reverse("tournament", args=[club, event]), reverse("standings", args=[club, event]))
    shown = Round.objects.filter(
        state__in=(Round.State.PUBLISHED, Round.State.FINISHED),
        tournament__in=events.values("pk")[:MAX_EVENTS],
    )
    for row in shown.order_by("pk").values_list("tournament__club__slug", "tournament__slug", "number"):
        yield reverse("round", args=row)
