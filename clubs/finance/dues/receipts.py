"""Receipts, for page and print, and the ledger as a table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, LedgerEntry
from common.tabular.spreadsheets import CellValue
from common.text.amounts import Cents, cents_to_decimal, format_money
from common.text.name_order import name_in_spoken_order


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptSheet:
    """A receipt.

    `reversed_by_receipt` is the receipt of the reversal, if any. The receipt of a reversal has `reverses_receipt`, a
    `reason` and a negative amount.
    """

    club: str
    city: str
    currency: str
    number: str
    issued_on: date
    name: str
    amount: Cents
    paid_on: date
    method: str | Promise
    reference: str
    received_by: str
    purpose: str = ""
    reversed_by_receipt: str = ""
    reverses_receipt: str = ""
    reason: str = ""
    is_paid_out: bool = False
    """True if the club paid out money, so that the recipient signs. The reversal of a payout is signed by its author.
    """

    @property
    def spoken_name(self) -> str:
        """The member's name in spoken order."""
        return name_in_spoken_order(self.name)

    @property
    def formatted_amount(self) -> str:
        """The amount with its currency, in the reader's format."""
        return format_money(self.amount, self.currency)


def build_receipt_sheet(entry: LedgerEntry) -> ReceiptSheet:
    """Return the receipt of a payment, a refund or a reversal."""
    by, club = entry.entered_by, entry.club
    corrected_by = getattr(entry, "corrected_by", None)
    return ReceiptSheet(
        club=club.name,
        city=club.city,
        currency=club.currency,
        number=entry.printed_receipt_number,
        issued_on=entry.entered_at.date(),
        name=entry.account.member.name,
        amount=entry.amount,
        paid_on=entry.booked_on,
        method=LedgerEntry.Method(entry.method).label,
        reference=entry.visible_reference,
        purpose=entry.text or (str(entry.season) if entry.season else ""),
        received_by=by.get_full_name() if by else "",
        reversed_by_receipt=corrected_by.printed_receipt_number if corrected_by else "",
        reverses_receipt=entry.corrects.printed_receipt_number if entry.corrects else "",
        reason=entry.visible_reason,
        is_paid_out=entry.kind == LedgerEntry.Kind.REFUND and entry.corrects_id is None,
    )


LEDGER_HEADINGS = (
    *(_("Line"), _("Date"), _("Type"), _("Receipt"), _("Member"), _("Payment reference"), _("Season")),
    *(_("Description"), _("Payment method"), _("Note"), _("Charged"), _("Paid"), _("Currency"), _("Due date")),
    *(_("Reverses"), _("Reason"), _("Entered by"), _("Entered on")),
)


def ledger_table(club: Club, *, year: int | None = None) -> tuple[tuple[str, ...], list[list[CellValue]]]:
    """Return headings and rows for the ledger, for one year (by date) or all years. One query."""
    entries = club.ledger.select_related("account__member", "season", "entered_by")
    if year is not None:
        entries = entries.filter(booked_on__year=year)
    rows: list[list[CellValue]] = []
    for entry in entries:
        takes_from = entry.kind in (entry.Kind.REFUND, entry.Kind.WAIVER)
        amount = cents_to_decimal(-entry.amount if takes_from else entry.amount)
        is_due = not entry.method
        rows.append(
            [
                entry.pk,
                entry.booked_on,
                entry.get_kind_display(),
                entry.printed_receipt_number,
                entry.account.member.name,
                entry.account.payment_reference,
                entry.season.name if entry.season else "",
                entry.visible_text,
                entry.get_method_display(),
                entry.visible_reference,
                amount if is_due else None,
                None if is_due else amount,
                club.currency,
                entry.due_on,
                entry.corrects_id,
                entry.visible_reason,
                entry.entered_by.get_username() if entry.entered_by else "",
                entry.entered_at.date(),
            ]
        )
    return tuple(map(str, LEDGER_HEADINGS)), rows
