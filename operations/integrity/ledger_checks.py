"""Integrity checks of the clubs' ledgers."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F, Max, Min, QuerySet

from clubs.models import Club, LedgerEntry
from operations.integrity.findings import Finding

AUDIT = "Ledger entries are never changed. Ask the auditors to check, and add an entry for what is missing."


def check_ledgers(clubs: QuerySet[Club]) -> Iterator[Finding]:
    """Report gaps in receipt numbers, wrong reversals, and entries in another club's accounts."""
    ledger = LedgerEntry.objects.filter(club__in=clubs).order_by()
    years = ledger.exclude(receipt_number=None).values_list("club__slug", "receipt_year")
    for club, year, count, first, last in years.annotate(
        count=Count("pk"), first=Min("receipt_number"), last=Max("receipt_number")
    ):
        if (first, last) != (1, count):
            yield Finding(
                code="receipts-with-a-gap",
                where=f"{club} {year}",
                what=f"{count} receipts are numbered from {first} to {last}",
                do=AUDIT,
            )
    corrected = ledger.exclude(corrects=None)
    wrong = corrected.exclude(
        amount=-F("corrects__amount"),
        kind=F("corrects__kind"),
        account=F("corrects__account"),
        club=F("corrects__club"),
    ) | corrected.exclude(corrects__corrects=None)
    for club, pk in wrong.values_list("club__slug", "pk"):
        yield Finding(
            code="taken-back-wrongly",
            where=f"{club} line {pk}",
            what="does not reverse the entry it names",
            do=AUDIT,
        )
    for club, pk in ledger.exclude(account__member__club=F("club")).values_list("club__slug", "pk"):
        yield Finding(
            code="account-of-another-club", where=f"{club} line {pk}", what="belongs to another club", do=AUDIT
        )
