"""What stands in a frame: the boards of the latest round, or the table; and the page on which a club opens them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.frame import frame
from clubs.models import Club
from clubs.requests import OfficerRequest, WebRequest
from pairing.public.embeds.forms import WebSiteForm
from pairing.public.embeds.framing import in_a_frame
from pairing.view_models.sheets.rounds import pairing_sheet
from pairing.view_models.sheets.tables import standings_sheet
from pairing.view_models.standings.event_standings import standings
from tournaments.access import get_tournament_for_reader
from tournaments.events.progress import Progress, latest_public_round, listed
from tournaments.live_updates.freshness import sent_once
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

LINES_SHOWN = 100


@login_not_required
@require_safe
@in_a_frame
def club_frame(request: WebRequest, club: str) -> HttpResponse:
    """Leads to the event of the club that is being played, else to the one played last: an address for good."""
    the_club = Club.objects.get(slug=club)
    events = listed(the_club.tournaments.filter(is_public=True))
    begun = [each for each in events if each.progress is not Progress.TO_COME]
    if not begun:
        return render(request, "pairing/public/embeds/frame_empty.html", {"club": the_club, "look": _look(request)})
    going = [each for each in begun if each.progress is Progress.RUNNING] or begun
    event = max(
        (each.tournament for each in going), key=lambda each: (each.starts_on is not None, each.starts_on, each.pk)
    )
    query = request.GET.urlencode()
    return redirect(f"{reverse('event_frame', args=[club, event.slug])}{'?' if query else ''}{query}")


@login_not_required
@require_safe
@in_a_frame
@sent_once
def event_frame(request: WebRequest, club: str, event: str) -> HttpResponse:
    """A public event in little: the boards of its latest round or, with `?show=standings`, its table."""
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
        context["sheet"] = pairing_sheet(latest, last=LINES_SHOWN)
    return render(request, "pairing/public/embeds/frame.html", context)


def _table(tournament: Tournament) -> object:
    try:
        found = standings(tournament)
        return standings_sheet(found, rows=found.rows[:LINES_SHOWN])
    except ArbiterProblem:
        # A tie-break that is not known: the page of the table says so.
        return None


def _look(request: WebRequest) -> str:
    """As the web site asks, which knows its own colours; not as this browser was told elsewhere."""
    wanted = request.GET.get("look", "")
    return wanted if wanted in ("light", "dark") else ""


@require_http_methods(["GET", "HEAD", "POST"])
def club_web_site(request: OfficerRequest, club: str) -> HttpResponse:
    """Which web sites may show the club's events, whether search engines may, and what to copy into a site."""
    the_club = get_club_for_secretary(request.user, club)
    form = WebSiteForm(request.POST or None, instance=the_club)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Kept."))
        return redirect("club_web_site", club)
    if form.errors:
        the_club = Club.objects.get(pk=the_club.pk)
    context = frame(request.user, the_club, "settings") | {
        "form": form,
        "address": request.build_absolute_uri(reverse("club_frame", args=[club])),
    }
    return render(request, "pairing/public/embeds/web_site.html", context, status=422 if form.errors else 200)
