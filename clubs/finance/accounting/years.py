"""Years of the books: closing one, so that nothing is dated into it any more, and opening it again."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.locking import hold
from clubs.models import BankLine, Club, User, YearStep
from common.problems import OfficerProblem, OfficerQuestion

LONGEST_AGO = timedelta(days=3653)
"""So old no payment is that is booked today: a year was mistyped."""


def closed_years(club: Club) -> set[int]:
    """The years that are closed today; one query."""
    latest = dict(YearStep.objects.filter(club=club).order_by("pk").values_list("year", "closes"))
    return {year for year, closes in latest.items() if closes}


def figures_of(club: Club, year: int) -> dict[str, int]:
    """The figures that were kept when a year was closed last; none where it never was."""
    steps = YearStep.objects.filter(club=club, year=year, closes=True).order_by("-pk")
    return steps.values_list("figures", flat=True).first() or {}


def refuse_closed(club: Club, day: date) -> None:
    """Raise OfficerProblem for a day of a closed year, or before one, or of another age; hold the club first."""
    if day < timezone.localdate() - LONGEST_AGO:
        raise OfficerProblem(_("The date is more than ten years ago. Check it."))
    # What is dated before a closed year changes the balances that it began with.
    last = max(closed_years(club), default=0)
    if day.year <= last:
        raise OfficerProblem(_("The year %(year)s is closed: nothing is dated into it any more.") % {"year": last})


@transaction.atomic
def close_year(club: Club, year: int, *, figures: dict[str, int], by: User | None, is_sure: bool = True) -> YearStep:
    """Close a year that is over. `figures` are kept with it, so that a change after reopening can be seen.

    Raises OfficerQuestion, unless it `is_sure`, while lines of the year's statements wait.
    """
    club = hold(club.pk)
    if year >= timezone.localdate().year:
        raise OfficerProblem(_("A year is closed when it is over."))
    if year in closed_years(club):
        raise OfficerProblem(_("The year is closed already."))
    if (first := _first_year(club)) is not None and any(
        earlier not in closed_years(club) for earlier in range(first, year)
    ):
        raise OfficerProblem(_("Close the year before it first."))
    if not is_sure and (waiting := waiting_lines(club, year)):
        raise OfficerQuestion(what_waits(year, waiting))
    return YearStep.objects.create(club=club, year=year, closes=True, figures=figures, by=by)


def waiting_lines(club: Club, year: int) -> int:
    """How many lines of statements dated in a year or before it wait to be booked."""
    return BankLine.objects.filter(club=club, booked_on__lte=date(year, 12, 31)).waiting().count()


def what_waits(year: int, lines: int) -> str:
    """What is said of them."""
    return _(
        "Lines of bank statements up to %(year)s that wait: %(n)s. Once the year is closed they cannot be booked on "
        "their day, and the bank's balance is another than the books'."
    ) % {"year": year, "n": lines}


@transaction.atomic
def reopen_year(club: Club, year: int, *, reason: str, by: User | None) -> YearStep:
    """Open a closed year again; who, when and why stay. Only the latest closed one: the next began with its balance."""
    club = hold(club.pk)
    if not reason.strip():
        raise OfficerProblem(_("Say why it is opened again: it stays in the books for ever."))
    closed = closed_years(club)
    if year not in closed:
        raise OfficerProblem(_("The year is not closed."))
    if year != max(closed):
        raise OfficerProblem(_("Open the year after it first."))
    return YearStep.objects.create(club=club, year=year, closes=False, reason=reason.strip(), by=by)


def _first_year(club: Club) -> int | None:
    first = club.book_entries.order_by("year").values_list("year", flat=True).first()
    return int(first) if first is not None else None
