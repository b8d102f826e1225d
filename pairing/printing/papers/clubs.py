"""Printouts of a club: members, dues, ratings, series, receipts and accounts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.finance.accounting.account_sheets import AccountSheet
from clubs.finance.accounting.reports import AccountingYearReport, BudgetComparison, account_display_name
from clubs.finance.dues.balances import MemberBalance
from clubs.finance.dues.receipts import ReceiptSheet
from clubs.finance.dues.reminders import PaperReminder
from clubs.membership.members.member_list import MemberListRow
from clubs.membership.members.statistics import MemberStatistics, member_name_table, statistics_tables
from clubs.models import BookEntry, Club, Member, TimeControlKind
from clubs.privacy import public_name
from common.text.amounts import Cents, format_amount, format_money
from pairing.explanations.reason_sentences import points_text
from pairing.printing.papers.generic_tables import ListColumn, PaperSection, multi_section_paper, table_paper
from pairing.printing.papers.rounds import combine_papers
from pairing.printing.pdf.paper_templates import PaperNames, PrintOptions, render_paper
from pairing.printing.pdf.text_fitting import FIGURE_SPACE, PUNCTUATION_SPACE
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.players_and_results import name_with_title
from tournaments.club_ratings.monthly_lists import MonthlyRatingList
from tournaments.club_ratings.rating_history import RatedMember as RatedMember
from tournaments.models import Series
from tournaments.series.standings import EventAward, SeriesTable


def member_list_paper(club: Club, lines: Sequence[MemberListRow], wishes: PrintOptions, *, with_contact: bool) -> Paper:
    """Members by name, with or without telephone and email address."""
    columns = [
        ListColumn(heading=_("No."), is_figure=True),
        ListColumn(heading=_("Name")),
        ListColumn(heading=_("Status")),
        ListColumn(heading=_("Born"), is_figure=True),
        ListColumn(heading=_("Rating"), is_figure=True),
    ]
    if with_contact:
        columns += [ListColumn(heading=_("Phone"), is_unbroken=True), ListColumn(heading=_("Email"))]
    members = (line.member for line in lines)
    rows = [_member_cells(place, each, with_contact=with_contact) for place, each in enumerate(members, start=1)]
    return table_paper(_("Members"), columns, rows, club, wishes, can_be_landscape=with_contact)


def dues_list_paper(club: Club, lines: Sequence[MemberListRow], wishes: PrintOptions, *, on: date) -> Paper:
    """Members' charges, payments and balances, with totals."""
    columns = [
        ListColumn(heading=_("Name")),
        ListColumn(heading=_("Charged"), is_figure=True),
        ListColumn(heading=_("Paid"), is_figure=True),
        ListColumn(heading=_("Owed"), is_figure=True, is_bold=True),
        ListColumn(heading=_("Overdue"), is_figure=True),
    ]
    balances = [line.balance or MemberBalance() for line in lines]
    rows = [(line.member.name, *_sums(balance)) for line, balance in zip(lines, balances, strict=True)]
    whole = MemberBalance(
        charged=sum(balance.charged for balance in balances),
        paid=sum(balance.paid for balance in balances),
        overdue=sum(balance.overdue for balance in balances),
    )
    total = (_("Total"), *_sums(whole)) if rows else ()
    lead = _("As of %(day)s, all amounts in %(currency)s") % {"day": date_format(on), "currency": club.currency}
    return table_paper(_("Dues"), columns, rows, club, wishes, lead=lead, total=total)


def rating_list_paper(club: Club, kind: str, rows: Sequence[RatedMember], wishes: PrintOptions) -> Paper:
    """The club's ratings for one kind of time control. Members who refused publication appear as initials."""
    columns = [
        ListColumn(heading=_("Place"), is_figure=True, is_bold=True),
        ListColumn(heading=_("Name")),
        ListColumn(heading=_("Rating"), is_figure=True, is_bold=True),
        ListColumn(heading=_("Last change"), is_figure=True),
        ListColumn(heading=_("Last played"), is_unbroken=True),
        ListColumn(heading=_("Games"), is_figure=True),
    ]
    cells = [
        (
            "" if row.place is None else row.place,
            public_name(row.member),
            "–" if row.rating is None else row.rating,
            "" if row.change is None else f"{row.change:+}".replace("-", "−") if row.change else "0",
            date_format(row.month, "YEAR_MONTH_FORMAT"),
            row.games,
        )
        for row in rows
    ]
    remark = _("Games are rated using each player's rating on the first day of the month. A dash means unrated.")
    lead = capfirst(str(TimeControlKind(kind).label))
    return table_paper(_("Rating list"), columns, cells, club, wishes, lead=lead, remark=remark)


def monthly_ratings_paper(club: Club, kind: str, found: MonthlyRatingList, wishes: PrintOptions) -> Paper:
    """The club's ratings for a month next to FIDE's and the federation's, with initials as on the rating list."""
    columns = [ListColumn(heading=_("Name")), ListColumn(heading=_("Club rating"), is_figure=True, is_bold=True)]
    for register in found.registers:
        columns += [ListColumn(heading=register.name, is_figure=True), ListColumn(heading="K", is_figure=True)]
    rows = [
        (
            public_name(line.member),
            (line.own.rating if line.own else None) or "–",
            *(
                cell
                for listing in line.listed
                for cell in ((listing.rating or "–", listing.factor or "") if listing else ("", ""))
            ),
        )
        for line in found.lines
    ]
    lead = f"{capfirst(str(TimeControlKind(kind).label))} · {date_format(found.month, 'YEAR_MONTH_FORMAT')}"
    return table_paper(_("Ratings by month"), columns, rows, club, wishes, lead=lead)


def member_statistics_paper(club: Club, found: MemberStatistics, wishes: PrintOptions, *, with_dates: bool) -> Paper:
    """Member statistics for a federation: counts by age, title and sex, who joined or left, and all members."""
    figures_of = [_("Female"), _("Male"), _("Not given"), _("Total")]
    sections = [
        PaperSection(
            heading="",
            columns=[
                ListColumn(heading=heading, is_row_header=True),
                *(ListColumn(heading=each, is_figure=True) for each in figures_of),
            ],
            rows=[
                (label, each.women_count, each.men_count, each.unknown_sex_count, each.total_count)
                for label, each in counts
            ],
            total=(_("Total"), found.women_count, found.men_count, found.unknown_sex_count, found.total_count)
            if place == 0
            else (),
            css_class="grid",
        )
        for place, (heading, counts) in enumerate(statistics_tables(found))
    ]
    for heading, members, day, club_of in (
        (_("Joined in %(year)s"), found.joined, "joined_on", "came_from"),
        (_("Left in %(year)s"), found.left, "left_on", "went_to"),
    ):
        columns = [
            ListColumn(heading=_("Name")),
            ListColumn(heading=_("Date"), is_figure=True),
            ListColumn(heading=_("Club")),
        ]
        rows = [
            (each.name, date_format(getattr(each, day), "SHORT_DATE_FORMAT"), getattr(each, club_of))
            for each in members
        ]
        sections.append(
            PaperSection(heading=heading % {"year": found.on.year}, columns=columns, rows=rows, empty_text=_("Nobody."))
        )
    lead = _("As of %(day)s") % {"day": date_format(found.on)}
    counted = multi_section_paper(_("Member statistics"), sections, club, wishes, lead=lead)
    headings, everyone = member_name_table(found, with_dates=with_dates)
    columns = [
        ListColumn(heading=capfirst(each), is_unbroken=all(_is_of_one_piece(row[place]) for row in everyone))
        for place, each in enumerate(headings)
    ]
    named = table_paper(_("Members"), columns, _as_printed(everyone), club, wishes, lead=lead, can_be_landscape=True)
    return combine_papers([counted, named])


def _is_of_one_piece(cell: object) -> bool:
    """Return True for a number, date, title or code, which must not be wrapped."""
    return not isinstance(cell, str) or (" " not in cell and len(cell) < _OF_A_CODE)


_OF_A_CODE = 12


def _as_printed(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    return [
        [date_format(cell, "SHORT_DATE_FORMAT") if isinstance(cell, date) else cell or "" for cell in row]
        for row in rows
    ]


def series_standings_paper(series: Series, table: SeriesTable, wishes: PrintOptions) -> Paper:
    """The table of a series of events. Results that do not count are in brackets."""
    with_evenings = series.attendance_points > 0
    columns = [
        ListColumn(heading=_("Place"), is_figure=True, is_bold=True),
        ListColumn(heading=_("Name")),
        *(ListColumn(heading=event.name, is_figure=True) for event in table.events),
        *([ListColumn(heading=_("Evenings"), is_figure=True)] if with_evenings else []),
        ListColumn(heading=_("Total"), is_figure=True, is_bold=True),
    ]
    rows = [
        (
            row.place,
            row.name,
            *map(_award, row.awards),
            *([row.evenings] if with_evenings else []),
            points_text(row.total),
        )
        for row in table.rows
    ]
    leaves_out = any(award and not award.counts for row in table.rows for award in row.awards)
    remark = _("Results in brackets don't count.") if leaves_out else ""
    is_landscape = len(table.events) > 5
    return table_paper(series.name, columns, rows, series.club, wishes, remark=remark, is_landscape=is_landscape)


def receipt_paper(sheet: ReceiptSheet, wishes: PrintOptions) -> Paper:
    """A receipt, on the upper half of a standard sheet, so that no other paper size is needed."""
    heading, names = _("Receipt %(number)s") % {"number": sheet.number}, PaperNames(club=sheet.club)
    return render_paper("receipt", heading, names, wishes, "receipt", body_class="receipt", context={"sheet": sheet})


def dues_reminders_paper(club: Club, letters: Sequence[PaperReminder], wishes: PrintOptions) -> Paper:
    """Reminders in the club's language, one per page, with the address for a window envelope and a payment QR code."""
    with translation.override(club.language):
        context = {
            "city": club.city,
            "day": date_format(timezone.localdate(), "DATE_FORMAT"),
            "letters": letters,
        }
        heading, css = _("Reminder letters"), ("receipt", "letters")
        return render_paper("reminder_letters", heading, club, wishes, *css, body_class="letters", context=context)


def annual_accounts_paper(club: Club, report: AccountingYearReport, wishes: PrintOptions) -> Paper:
    """The annual accounts: balances, income and expenses with the budget, dues outstanding, signatures."""
    heading = _("Annual accounts %(year)s") % {"year": report.year}
    last_day = min(date(report.year, 12, 31), timezone.localdate())
    context = {
        "as_of": date_format(last_day),
        "currency": club.currency,
        "is_closed": report.is_closed,
        "has_budget": any(line.budget is not None for line in (*report.income, *report.expenses)),
        "parts": [
            (
                _("Income"),
                [(line.account.name, *_expected_cells(line)) for line in report.income],
                _expected_cells(report.total_income),
            ),
            (
                _("Expenses"),
                [(line.account.name, *_expected_cells(line)) for line in report.expenses],
                _expected_cells(report.total_expenses),
            ),
        ],
        "money": [
            (
                line.account.name,
                *_in_money(line.opening_balance, line.closing_balance - line.opening_balance, line.closing_balance),
            )
            for line in report.money
        ],
        "whole": _in_money(report.opening_balance, report.surplus, report.closing_balance),
        "surplus": _expected_cells(report.surplus_and_budget),
        "reopened": [
            {"day": date_format(step.at, "SHORT_DATE_FORMAT"), "reason": step.reason} for step in report.reopenings
        ],
        "outstanding": format_money(report.dues_outstanding, club.currency),
        "ahead": format_money(report.paid_ahead, club.currency) if report.paid_ahead else "",
        "entries": report.entry_count,
    }
    css = ("lists", "annual_accounts")
    return render_paper("annual_accounts", heading, club, wishes, *css, body_class="books", context=context)


def accounting_journal_paper(club: Club, entries: Sequence[BookEntry], wishes: PrintOptions, *, year: int) -> Paper:
    """All entries in a year by number, for checking the accounts against the vouchers."""
    columns = [
        ListColumn(heading=_("Entry"), is_bold=True, is_unbroken=True),
        ListColumn(heading=_("Date"), is_figure=True),
        ListColumn(heading=_("From")),
        ListColumn(heading=_("To")),
        ListColumn(heading=_("Description")),
        ListColumn(heading=_("Amount"), is_figure=True),
    ]
    rows = [
        (
            entry.voucher_number,
            date_format(entry.on, "SHORT_DATE_FORMAT"),
            account_display_name(entry.source),
            account_display_name(entry.target),
            _said_of(entry),
            format_amount(entry.amount),
        )
        for entry in entries
    ]
    heading = _("Journal %(year)s") % {"year": year}
    return table_paper(heading, columns, rows, club, wishes, lead=_amounts_in(club), is_landscape=True)


def account_sheet_paper(club: Club, sheet: AccountSheet, wishes: PrintOptions, *, year: int) -> Paper:
    """A year's entries in the cash book, an account or a category, by date and with balances."""
    columns = [
        ListColumn(heading=_("Date"), is_figure=True),
        ListColumn(heading=_("Entry"), is_bold=True, is_unbroken=True),
        ListColumn(heading=_("From/to")),
        ListColumn(heading=_("Description")),
        ListColumn(heading=_("Amount"), is_figure=True),
        ListColumn(heading=_("Balance"), is_figure=True),
    ]
    rows = [
        (
            date_format(line.entry.on, "SHORT_DATE_FORMAT"),
            line.entry.voucher_number,
            account_display_name(line.counter_account),
            _said_of(line.entry),
            format_amount(line.amount),
            format_amount(line.balance),
        )
        for line in sheet.lines
    ]
    begun = _("Opening balance: %(sum)s") % {"sum": format_money(sheet.opening_balance, club.currency)}
    heading, lead = f"{sheet.account.name} {year}", f"{_amounts_in(club)} · {begun}"
    return table_paper(heading, columns, rows, club, wishes, lead=lead, is_landscape=True)


def _amounts_in(club: Club) -> str:
    said = {"day": date_format(timezone.localdate()), "currency": club.currency}
    return _("As of %(day)s, all amounts in %(currency)s") % said


def _said_of(entry: BookEntry) -> str:
    """Return who it was from or to and for what, and the reason if it reverses another entry."""
    whose = entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party
    back = f"{_('Reverses')} {entry.corrects.voucher_number}: {entry.reason}" if entry.corrects else ""
    return " · ".join(filter(None, (whose, entry.text, back)))


def _member_cells(place: int, member: Member, *, with_contact: bool) -> tuple[object, ...]:
    cells = (
        place,
        name_with_title(member.title, member.name),
        Member.Status(member.status).label,
        member.birth_year or "",
        member.rating or "–",
    )
    return (*cells, member.phone, _BREAKS.sub("\\1\u200b", member.email)) if with_contact else cells


_BREAKS = re.compile(r"([@.])")
"""Preferred places for a line break in an email address."""


def _sums(balance: MemberBalance) -> tuple[str, str, str, str]:
    sums = (balance.charged, balance.paid, balance.amount_owed, balance.overdue)
    charged, paid, owed, late_text = (format_amount(cents) if cents else _NOTHING_DUE for cents in sums)
    return charged, paid, owed, late_text


_NOTHING_DUE = f"–{PUNCTUATION_SPACE}{FIGURE_SPACE * 2}"
"""A dash, aligned with the end of whole amounts."""


def _award(award: EventAward | None) -> str:
    if award is None:
        return ""
    return points_text(award.half_points) if award.counts else f"({points_text(award.half_points)})"


def _expected_cells(line: BudgetComparison) -> tuple[str, str, str]:
    budget = "" if line.budget is None else format_amount(line.budget)
    difference = (
        "" if line.difference is None else f"{'+' if line.difference > 0 else ''}{format_amount(line.difference)}"
    )
    return format_amount(line.actual), budget, difference


def _in_money(*amounts: Cents) -> tuple[str, ...]:
    return tuple(map(format_amount, amounts))
