"""Views for frames with a round's boards or the table, and the settings page for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.models import Club
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.public.embeds.forms import WebsiteSettingsForm, allow_in_frames
from pairing.public.embeds.share_cards import (
    FontsMissingError,
    ShareCard,
    board_share_card,
    draw_share_card,
    round_share_card,
    standings_share_card,
)
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.access import get_round_for_reader, get_tournament_for_reader
from tournaments.events.event_progress import EventProgress, latest_public_round, list_events_with_progress
from tournaments.live_updates.page_decorators import cache_event_page
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

MAX_FRAME_LINES = 100


@login_not_required
@require_safe
@allow_in_frames
def club_embed(request: WebRequest, club: str) -> HttpResponse:
    """Redirect to the club's current event, or else its latest: a permanent URL for a frame."""
    the_club = Club.objects.get(slug=club)
    events = list_events_with_progress(the_club.tournaments.filter(is_public=True))
    begun = [each for each in events if each.progress is not EventProgress.TO_COME]
    if not begun:
        return render(request, "pairing/public/embeds/embed_empty.html", {"club": the_club, "look": _look(request)})
    going = [each for each in begun if each.progress is EventProgress.RUNNING] or begun
    event = max(
        (each.tournament for each in going), key=lambda each: (each.starts_on is not None, each.starts_on, each.pk)
    )
    query = request.GET.urlencode()
    return redirect(f"{reverse('event_embed', args=[club, event.slug])}{'?' if query else ''}{query}")


@login_not_required
@require_safe
@allow_in_frames
@cache_event_page
def event_embed(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show a public event in brief: the boards of its latest round, or with `?show=standings` its standings."""
    tournament = get_tournament_for_reader(request.user, club, event)
    latest = latest_public_round(list(tournament.rounds.all()))
    shows_table = request.GET.get("show") == "standings" or latest is None
    context = {
        "tournament": tournament,
        "club": tournament.club,
        "latest": latest,
        "shows_table": shows_table,
        "table": _table(tournament) if shows_table else None,
        "look": _look(request),
    }
    if not shows_table and latest is not None:
        latest.tournament = tournament
        context["sheet"] = pairing_sheet(latest, last=MAX_FRAME_LINES)
    return render(request, "pairing/public/embeds/event_embed.html", context)


def _table(tournament: Tournament) -> object:
    try:
        found = get_event_standings(tournament)
        return standings_sheet(found, rows=found.rows[:MAX_FRAME_LINES])
    except ArbiterProblem:
        # The page of the standings explains an unknown tie-break.
        return None


def _look(request: WebRequest) -> str:
    """Return the look that the website asks for, to match its colours. The browser's own setting is ignored."""
    wanted = request.GET.get("look", "")
    return wanted if wanted in ("light", "dark") else ""


@require_http_methods(["GET", "HEAD", "POST"])
def club_website_settings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Edit which websites and search engines can show the club's events, and show the code to copy."""
    the_club = get_club_for_secretary(request.user, club)
    form = WebsiteSettingsForm(request.POST or None, instance=the_club)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("club_website_settings", club)
    if form.errors:
        the_club = Club.objects.get(pk=the_club.pk)
    context = club_page_context(request.user, the_club, "settings") | {
        "form": form,
        "address": request.build_absolute_uri(reverse("club_embed", args=[club])),
    }
    return render(request, "pairing/public/embeds/website_settings.html", context, status=422 if form.errors else 200)


MAX_EVENTS = 1_500
"""A sitemap has at most 50,000 URLs, and an event at most 32 of them."""

_LEFT_ALONE = ("/p/", "/me/", "/join/", "/check-in/", "/account/", "/sign-in/", "/admin/", "/*/*/print/", "/*/*/me/")
"""Personal URLs, and papers, which are made for each request.

Pages that must not be listed use `noindex` (`config.middleware.noindex_default`), which works only if the page can be
read. Previews of shared links need to read them too.
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


CACHE_SECONDS = 24 * 60 * 60
"""Seconds for which an image is cached by its content."""

_public = cache_control(public=True, max_age=600)
_STRANGER = AnonymousUser()
"""Used for every request: images are public, so nobody's permissions add anything."""


@login_not_required
@require_safe
@_public
def round_share_image(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """Return a picture of the first boards in a published round."""
    this_round = get_round_for_reader(_STRANGER, club, event, number)
    return _answered(request, lambda: round_share_card(this_round))


@login_not_required
@require_safe
@_public
def board_share_image(request: HttpRequest, club: str, event: str, number: int, board: int) -> HttpResponse:
    """Return a picture of one board in a published round."""
    this_round = get_round_for_reader(_STRANGER, club, event, number)
    return _answered(request, lambda: board_share_card(this_round, board))


@login_not_required
@require_safe
@_public
def standings_share_image(request: HttpRequest, club: str, event: str, after: int | None = None) -> HttpResponse:
    """Return a picture of the top of the table after a published round, by default the latest."""
    tournament = get_tournament_for_reader(_STRANGER, club, event)
    if after is not None:
        get_round_for_reader(_STRANGER, club, event, after)
    return _answered(request, lambda: standings_share_card(tournament, after))


def _answered(request: HttpRequest, make: Callable[[], ShareCard | None]) -> HttpResponse:
    try:
        card = make()
        if card is None:
            raise Http404
        etag = f'"{card.content_hash}"'
        known = get_conditional_response(request, etag=etag)
        return known or HttpResponse(_picture(card), content_type="image/png", headers={"ETag": etag})
    except (ArbiterProblem, FontsMissingError) as nothing:
        raise Http404 from nothing


def _picture(card: ShareCard) -> bytes:
    kept: bytes | None = caches["pictures"].get(card.content_hash)
    if kept is None:
        kept = draw_share_card(card)
        caches["pictures"].set(card.content_hash, kept, CACHE_SECONDS)
    return kept
