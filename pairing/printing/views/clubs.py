"""Papers of a club: members, dues, ratings, the table of a series, and the printer's test page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access import (
    get_club_for_auditor,
    get_club_for_member,
    get_club_for_officer,
    roles_in,
)
from clubs.models import TimeKind, Viewing
from clubs.people.listing import MemberFilters, listed_members
from clubs.privacy import Part, parts_seen_by, record_viewing
from clubs.requests import OfficerRequest
from pairing.paper import papers
from pairing.printing.answers import paper_answer
from tournaments.models import Series
from tournaments.rated.history import club_list
from tournaments.seasons.grand_prix import series_table


@require_safe
def print_members(request: OfficerRequest, club: str) -> HttpResponse:
    """The members by name, narrowed as on the page; with `contact` for those who may see it, which is written down."""
    the_club = get_club_for_officer(request.user, club)
    sees = parts_seen_by(roles_in(request.user, the_club))
    filters = MemberFilters.of(request.GET)
    lines = listed_members(the_club, filters, today=timezone.localdate(), with_money=Part.MONEY in sees)
    with_contact = "contact" in request.GET and Part.CONTACT in sees
    if with_contact and request.GET.get("as") != "css":
        record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, count=len(lines), on="paper")
    return paper_answer(
        request,
        the_club,
        f"{club}-members",
        lambda wishes: papers.member_list_paper(the_club, lines, wishes, with_contact=with_contact),
    )


@require_safe
def print_dues(request: OfficerRequest, club: str) -> HttpResponse:
    """Who has paid what and owes what: everyone, or `?dues=owed|overdue|paid`."""
    the_club = get_club_for_auditor(request.user, club)
    today = timezone.localdate()
    lines = listed_members(the_club, MemberFilters.of(request.GET), today=today, with_money=True)
    if request.GET.get("as") != "css":
        record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, count=len(lines), on="paper", dues=True)
    return paper_answer(
        request, the_club, f"{club}-dues", lambda wishes: papers.dues_list_paper(the_club, lines, wishes, on=today)
    )


@require_safe
def print_ratings(request: OfficerRequest, club: str) -> HttpResponse:
    """The club's own ratings: `?kind=standard|rapid|blitz`."""
    the_club = get_club_for_member(request.user, club)
    asked = request.GET.get("kind", "")
    kind = asked if asked in TimeKind.values else TimeKind.STANDARD
    rows = club_list(the_club, kind)
    return paper_answer(
        request,
        the_club,
        f"{club}-ratings",
        lambda wishes: papers.rating_list_paper(the_club, kind, rows, wishes),
    )


@require_safe
def print_series(request: OfficerRequest, club: str, series: int) -> HttpResponse:
    """The table of a series."""
    the_club = get_club_for_member(request.user, club)
    the_series = get_object_or_404(Series.objects.select_related("club"), club=the_club, pk=series)
    table = series_table(the_series)
    return paper_answer(
        request, the_club, f"{club}-series", lambda wishes: papers.series_paper(the_series, table, wishes)
    )


@require_safe
def print_printer_test(request: OfficerRequest, club: str) -> HttpResponse:
    """The page that shows what the printer does to a sheet."""
    the_club = get_club_for_officer(request.user, club)
    return paper_answer(
        request, the_club, "printer-test", lambda wishes: papers.printer_test_paper(wishes, club=the_club.name)
    )
