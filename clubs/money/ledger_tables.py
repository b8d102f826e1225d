"""The ledger as a table in the reader's language, for the treasurer and the accountant."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from clubs.files.spreadsheets import Value
from clubs.models import Club
from clubs.writing.amounts import decimal_of

HEADINGS = (
    *(_("Line"), _("Date"), _("Kind"), _("Receipt"), _("Member"), _("Reference for transfers"), _("Season")),
    *(_("Text"), _("Method"), _("Note"), _("Charged"), _("Paid"), _("Currency"), _("To be paid by")),
    *(_("Takes back"), _("Reason"), _("Entered by"), _("Entered on")),
)


def ledger_table(club: Club, *, year: int | None = None) -> tuple[tuple[str, ...], list[list[Value]]]:
    """Headings and lines of the ledger, of one year by date or all; one query."""
    entries = club.ledger.select_related("account__member", "season", "entered_by")
    if year is not None:
        entries = entries.filter(booked_on__year=year)
    rows: list[list[Value]] = []
    for entry in entries:
        takes_from = entry.kind in (entry.Kind.REFUND, entry.Kind.WAIVER)
        amount = decimal_of(-entry.amount if takes_from else entry.amount)
        is_due = not entry.method
        rows.append(
            [
                entry.pk,
                entry.booked_on,
                entry.get_kind_display(),
                entry.receipt,
                entry.account.member.name,
                entry.account.reference,
                entry.season.name if entry.season else "",
                entry.what_for,
                entry.get_method_display(),
                entry.note,
                amount if is_due else None,
                None if is_due else amount,
                club.currency,
                entry.due_on,
                entry.corrects_id,
                entry.why,
                entry.entered_by.get_username() if entry.entered_by else "",
                entry.entered_at.date(),
            ]
        )
    return tuple(map(str, HEADINGS)), rows
