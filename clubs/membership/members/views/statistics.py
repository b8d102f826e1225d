"""The members in figures, and birthdays."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import get_club_for_officer, roles_in
from clubs.frame import frame
from clubs.membership.members.statistics import Statistics, birthdays_in, counted_in_words, members_named, statistics_of
from clubs.models import Club, Viewing
from clubs.privacy import Part, parts_seen_by, record_viewing
from clubs.requests import OfficerRequest
from common.tabular.answers import TABLE_KINDS, table_answer
from common.tabular.spreadsheets import Value
from common.text.births import read_date


@require_safe
def statistics(request: OfficerRequest, club: str) -> HttpResponse:
    """Members by age, sex and title on a day, who came and went in its year; birthdays for who sees dates of birth."""
    the_club = get_club_for_officer(request.user, club)
    context = frame(request.user, the_club, "members")
    found = _asked_for(request, the_club)
    if sees_dates := Part.CONTACT in context["sees"]:
        record_viewing(the_club, Viewing.What.CONTACT, by=request.user)
    of_the_year = request.GET.get("birthdays") == "year"
    context |= {
        "found": found,
        "counts": counted_in_words(found),
        "birthdays": birthdays_in(the_club, found.on.year, None if of_the_year else found.on.month)
        if sees_dates
        else [],
        "of_the_year": of_the_year,
        "sees_dates": sees_dates,
    }
    return render(request, "clubs/membership/members/statistics.html", context)


@require_safe
def statistics_export(request: OfficerRequest, club: str, kind: str) -> HttpResponse:
    """As CSV or XLSX the figures, or with `?what=members` the members of that day as a federation wants them named."""
    the_club = get_club_for_officer(request.user, club)
    if kind not in TABLE_KINDS:
        raise Http404
    found = _asked_for(request, the_club)
    if request.GET.get("what") == "members":
        with_dates = Part.CONTACT in parts_seen_by(roles_in(request.user, the_club))
        record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, count=found.all)
        name, title = f"{the_club.slug}-members-{found.on}", _("Members")
        return table_answer(*members_named(found, with_dates=with_dates), name, kind, title=title)
    headings = [_("of what"), _("which"), _("female"), _("male"), _("not given"), _("in all")]
    rows: list[list[Value]] = [
        [part, label, count.women, count.men, count.not_said, count.all]
        for part, counts in counted_in_words(found)
        for label, count in counts
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
