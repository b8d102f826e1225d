"""A receipt as it is printed: one record for the page and the paper."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.functional import Promise

from clubs.models import LedgerEntry
from clubs.writing.amounts import Cents, money
from clubs.writing.name_order import spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptSheet:
    """A receipt. For a payment taken back, `taken_back_by` names the receipt of the counter-entry; a counter-entry's
    own receipt names what it `takes_back` and why; its amount is below zero.
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
    taken_back_by: str = ""
    takes_back: str = ""
    reason: str = ""
    is_paid_out: bool = False
    """The club gave the money: who got it signs. What takes that back is signed by who wrote it."""

    @property
    def spoken_name(self) -> str:
        """Whose money it was, in the order of speech."""
        return spoken(self.name)

    @property
    def sum(self) -> str:
        """The amount with its currency, in the reader's way of writing numbers."""
        return money(self.amount, self.currency)


def receipt_sheet(entry: LedgerEntry) -> ReceiptSheet:
    """The receipt of a payment, of a refund, or of what takes one back."""
    by, club = entry.entered_by, entry.club
    corrected_by = getattr(entry, "corrected_by", None)
    return ReceiptSheet(
        club=club.name,
        city=club.city,
        currency=club.currency,
        number=entry.receipt,
        issued_on=entry.entered_at.date(),
        name=entry.account.member.name,
        amount=entry.amount,
        paid_on=entry.booked_on,
        method=LedgerEntry.Method(entry.method).label,
        reference=entry.note,
        purpose=entry.text or (str(entry.season) if entry.season else ""),
        received_by=(by.get_full_name() or by.get_username()) if by else "",
        taken_back_by=corrected_by.receipt if corrected_by else "",
        takes_back=entry.corrects.receipt if entry.corrects else "",
        reason=entry.why,
        is_paid_out=entry.kind == LedgerEntry.Kind.REFUND and entry.corrects_id is None,
    )
