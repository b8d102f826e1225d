"""The ledger as a table, for the treasurer's own programs."""

from __future__ import annotations

from clubs.files.spreadsheets import Value
from clubs.models import Club
from clubs.writing.amounts import decimal_of

HEADINGS = (
    *("line", "date", "kind", "receipt", "member", "reference of the member", "season", "text", "method", "note"),
    *("charged", "paid", "currency", "to be paid by", "takes back line", "reason", "entered by", "entered on"),
)


def ledger_table(club: Club, *, year: int | None = None) -> tuple[tuple[str, ...], list[list[Value]]]:
    """Headings and lines of the ledger, of one year by date or all; one query."""
    entries = club.ledger.select_related("account__member", "season", "entered_by")
    if year is not None:
        entries = entries.filter(booked_on__year=year)
    rows: list[list[Value]] = []
    for entry in entries:
        amount = decimal_of(entry.amount)
        is_due = entry.kind == entry.Kind.DUE
        rows.append(
            [
                entry.pk,
                entry.booked_on,
                entry.kind,
                entry.receipt,
                entry.account.member.name,
                entry.account.reference,
                entry.season.name if entry.season else "",
                entry.text,
                entry.method,
                entry.reference,
                amount if is_due else None,
                None if is_due else amount,
                club.currency,
                entry.due_on,
                entry.corrects_id,
                entry.reason,
                entry.entered_by.get_username() if entry.entered_by else "",
                entry.entered_at.date(),
            ]
        )
    return HEADINGS, rows
