"""Printouts of a club: members, dues, accounts, ratings, series, and the printer test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.finance.accounting.account_sheets import build_account_sheet
from clubs.finance.accounting.reports import build_year_report, journal_entries
from clubs.finance.dues.receipts import build_receipt_sheet
from clubs.finance.dues.reminders import compose_paper_reminders, has_paper_reminders
from clubs.membership.members.member_list import MemberFilters, MemberListRow, list_members
from clubs.membership.members.statistics import calculate_member_statistics
from clubs.models import BookAccount, Club, Member, PersonalDataAccess, Role, TimeControlKind, User
from clubs.privacy import DataCategory, log_data_access, visible_data_categories
from clubs.roles import AUDITOR_ROLES, OFFICER_ROLES, can_run_events, roles_in_club
from common.text.birth_dates import parse_date
from common.text.months import parse_month
from pairing.printing.pages.paper_definitions import PaperDefinition, PaperGroup, PaperRequest, register_paper
from pairing.printing.papers import blanks_and_posters, clubs, final_reports, member_cards_and_labels
from pairing.printing.papers.member_cards_and_labels import LABEL_FORMATS
from pairing.printing.papers.rounds import combine_papers
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.reports.year_book import club_year_book
from tournaments.club_ratings.monthly_lists import monthly_rating_list
from tournaments.club_ratings.rating_history import club_rating_list
from tournaments.models import Series
from tournaments.problems import ArbiterProblem
from tournaments.series.standings import build_series_table

FIRST_YEAR, LAST_YEAR = 1990, 2200

ClubPaperRequest = PaperRequest[Club]
CLUB_PAPERS: list[PaperDefinition[Club]] = []
_printout = partial(register_paper, CLUB_PAPERS)
_of_money = partial(_printout, roles=AUDITOR_ROLES, group=PaperGroup.MONEY)
_of_books = partial(_printout, roles=AUDITOR_ROLES, is_offered=False)


@_printout("members", _("Members"), fields_for_officers=("contact",), roles=OFFICER_ROLES)
def _members(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """Members by name, filtered as on the page. `contact` adds contact data if permitted, which is logged."""
    sees = visible_data_categories(roles_in_club(asked.visitor, asked.subject))
    lines = _listed(asked, with_money=DataCategory.MONEY in sees)
    with_contact = asked.has_option("contact") and DataCategory.CONTACT in sees
    if with_contact:
        _note(asked, len(lines))
    return clubs.member_list_paper(asked.subject, lines, wishes, with_contact=with_contact)


def _listed(asked: ClubPaperRequest, *, with_money: bool = False) -> list[MemberListRow]:
    """Return the members by name, filtered as on the page."""
    filters = MemberFilters.from_form_values(asked.request.GET)
    return list_members(asked.subject, filters, today=timezone.localdate(), with_money=with_money)


def _full_members(asked: ClubPaperRequest) -> list[Member]:
    """Return members and honorary members, without applicants and guests."""
    full = (Member.Status.MEMBER, Member.Status.HONORARY)
    return [each.member for each in _listed(asked) if each.member.status in full]


@_printout("membership_cards", _("Membership cards"), fields=("year", "q"), roles=OFFICER_ROLES)
def _membership_cards(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """Membership cards of `?year=`, by default this year."""
    members = _full_members(asked)
    return member_cards_and_labels.membership_cards_paper(asked.subject, members, wishes, year=_wanted_year(asked))


@_printout("address_labels", _("Address labels"), fields=("labels", "used", "q"), roles=AUDITOR_ROLES)
def _address_labels(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """Address labels for `?labels=` sheets, the first with `?used=` labels left blank. Access is logged."""
    members = [each.member for each in _listed(asked) if each.member.address.strip()]
    _note(asked, len(members))
    form = LABEL_FORMATS.get(asked.text_option("labels"), LABEL_FORMATS["l7160"])
    used = asked.number_option("used", maximum=form.pieces_per_sheet - 1) or 0
    return member_cards_and_labels.address_labels_paper(asked.subject, members, form, wishes, used=used)


@_printout("general_meeting", _("General meeting: attendance and votes"), roles=OFFICER_ROLES)
def _general_meeting(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """The attendance and voting list for a general meeting."""
    return member_cards_and_labels.general_meeting_paper(asked.subject, _full_members(asked), wishes)


@_of_money("dues", _("Dues"), fields=("dues",))
def _dues(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """Dues of all members, or with `?dues=owed|overdue|paid` of some."""
    lines = _listed(asked, with_money=True)
    _note(asked, len(lines), {"dues": True})
    return clubs.dues_list_paper(asked.subject, lines, wishes, on=timezone.localdate())


def _has_reminders(club: Club) -> bool:
    return has_paper_reminders(club, today=timezone.localdate())


@_of_money("dues_reminders", _("Reminder letters"), roles=frozenset({Role.TREASURER}), is_relevant=_has_reminders)
def _reminders(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """Reminder letters for members without email who owe dues, one per page. Access is logged."""
    letters = compose_paper_reminders(asked.subject, today=timezone.localdate())
    if not letters:
        raise Http404
    _note(asked, len(letters), {"dues": True})
    return clubs.dues_reminders_paper(asked.subject, letters, wishes)


def _has_receipts(club: Club) -> bool:
    return club.ledger.filter(receipt_number__isnull=False).exists()


@_of_money("receipts", _("Receipts"), fields=("year", "receipt"), is_relevant=_has_receipts)
def _receipts(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """The receipts of `?year=`, by default this year, or only number `?receipt=`. Access is logged."""
    found = asked.subject.ledger.filter(receipt_year=_wanted_year(asked)).order_by("receipt_number")
    if number := asked.number_option("receipt"):
        found = found.filter(receipt_number=number)
    entries = found.select_related("club", "account__member", "season", "entered_by", "corrects", "corrected_by")
    if not entries:
        raise ArbiterProblem(_("No receipts found."))
    _note(asked, len(entries), {"dues": True})
    return combine_papers(clubs.receipt_paper(build_receipt_sheet(each), wishes) for each in entries)


@_printout("ratings", _("Rating list"), fields=("kind",))
def _ratings(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """The club's ratings: `?kind=standard|rapid|blitz`. `?month=2026-11` adds FIDE's for that month."""
    wanted = asked.text_option("kind")
    kind = wanted if wanted in TimeControlKind.values else TimeControlKind.STANDARD
    month = parse_month(asked.text_option("month"))
    if month is not None and (found := monthly_rating_list(asked.subject, kind, month)) is not None:
        return clubs.monthly_ratings_paper(asked.subject, kind, found, wishes)
    return clubs.rating_list_paper(asked.subject, kind, club_rating_list(asked.subject, kind), wishes)


@_printout("statistics", _("Member statistics"), roles=OFFICER_ROLES)
def _statistics(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """Member statistics on a day, `?on=2026-12-31` or today, and all members by name. Access is logged."""
    try:
        on = parse_date(asked.text_option("on"))
    except ValueError:
        on = timezone.localdate()
    found = calculate_member_statistics(asked.subject, on=on)
    _note(asked, found.total_count)
    with_dates = DataCategory.CONTACT in visible_data_categories(roles_in_club(asked.visitor, asked.subject))
    return clubs.member_statistics_paper(asked.subject, found, wishes, with_dates=with_dates)


@_printout("year_book", _("Yearbook"), fields=("year",))
def _year_book(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """The yearbook of `?year=`, by default this year. Only event officers get attendance by member."""
    for_officers = can_run_events(asked.visitor, asked.subject)
    book = club_year_book(asked.subject, _checked(_wanted_year(asked)), for_officers=for_officers)
    return final_reports.year_book_paper(book, wishes)


@_printout("series", _("Series"), path="members/print/series/<int:series>.pdf", is_offered=False)
def _series(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """The table of a series."""
    series = get_object_or_404(Series.objects.select_related("club"), club=asked.subject, pk=asked.numbers["series"])
    return clubs.series_standings_paper(series, build_series_table(series), wishes)


@_of_books("annual_accounts", _("Annual accounts %(year)s"), file="books", path="books/<int:year>/report.pdf")
def _annual_accounts(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """A year's accounts, with lines for signatures."""
    return clubs.annual_accounts_paper(asked.subject, build_year_report(asked.subject, _year_of(asked)), wishes)


@_of_books("accounting_journal", _("Journal %(year)s"), file="journal", path="books/<int:year>/journal.pdf")
def _accounting_journal(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """All entries of a year."""
    year = _year_of(asked)
    return clubs.accounting_journal_paper(asked.subject, journal_entries(asked.subject, year), wishes, year=year)


@_of_books("account_sheet", _("Account"), file="account", path="books/accounts/<int:account>/<int:year>.pdf")
def _account_sheet(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """A year of the cash book, a bank account or a category."""
    accounts = BookAccount.objects.filter(club=asked.subject).exclude(kind=BookAccount.Kind.OPENING)
    year = _year_of(asked)
    sheet = build_account_sheet(get_object_or_404(accounts, pk=asked.numbers["account"]), year)
    return clubs.account_sheet_paper(asked.subject, sheet, wishes, year=year)


def _year_of(asked: ClubPaperRequest) -> int:
    return _checked(asked.numbers["year"])


def _wanted_year(asked: ClubPaperRequest) -> int:
    return asked.number_option("year", maximum=LAST_YEAR) or timezone.localdate().year


def _checked(year: int) -> int:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Http404
    return year


@_printout("printer_test", _("Printer test"), roles=OFFICER_ROLES, is_offered=False)
def _printer_test(asked: ClubPaperRequest, wishes: PrintOptions) -> Paper:
    """The test page for printers."""
    return blanks_and_posters.printer_test_paper(wishes, club=asked.subject.name)


def _note(asked: ClubPaperRequest, count: int, details: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Log that personal data was exported. A preview's CSS is not logged again."""
    if asked.text_option("as") != "css" and isinstance(asked.visitor, User):
        log_data_access(
            asked.subject,
            PersonalDataAccess.DataAccessKind.LIST_EXPORT,
            by=asked.visitor,
            count=count,
            on="paper",
            **details,
        )
