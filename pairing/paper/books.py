"""The year's report of the club's books on paper, for the meeting and its auditors."""

from __future__ import annotations

from datetime import date

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.books.reports import CategoryLine, YearReport
from clubs.models import Club
from clubs.writing.amounts import Cents, money
from pairing.paper.making import Wishes, part_of
from pairing.paper.pdfs import Paper


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
            "is_closed": report.is_closed,
            "has_budget": any(line.budget is not None for line in (*report.income, *report.expenses)),
            "parts": [
                (_("Income"), [_cells(line, club) for line in report.income], money(report.earned, club.currency)),
                (_("Expenses"), [_cells(line, club) for line in report.expenses], money(report.spent, club.currency)),
            ],
            "money": [
                (line.account.name, *_sums(club, line.opening, line.closing - line.opening, line.closing))
                for line in report.money
            ],
            "whole": _sums(club, report.opening, report.surplus, report.closing),
            "surplus": money(report.surplus, club.currency),
            "outstanding": money(report.dues_outstanding, club.currency),
            "ahead": money(report.paid_ahead, club.currency) if report.paid_ahead else "",
            "entries": report.entries,
            "body_class": "books",
        }
        return Paper(parts=(part_of("books", context, wishes, "lists", "books", wishes.upright),))


def _cells(line: CategoryLine, club: Club) -> tuple[str, str, str, str]:
    budget = "" if line.budget is None else money(line.budget, club.currency)
    difference = "" if line.difference is None else money(line.difference, club.currency)
    return line.account.name, money(line.actual, club.currency), budget, difference


def _sums(club: Club, *amounts: Cents) -> tuple[str, ...]:
    return tuple(money(amount, club.currency) for amount in amounts)
