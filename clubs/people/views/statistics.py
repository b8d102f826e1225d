"""The members in figures, and birthdays."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import get_club_for_officer
from clubs.files.answers import TABLE_KINDS, table_answer
from clubs.frame import frame
from clubs.models import Club, Member, Title, Viewing
from clubs.people.statistics import Statistics, birthdays_in, statistics_of
from clubs.privacy import Part, record_viewing
from clubs.requests import OfficerRequest
from clubs.writing.births import read_date


@require_safe
def statistics(request: OfficerRequest, club: str) -> HttpResponse:
    """Members by age, sex and title on a day, who came and went in its year; birthdays for who sees dates of birth."""
    the_club = get_club_for_officer(request.user, club)
    context = frame(request.user, the_club, "members")
    found = _asked_for(request, the_club)
    if sees_dates := Part.CONTACT in context["sees"]:
        record_viewing(the_club, Viewing.What.CONTACT, by=request.user)
    context |= {
        "found": found,
        "titles": [(Title(title), count) for title, count in found.titles],
        "statuses": [(Member.Status(status).label, count) for status, count in found.statuses],
        "birthdays": birthdays_in(the_club, found.on.month) if sees_dates else [],
        "sees_dates": sees_dates,
    }
    return render(request, "clubs/people/statistics.html", context)


@require_safe
def statistics_export(request: OfficerRequest, club: str, kind: str) -> HttpResponse:
    """The figures by age and sex as CSV or XLSX."""
    the_club = get_club_for_officer(request.user, club)
    if kind not in TABLE_KINDS:
        raise Http404
    found = _asked_for(request, the_club)
    headings = [_("age from"), _("age to"), _("female"), _("male"), _("not given"), _("in all")]
    rows: list[list[str | int | None]] = [
        [band.from_age, band.last, band.women, band.men, band.not_said, band.all] for band in found.bands
    ]
    rows.append([_("in all"), None, found.women, found.men, found.not_said, found.all])
    return table_answer(headings, rows, f"{the_club.slug}-statistics-{found.on}", kind, title=_("Statistics"))


def _asked_for(request: HttpRequest, club: Club) -> Statistics:
    today = timezone.localdate()
    try:
        on = read_date(request.GET.get("on", ""))
    except ValueError:
        on = today
    return statistics_of(club, on=on)
