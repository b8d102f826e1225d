"""Views of series, the calendar and its feed, and attendance."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter
from clubs.models import Club
from clubs.request_types import AuthenticatedRequest, parse_key
from clubs.roles import can_run_events, roles_in_club
from tournaments.access import get_tournament_for_arbiter
from tournaments.models import Series, Tournament
from tournaments.series.attendance_chart import build_attendance_chart
from tournaments.series.calendar_feed import calendar_entries_of, calendar_entry_day, render_calendar_file
from tournaments.series.evening_schedule import schedule_evenings, unfinished_rounds
from tournaments.series.forms import EveningsForm, SeriesForm
from tournaments.series.standings import attendance_in_year, build_series_table

PLAYERS_PER_PAGE = 100


@login_not_required
@require_safe
def series_page(request: HttpRequest, club: str, series: int) -> HttpResponse:
    """Show the standings of a series. If it has a private event, only the club can see them."""
    the_club = get_object_or_404(Club, slug=club)
    shown = Series.objects.all()
    if not roles_in_club(request.user, the_club):
        shown = shown.exclude(events__is_public=False)
    the_series = get_object_or_404(shown, club=the_club, pk=series)
    table = build_series_table(the_series)
    context = {
        "club": the_club,
        "here": "calendar",
        "series": the_series,
        "table": table,
        "page": Paginator(table.rows, PLAYERS_PER_PAGE).get_page(request.GET.get("page", "")),
        "events": the_series.events.order_by("starts_on", "pk"),
        "may_run": can_run_events(request.user, the_club),
    }
    return render(request, "tournaments/series/series_page.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def series_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Create a series of events."""
    the_club = get_club_for_arbiter(request.user, club)
    return _series_form(request, the_club, Series())


@require_http_methods(["GET", "HEAD", "POST"])
def series_edit(request: AuthenticatedRequest, club: str, series: int) -> HttpResponse:
    """Edit a series and its events."""
    the_club = get_club_for_arbiter(request.user, club)
    return _series_form(request, the_club, get_object_or_404(Series, club=the_club, pk=series))


@login_not_required
@require_safe
def club_calendar(request: HttpRequest, club: str) -> HttpResponse:
    """Show the club's evenings from today onwards, and its series."""
    the_club = get_object_or_404(Club, slug=club)
    roles = roles_in_club(request.user, the_club)
    today = timezone.localdate()
    entries = calendar_entries_of(the_club, the_club.tournaments.filter(Q() if roles else Q(is_public=True)))
    series = the_club.series.all() if roles else the_club.series.exclude(events__is_public=False)
    context = {
        "club": the_club,
        "here": "calendar",
        "coming": [entry for entry in entries if (entry.last or calendar_entry_day(entry)) >= today],
        "series": series,
        "feed": request.build_absolute_uri("../calendar.ics"),
        "may_run": can_run_events(request.user, the_club),
    }
    return render(request, "tournaments/series/club_calendar.html", context)


@login_not_required
@require_safe
def calendar_feed(request: HttpRequest, club: str) -> HttpResponse:
    """Return the public events' evenings as a feed for phone calendars, which cannot sign in."""
    the_club = get_object_or_404(Club, slug=club)
    entries = calendar_entries_of(the_club, the_club.tournaments.filter(is_public=True))
    file = render_calendar_file(the_club.name, entries, key=str(the_club.calendar_key), made_at=timezone.now())
    return HttpResponse(file, content_type="text/calendar; charset=utf-8")


@require_safe
def attendance_page(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show each member's attendance in a year."""
    the_club = get_club_for_arbiter(request.user, club)
    this_year = timezone.localdate().year
    wanted = parse_key(request.GET.get("year", ""))
    year = wanted if 1900 <= wanted <= 2200 else this_year
    found = attendance_in_year(the_club, year)
    context = {
        "club": the_club,
        "here": "calendar",
        "year": year,
        "this_year": this_year,
        "found": found,
        "chart": build_attendance_chart(found.players),
    }
    return render(request, "tournaments/series/attendance_page.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def evenings_edit(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Schedule the unfinished rounds."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    rounds = unfinished_rounds(the_event)
    form = EveningsForm(request.POST or None, initial={"first": rounds[0].starts_at if rounds else None})
    if request.method == "POST" and form.is_valid():
        count = schedule_evenings(the_event, **form.cleaned_data, by=request.user)
        said = ngettext("%(n)s round scheduled.", "%(n)s rounds scheduled.", count)
        messages.success(request, said % {"n": count})
        return redirect("club_calendar", the_event.club.slug)
    context = {"tournament": the_event, "may_run": True, "here": "overview", "form": form, "rounds_to_come": rounds}
    return render(request, "tournaments/series/evenings_edit.html", context, status=422 if form.errors else 200)


def _series_form(request: AuthenticatedRequest, club: Club, series: Series) -> HttpResponse:
    is_new = series.pk is None
    form = SeriesForm(request.POST or None, instance=series, club=club)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            saved = form.save()
            Tournament.objects.filter(series=saved).update(series=None)
            form.cleaned_data["events"].update(series=saved)
        messages.success(request, _("%(name)s saved.") % {"name": saved.name})
        return redirect("series_page", club.slug, saved.pk)
    context = {"club": club, "here": "calendar", "form": form, "is_new": is_new}
    return render(request, "tournaments/series/series_form.html", context, status=422 if form.errors else 200)
