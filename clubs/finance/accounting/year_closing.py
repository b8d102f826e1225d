"""Closing and reopening of accounting years. A closed year accepts no more entries."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import AccountingYearStatusChange, BankStatementLine, Club, User
from common.locking import lock_row
from common.problems import OfficerConfirmationNeeded, OfficerProblem

MAX_ENTRY_AGE = timedelta(days=3653)
"""An entry dated earlier than this is refused as a mistyped year."""


def closed_years(club: Club) -> set[int]:
    """Return the years that are now closed. One query."""
    latest = dict(AccountingYearStatusChange.objects.filter(club=club).order_by("pk").values_list("year", "closes"))
    return {year for year, closes in latest.items() if closes}


def stored_closing_figures(club: Club, year: int) -> dict[str, int]:
    """Return the figures saved when the year was last closed, or none if it never was."""
    steps = AccountingYearStatusChange.objects.filter(club=club, year=year, closes=True).order_by("-pk")
    return steps.values_list("figures", flat=True).first() or {}


def check_booking_date(club: Club, day: date) -> None:
    """Raise OfficerProblem if the day is over ten years ago or not after the last closed year. Lock the club first."""
    if day < timezone.localdate() - MAX_ENTRY_AGE:
        raise OfficerProblem(_("The date is more than 10 years ago. Check it."))
    # An entry dated before a closed year would change that year's opening balances.
    last = max(closed_years(club), default=0)
    if day.year <= last:
        raise OfficerProblem(_("The year %(year)s is closed. Choose a later date.") % {"year": last})


@transaction.atomic
def close_year(
    club: Club, year: int, *, figures: dict[str, int], by: User | None, is_sure: bool = True
) -> AccountingYearStatusChange:
    """Close a year that is over. `figures` are saved, so that changes after a reopening can be shown.

    Raises OfficerProblem if the year is not over, is already closed or an earlier one is open. Raises
    OfficerConfirmationNeeded, unless `is_sure`, if its bank statement lines are still to be reviewed.
    """
    club = lock_row(Club, club.pk)
    if year >= timezone.localdate().year:
        raise OfficerProblem(_("You can only close a year after it has ended."))
    if year in closed_years(club):
        raise OfficerProblem(_("The year is already closed."))
    if (first := _first_year(club)) is not None and any(
        earlier not in closed_years(club) for earlier in range(first, year)
    ):
        raise OfficerProblem(_("Close the previous year first."))
    if not is_sure and (waiting := count_bank_lines_to_review(club, year)):
        raise OfficerConfirmationNeeded(bank_lines_to_review_message(year, waiting))
    return AccountingYearStatusChange.objects.create(club=club, year=year, closes=True, figures=figures, by=by)


def count_bank_lines_to_review(club: Club, year: int) -> int:
    """Count the bank statement lines under review that are dated in the year or earlier."""
    return BankStatementLine.objects.filter(club=club, booked_on__lte=date(year, 12, 31)).needing_review().count()


def bank_lines_to_review_message(year: int, lines: int) -> str:
    """Return the warning that this many bank lines up to the end of the year still need review."""
    return _(
        "Bank transactions to review for %(year)s or earlier: %(n)s. If you close now, they'll be recorded "
        "with later dates and the balances won't match."
    ) % {"year": year, "n": lines}


@transaction.atomic
def reopen_year(club: Club, year: int, *, reason: str, by: User | None) -> AccountingYearStatusChange:
    """Reopen a closed year, and record who did it, when and why.

    Only the latest closed year can be reopened, because the next one starts with its balances. Raises OfficerProblem
    if it is another year, is not closed, or no reason is given.
    """
    club = lock_row(Club, club.pk)
    if not reason.strip():
        raise OfficerProblem(_("Enter a reason for reopening the year. The reason is kept permanently."))
    closed = closed_years(club)
    if year not in closed:
        raise OfficerProblem(_("The year is not closed."))
    if year != max(closed):
        raise OfficerProblem(_("Reopen the following year first."))
    return AccountingYearStatusChange.objects.create(club=club, year=year, closes=False, reason=reason.strip(), by=by)


def _first_year(club: Club) -> int | None:
    first = club.book_entries.order_by("year").values_list("year", flat=True).first()
    return int(first) if first is not None else None
