"""What a club needs on paper: members, dues, ratings, the table of a series, receipts, the year's books."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.finance.accounting.account_sheets import AccountSheet
from clubs.finance.accounting.reports import Expected, YearReport, account_name
from clubs.finance.dues.balances import Balance
from clubs.finance.dues.receipts import ReceiptSheet
from clubs.finance.dues.reminding import PaperLetter
from clubs.membership.members.listing import ListedMember
from clubs.membership.members.statistics import Statistics, counted_in_words, members_named
from clubs.models import BookEntry, Club, Member, TimeKind
from clubs.privacy import public_name
from common.text.amounts import Cents, figures, money
from pairing.explanations.explanations import points_text
from pairing.printing.papers.lists import Column, Section, list_paper, sections_paper
from pairing.printing.pdf.making import Wishes, part_of
from pairing.printing.pdf.pdfs import Paper
from pairing.printing.pdf.widths import FIGURE, POINT
from pairing.view_models.sheets.parts import titled
from tournaments.club_ratings.history import ListedMember as RatedMember
from tournaments.club_ratings.monthly import MonthList
from tournaments.models import Series
from tournaments.series.grand_prix import Award, SeriesTable


def member_list_paper(club: Club, lines: Sequence[ListedMember], wishes: Wishes, *, with_contact: bool) -> Paper:
    """Members by name, with the telephone and the e-mail address or without."""
    with translation.override(wishes.language):
        columns = [
            Column(heading=_("No."), is_figure=True),
            Column(heading=_("Name")),
            Column(heading=_("Status")),
            Column(heading=_("Born"), is_figure=True),
            Column(heading=_("Rating"), is_figure=True),
        ]
        if with_contact:
            columns += [
                Column(heading=_("Telephone"), is_unbroken=True),
                Column(heading=_("E-mail")),
            ]
        members = (line.member for line in lines)
        rows = [_member_cells(place, each, with_contact=with_contact) for place, each in enumerate(members, start=1)]
        return list_paper(_("Members"), columns, rows, wishes, club=club.name, may_turn=with_contact)


def dues_list_paper(club: Club, lines: Sequence[ListedMember], wishes: Wishes, *, on: date) -> Paper:
    """What members have been charged, have paid and owe, and all of it in sum."""
    with translation.override(wishes.language):
        columns = [
            Column(heading=_("Name")),
            Column(heading=_("Charged"), is_figure=True),
            Column(heading=_("Paid"), is_figure=True),
            Column(heading=_("Owed"), is_figure=True, is_bold=True),
            Column(heading=_("Overdue"), is_figure=True),
        ]
        balances = [line.balance or Balance() for line in lines]
        rows = [(line.member.name, *_sums(balance)) for line, balance in zip(lines, balances, strict=True)]
        whole = Balance(
            charged=sum(balance.charged for balance in balances),
            paid=sum(balance.paid for balance in balances),
            overdue=sum(balance.overdue for balance in balances),
        )
        total = (_("In all"), *_sums(whole)) if rows else ()
        lead = _("As of %(day)s, all amounts in %(currency)s") % {"day": date_format(on), "currency": club.currency}
        return list_paper(_("Dues"), columns, rows, wishes, club=club.name, lead=lead, total=total)


def rating_list_paper(club: Club, kind: str, rows: Sequence[RatedMember], wishes: Wishes) -> Paper:
    """The club's own ratings of one kind of chess; it hangs on a wall, so whoever refused publication has initials."""
    with translation.override(wishes.language):
        columns = [
            Column(heading=_("Place"), is_figure=True, is_bold=True),
            Column(heading=_("Name")),
            Column(heading=_("Rating"), is_figure=True, is_bold=True),
            Column(heading=_("Last change"), is_figure=True),
            Column(heading=_("Played last in"), is_unbroken=True),
            Column(heading=_("Games"), is_figure=True),
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
        remark = _(
            "A month's games are counted with the ratings of its first day. A dash: not rated yet, or no longer."
        )
        lead = capfirst(str(TimeKind(kind).label))
        return list_paper(_("Rating list"), columns, cells, wishes, club=club.name, lead=lead, remark=remark)


def month_list_paper(club: Club, kind: str, found: MonthList, wishes: Wishes) -> Paper:
    """The club's ratings of a month beside FIDE's and the federation's of the same people; initials as on the wall."""
    with translation.override(wishes.language):
        columns = [Column(heading=_("Name")), Column(heading=_("The club's"), is_figure=True, is_bold=True)]
        for register in found.registers:
            columns += [Column(heading=register.name, is_figure=True), Column(heading="K", is_figure=True)]
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
        lead = f"{capfirst(str(TimeKind(kind).label))} · {date_format(found.month, 'YEAR_MONTH_FORMAT')}"
        return list_paper(_("Ratings month by month"), columns, rows, wishes, club=club.name, lead=lead)


def statistics_paper(club: Club, found: Statistics, wishes: Wishes, *, with_dates: bool) -> Paper:
    """Members in figures for a federation: by age, title and sex, who came from where and went; then each by name."""
    with translation.override(wishes.language):
        figures_of = [_("Female"), _("Male"), _("Not given"), _("In all")]
        sections = [
            Section(
                heading="",
                columns=[
                    Column(heading=heading, is_head=True),
                    *(Column(heading=each, is_figure=True) for each in figures_of),
                ],
                rows=[(label, each.women, each.men, each.not_said, each.all) for label, each in counts],
                total=(_("In all"), found.women, found.men, found.not_said, found.all) if place == 0 else (),
                css="grid",
            )
            for place, (heading, counts) in enumerate(counted_in_words(found))
        ]
        for heading, members, day, club_of in (
            (_("Joined in %(year)s"), found.joined, "joined_on", "came_from"),
            (_("Left in %(year)s"), found.left, "left_on", "went_to"),
        ):
            columns = [Column(heading=_("Name")), Column(heading=_("Date"), is_figure=True), Column(heading=_("Club"))]
            rows = [
                (each.name, date_format(getattr(each, day), "SHORT_DATE_FORMAT"), getattr(each, club_of))
                for each in members
            ]
            sections.append(
                Section(heading=heading % {"year": found.on.year}, columns=columns, rows=rows, nobody=_("Nobody."))
            )
        lead = _("On %(day)s") % {"day": date_format(found.on)}
        counted = sections_paper(_("Members in figures"), sections, wishes, club=club.name, lead=lead)
        headings, everyone = members_named(found, with_dates=with_dates)
        columns = [
            Column(heading=capfirst(each), is_unbroken=all(_is_of_one_piece(row[place]) for row in everyone))
            for place, each in enumerate(headings)
        ]
        named = list_paper(
            _("Members"), columns, _as_printed(everyone), wishes, club=club.name, lead=lead, may_turn=True
        )
        return Paper(parts=(*counted.parts, *named.parts))


def _is_of_one_piece(cell: object) -> bool:
    """A number, a date, a title or code: nothing that is read in two lines."""
    return not isinstance(cell, str) or (" " not in cell and len(cell) < _OF_A_CODE)


_OF_A_CODE = 12


def _as_printed(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    return [
        [date_format(cell, "SHORT_DATE_FORMAT") if isinstance(cell, date) else cell or "" for cell in row]
        for row in rows
    ]


def series_paper(series: Series, table: SeriesTable, wishes: Wishes) -> Paper:
    """The table of a series of events; what is not among the best stands in brackets."""
    with translation.override(wishes.language):
        with_evenings = series.attendance_points > 0
        columns = [
            Column(heading=_("Place"), is_figure=True, is_bold=True),
            Column(heading=_("Name")),
            *(Column(heading=event.name, is_figure=True) for event in table.events),
            *([Column(heading=_("Evenings"), is_figure=True)] if with_evenings else []),
            Column(heading=_("Total"), is_figure=True, is_bold=True),
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
        remark = _("In brackets: not among the best, and not counted.") if leaves_out else ""
        return list_paper(
            series.name, columns, rows, wishes, club=series.club.name, remark=remark, is_sideways=len(table.events) > 5
        )


def receipt_paper(sheet: ReceiptSheet, wishes: Wishes) -> Paper:
    """A receipt for money, on the upper half of a sheet of the club's paper: no printer asks for another."""
    with translation.override(wishes.language):
        title = _("Receipt %(number)s") % {"number": sheet.number}
        context = {
            "sheet": sheet,
            "title": f"{title}, {sheet.club}",
            "heading": title,
            "club": sheet.club,
            "body_class": "receipt",
        }
        return Paper(
            parts=(part_of("pairing/printing/papers/receipt.html", context, wishes, "receipt", wishes.upright),)
        )


def reminders_paper(club: Club, letters: Sequence[PaperLetter], wishes: Wishes) -> Paper:
    """A page for each, with the name and address in the window of a long envelope, and the code to pay by.

    In the club's language, as their words are.
    """
    with translation.override(club.language):
        context = {
            "title": club.name,
            "club": club.name,
            "city": club.city,
            "day": date_format(timezone.localdate(), "DATE_FORMAT"),
            "letters": letters,
            "body_class": "letters",
        }
        return Paper(
            parts=(
                part_of("pairing/printing/papers/letters.html", context, wishes, "receipt", "letters", wishes.upright),
            )
        )


def books_paper(club: Club, report: YearReport, wishes: Wishes) -> Paper:
    """Balances, income and expenses with the budget, dues outstanding, and places to sign."""
    with translation.override(wishes.language):
        heading = _("Report of the year %(year)s") % {"year": report.year}
        last_day = min(date(report.year, 12, 31), timezone.localdate())
        context = {
            "heading": heading,
            "title": f"{heading}, {club.name}",
            "club": club.name,
            "event": "",
            "as_of": date_format(last_day),
            "currency": club.currency,
            "is_closed": report.is_closed,
            "has_budget": any(line.budget is not None for line in (*report.income, *report.expenses)),
            "parts": [
                (
                    _("Income"),
                    [(line.account.name, *_expected_cells(line)) for line in report.income],
                    _expected_cells(report.income_in_all),
                ),
                (
                    _("Expenses"),
                    [(line.account.name, *_expected_cells(line)) for line in report.expenses],
                    _expected_cells(report.expenses_in_all),
                ),
            ],
            "money": [
                (line.account.name, *_in_money(line.opening, line.closing - line.opening, line.closing))
                for line in report.money
            ],
            "whole": _in_money(report.opening, report.surplus, report.closing),
            "surplus": _expected_cells(report.surplus_expected),
            "reopened": [
                {"day": date_format(step.at, "SHORT_DATE_FORMAT"), "reason": step.reason} for step in report.reopened
            ],
            "outstanding": money(report.dues_outstanding, club.currency),
            "ahead": money(report.paid_ahead, club.currency) if report.paid_ahead else "",
            "entries": report.entries,
            "body_class": "books",
        }
        return Paper(
            parts=(part_of("pairing/printing/papers/books.html", context, wishes, "lists", "books", wishes.upright),)
        )


def journal_paper(club: Club, entries: Sequence[BookEntry], wishes: Wishes, *, year: int) -> Paper:
    """All entries of a year by their numbers, for whoever looks the books through with the vouchers beside them."""
    with translation.override(wishes.language):
        columns = [
            Column(heading=_("Voucher"), is_bold=True, is_unbroken=True),
            Column(heading=_("Date"), is_figure=True),
            Column(heading=_("From")),
            Column(heading=_("To")),
            Column(heading=_("For what")),
            Column(heading=_("Amount"), is_figure=True),
        ]
        rows = [
            (
                entry.voucher,
                date_format(entry.on, "SHORT_DATE_FORMAT"),
                account_name(entry.source),
                account_name(entry.target),
                _said_of(entry),
                figures(entry.amount),
            )
            for entry in entries
        ]
        heading = _("Journal %(year)s") % {"year": year}
        lead = _amounts_in(club)
        return list_paper(heading, columns, rows, wishes, club=club.name, lead=lead, is_sideways=True)


def account_paper(club: Club, sheet: AccountSheet, wishes: Wishes, *, year: int) -> Paper:
    """The cash book, or the sheet of an account or a category: a year's entries by their days, with balances."""
    with translation.override(wishes.language):
        columns = [
            Column(heading=_("Date"), is_figure=True),
            Column(heading=_("Voucher"), is_bold=True, is_unbroken=True),
            Column(heading=_("From or to")),
            Column(heading=_("For what")),
            Column(heading=_("Amount"), is_figure=True),
            Column(heading=_("Balance"), is_figure=True),
        ]
        rows = [
            (
                date_format(line.entry.on, "SHORT_DATE_FORMAT"),
                line.entry.voucher,
                account_name(line.other),
                _said_of(line.entry),
                figures(line.amount),
                figures(line.balance),
            )
            for line in sheet.lines
        ]
        begun = _("At the beginning: %(sum)s") % {"sum": money(sheet.opening, club.currency)}
        lead = f"{_amounts_in(club)} · {begun}"
        heading = f"{sheet.account.name} {year}"
        return list_paper(heading, columns, rows, wishes, club=club.name, lead=lead, is_sideways=True)


def _amounts_in(club: Club) -> str:
    said = {"day": date_format(timezone.localdate()), "currency": club.currency}
    return _("As of %(day)s, all amounts in %(currency)s") % said


def _said_of(entry: BookEntry) -> str:
    """From or to whom, and for what; why, where it takes another back."""
    whose = entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party
    back = f"{_('Takes back')} {entry.corrects.voucher}: {entry.reason}" if entry.corrects else ""
    return " · ".join(filter(None, (whose, entry.text, back)))


def _member_cells(place: int, member: Member, *, with_contact: bool) -> tuple[object, ...]:
    cells = (
        place,
        titled(member.title, member.name),
        Member.Status(member.status).label,
        member.birth_year or "",
        member.rating or "–",
    )
    return (*cells, member.phone, _BREAKS.sub("\\1\u200b", member.email)) if with_contact else cells


_BREAKS = re.compile(r"([@.])")
"""Where an address is broken sooner than between two letters of a word."""


def _sums(balance: Balance) -> tuple[str, str, str, str]:
    sums = (balance.charged, balance.paid, balance.owed, balance.overdue)
    charged, paid, owed, late_text = (figures(cents) if cents else _NOTHING_DUE for cents in sums)
    return charged, paid, owed, late_text


_NOTHING_DUE = f"–{POINT}{FIGURE * 2}"
"""Nothing, where whole amounts would end."""


def _award(award: Award | None) -> str:
    if award is None:
        return ""
    return points_text(award.half_points) if award.counts else f"({points_text(award.half_points)})"


def _expected_cells(line: Expected) -> tuple[str, str, str]:
    budget = "" if line.budget is None else figures(line.budget)
    difference = "" if line.difference is None else f"{'+' if line.difference > 0 else ''}{figures(line.difference)}"
    return figures(line.actual), budget, difference


def _in_money(*amounts: Cents) -> tuple[str, ...]:
    return tuple(map(figures, amounts))
