"""Views for frames with a round's boards or the table, and the settings page for them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.models import Club
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.public.embeds.forms import WebsiteSettingsForm
from pairing.public.embeds.frame_permissions import allow_in_frames
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.access import get_tournament_for_reader
from tournaments.events.event_progress import EventProgress, latest_public_round, list_events_with_progress
from tournaments.live_updates.page_decorators import cache_event_page
from tournaments.models import Tournament
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
    """A public event in short: the boards of its latest round, or with `?show=standings` its table."""
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
    """Return the look that the website asks for, to match its colours; not the browser's own setting."""
    wanted = request.GET.get("look", "")
    return wanted if wanted in ("light", "dark") else ""


@require_http_methods(["GET", "HEAD", "POST"])
def club_website_settings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Settings: which websites can show the club's events, if search engines can, and the code to copy."""
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
