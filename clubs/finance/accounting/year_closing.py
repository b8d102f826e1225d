"""Years of the books: closing one, so that nothing is dated into it any more, and opening it again."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.locking import lock_club
from clubs.models import AccountingYearStatusChange, BankStatementLine, Club, User
from common.problems import OfficerConfirmationNeeded, OfficerProblem

MAX_ENTRY_AGE = timedelta(days=3653)
"""So old no payment is that is booked today: a year was mistyped."""


def closed_years(club: Club) -> set[int]:
    """The years that are closed today; one query."""
    latest = dict(AccountingYearStatusChange.objects.filter(club=club).order_by("pk").values_list("year", "closes"))
    return {year for year, closes in latest.items() if closes}


def stored_closing_figures(club: Club, year: int) -> dict[str, int]:
    """The figures that were kept when a year was closed last; none where it never was."""
    steps = AccountingYearStatusChange.objects.filter(club=club, year=year, closes=True).order_by("-pk")
    return steps.values_list("figures", flat=True).first() or {}


def check_booking_date(club: Club, day: date) -> None:
    """Raise OfficerProblem for a day of a closed year, or before one, or of another age; hold the club first."""
    if day < timezone.localdate() - MAX_ENTRY_AGE:
        raise OfficerProblem(_("The date is more than ten years ago. Check it."))
    # What is dated before a closed year changes the balances that it began with.
    last = max(closed_years(club), default=0)
    if day.year <= last:
        raise OfficerProblem(_("The year %(year)s is closed: nothing is dated into it any more.") % {"year": last})


@transaction.atomic
def close_year(
    club: Club, year: int, *, figures: dict[str, int], by: User | None, is_sure: bool = True
) -> AccountingYearStatusChange:
    """Close a year that is over. `figures` are kept with it, so that a change after reopening can be seen.

    Raises OfficerQuestion, unless it `is_sure`, while lines of the year's statements wait.
    """
    club = lock_club(club.pk)
    if year >= timezone.localdate().year:
        raise OfficerProblem(_("A year is closed when it is over."))
    if year in closed_years(club):
        raise OfficerProblem(_("The year is closed already."))
    if (first := _first_year(club)) is not None and any(
        earlier not in closed_years(club) for earlier in range(first, year)
    ):
        raise OfficerProblem(_("Close the year before it first."))
    if not is_sure and (waiting := count_bank_lines_to_review(club, year)):
        raise OfficerConfirmationNeeded(bank_lines_to_review_message(year, waiting))
    return AccountingYearStatusChange.objects.create(club=club, year=year, closes=True, figures=figures, by=by)


def count_bank_lines_to_review(club: Club, year: int) -> int:
    """How many lines of statements dated in a year or before it wait to be booked."""
    return BankStatementLine.objects.filter(club=club, booked_on__lte=date(year, 12, 31)).needing_review().count()


def bank_lines_to_review_message(year: int, lines: int) -> str:
    """What is said of them."""
    return _(
        "Lines of bank statements up to %(year)s that wait: %(n)s. Once the year is closed they cannot be booked on "
        "their day, and the bank's balance is another than the books'."
    ) % {"year": year, "n": lines}


@transaction.atomic
def reopen_year(club: Club, year: int, *, reason: str, by: User | None) -> AccountingYearStatusChange:
    """Open a closed year again; who, when and why stay. Only the latest closed one: the next began with its balance."""
    club = lock_club(club.pk)
    if not reason.strip():
        raise OfficerProblem(_("Say why it is opened again: it stays in the books for ever."))
    closed = closed_years(club)
    if year not in closed:
        raise OfficerProblem(_("The year is not closed."))
    if year != max(closed):
        raise OfficerProblem(_("Open the year after it first."))
    return AccountingYearStatusChange.objects.create(club=club, year=year, closes=False, reason=reason.strip(), by=by)


def _first_year(club: Club) -> int | None:
    first = club.book_entries.order_by("year").values_list("year", flat=True).first()
    return int(first) if first is not None else None
