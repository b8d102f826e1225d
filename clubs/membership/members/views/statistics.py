"""Member statistics and birthdays."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import get_club_for_officer
from clubs.membership.members.statistics import (
    MemberStatistics,
    calculate_member_statistics,
    list_birthdays,
    member_name_table,
    statistics_tables,
)
from clubs.models import Club, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import DataCategory, log_data_access, visible_data_categories
from clubs.request_types import AuthenticatedRequest
from clubs.roles import roles_in_club
from common.tabular.file_responses import TABLE_FORMATS, table_response
from common.tabular.spreadsheets import CellValue
from common.text.birth_dates import parse_date


@require_safe
def member_statistics(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show member counts on a given day, who joined and left that year, and birthdays if the user may see them."""
    the_club = get_club_for_officer(request.user, club)
    context = club_page_context(request.user, the_club, "members")
    found = _asked_for(request, the_club)
    if sees_dates := DataCategory.CONTACT in context["sees"]:
        log_data_access(the_club, PersonalDataAccess.DataAccessKind.CONTACT, by=request.user)
    of_the_year = request.GET.get("birthdays") == "year"
    context |= {
        "found": found,
        "counts": statistics_tables(found),
        "birthdays": list_birthdays(the_club, found.on.year, None if of_the_year else found.on.month)
        if sees_dates
        else [],
        "of_the_year": of_the_year,
        "sees_dates": sees_dates,
    }
    return render(request, "clubs/membership/members/statistics.html", context)


@require_safe
def member_statistics_export(request: AuthenticatedRequest, club: str, kind: str) -> HttpResponse:
    """Export the statistics as CSV or XLSX, or the members on that day with `?what=members`."""
    the_club = get_club_for_officer(request.user, club)
    if kind not in TABLE_FORMATS:
        raise Http404
    found = _asked_for(request, the_club)
    if request.GET.get("what") == "members":
        with_dates = DataCategory.CONTACT in visible_data_categories(roles_in_club(request.user, the_club))
        log_data_access(
            the_club, PersonalDataAccess.DataAccessKind.LIST_EXPORT, by=request.user, count=found.total_count
        )
        name, title = f"{the_club.slug}-members-{found.on}", _("Members")
        return table_response(*member_name_table(found, with_dates=with_dates), name, kind, title=title)
    headings = [_("breakdown"), _("value"), _("female"), _("male"), _("not given"), _("total")]
    rows: list[list[CellValue]] = [
        [part, label, count.women_count, count.men_count, count.unknown_sex_count, count.total_count]
        for part, counts in statistics_tables(found)
        for label, count in counts
    ]
    rows.append([_("total"), None, found.women_count, found.men_count, found.unknown_sex_count, found.total_count])
    return table_response(headings, rows, f"{the_club.slug}-statistics-{found.on}", kind, title=_("Statistics"))


def _asked_for(request: HttpRequest, club: Club) -> MemberStatistics:
    today = timezone.localdate()
    try:
        on = parse_date(request.GET.get("on", ""))
    except ValueError:
        on = today
    return calculate_member_statistics(club, on=on)
