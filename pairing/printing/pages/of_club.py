"""The papers of a club: members, dues, ratings, and the printer's test page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.access import AUDITORS, OFFICERS, can_run, roles_in
from clubs.membership.members.listing import MemberFilters, listed_members
from clubs.membership.members.statistics import statistics_of
from clubs.models import Club, TimeKind, User, Viewing
from clubs.privacy import Part, parts_seen_by, record_viewing
from common.text.births import read_date
from common.text.months import read_month
from pairing.printing.pages.documents import Asked, Document
from pairing.printing.papers import papers
from pairing.printing.papers.papers import Wishes
from pairing.printing.pdf.pdfs import Paper
from pairing.view_models.reports.year_book import year_book
from tournaments.club_ratings.history import club_list
from tournaments.club_ratings.monthly import month_list

FIRST_YEAR, LAST_YEAR = 1990, 2200

Wanted = Asked[Club]


def _members(asked: Wanted, wishes: Wishes) -> Paper:
    """The members by name, narrowed as on the page; with `contact` for those who may see it, which is written down."""
    sees = parts_seen_by(roles_in(asked.visitor, asked.of))
    filters = MemberFilters.of(asked.request.GET)
    lines = listed_members(asked.of, filters, today=timezone.localdate(), with_money=Part.MONEY in sees)
    with_contact = asked.has("contact") and Part.CONTACT in sees
    if with_contact:
        _note(asked, len(lines))
    return papers.member_list_paper(asked.of, lines, wishes, with_contact=with_contact)


def _dues(asked: Wanted, wishes: Wishes) -> Paper:
    """Who has paid what and owes what: everyone, or `?dues=owed|overdue|paid`."""
    today = timezone.localdate()
    lines = listed_members(asked.of, MemberFilters.of(asked.request.GET), today=today, with_money=True)
    _note(asked, len(lines), {"dues": True})
    return papers.dues_list_paper(asked.of, lines, wishes, on=today)


def _ratings(asked: Wanted, wishes: Wishes) -> Paper:
    """The club's own ratings: `?kind=standard|rapid|blitz`; with `?month=2026-11` those beside FIDE's in that month."""
    wanted = asked.text("kind")
    kind = wanted if wanted in TimeKind.values else TimeKind.STANDARD
    month = read_month(asked.text("month"))
    if month is not None and (found := month_list(asked.of, kind, month)) is not None:
        return papers.month_list_paper(asked.of, kind, found, wishes)
    return papers.rating_list_paper(asked.of, kind, club_list(asked.of, kind), wishes)


def _statistics(asked: Wanted, wishes: Wishes) -> Paper:
    """Members in figures on a day, `?on=2026-12-31` or today, and by name; that they are taken away is written down."""
    try:
        on = read_date(asked.text("on"))
    except ValueError:
        on = timezone.localdate()
    found = statistics_of(asked.of, on=on)
    _note(asked, found.all)
    with_dates = Part.CONTACT in parts_seen_by(roles_in(asked.visitor, asked.of))
    return papers.statistics_paper(asked.of, found, wishes, with_dates=with_dates)


def _year_book(asked: Wanted, wishes: Wishes) -> Paper:
    """The club's year, `?year=`, or the one that runs; who came how often for those who run the club's events."""
    year = asked.number("year") or timezone.localdate().year
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Http404
    return papers.year_book_paper(year_book(asked.of, year, for_officers=can_run(asked.visitor, asked.of)), wishes)


def _printer_test(asked: Wanted, wishes: Wishes) -> Paper:
    """The page that shows what the printer does to a sheet."""
    return papers.printer_test_paper(wishes, club=asked.of.name)


def _note(asked: Wanted, count: int, details: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Write down who takes what away; the style of a page shown is no second time."""
    if asked.text("as") != "css" and isinstance(asked.visitor, User):
        record_viewing(asked.of, Viewing.What.LIST_EXPORT, by=asked.visitor, count=count, on="paper", **details)


CLUB_DOCUMENTS: tuple[Document[Club], ...] = (
    Document(
        code="members",
        file="members",
        label=_("Members"),
        make=_members,
        fields_for_officers=("contact",),
        roles=frozenset(OFFICERS),
    ),
    Document(
        code="dues",
        file="dues",
        label=_("Dues"),
        make=_dues,
        fields=("dues",),
        roles=frozenset(AUDITORS),
    ),
    Document(
        code="ratings",
        file="ratings",
        label=_("Rating list"),
        make=_ratings,
        fields=("kind",),
    ),
    Document(
        code="statistics",
        file="statistics",
        label=_("Members in figures"),
        make=_statistics,
        roles=frozenset(OFFICERS),
    ),
    Document(
        code="year_book",
        file="year-book",
        label=_("Year book"),
        make=_year_book,
        fields=("year",),
    ),
    Document(
        code="printer_test",
        file="printer-test",
        label=_("Printer test"),
        make=_printer_test,
        roles=frozenset(OFFICERS),
        is_chosen=False,
    ),
)
