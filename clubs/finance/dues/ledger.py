"""The club's ledger: charges, payments, refunds, waivers and reversals.

Entries are only ever added, by one transaction at a time in each club.
"""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.accounting.entries import (
    changed_form_problem,
    check_booking_date,
    check_cash_is_enough,
    copy_ledger_entry_to_accounting,
    default_money_account,
    default_reversal_date,
)
from clubs.finance.accounting.year_closing import closed_years
from clubs.finance.dues.balances import balance_of_member
from clubs.models import (
    BankStatementLine,
    BookAccount,
    Club,
    DirectDebitLine,
    DuesAccount,
    DuesSeason,
    LedgerEntry,
    Member,
    User,
)
from common.locking import lock_row
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from common.text.amounts import Cents, format_money

SUSPICIOUS_PAYMENT_FACTOR = 2
"""A payment of more than this many times the amount owed is probably mistyped."""


def check_currency_change(club: Club, currency: str) -> None:
    """Raise ValidationError if the club's ledger has entries in another currency.

    The currency is read from the database, because `club` may already have been changed.
    """
    kept = Club.objects.filter(pk=club.pk).exclude(currency=currency).values_list("currency", flat=True).first()
    if kept and club.ledger.exists():
        raise ValidationError(
            _("The ledger already has entries in %(old)s, so the currency can't change.") % {"old": kept}
        )


def pending_collection_dates(club: Club, member: Member | None = None) -> dict[int, date]:
    """Return the date of each member's pending direct debit, by member key. One query."""
    lines = DirectDebitLine.objects.filter(collection__club=club, collection__taken_back_at=None, entry=None)
    if member is not None:
        lines = lines.filter(member=member)
    return dict(lines.order_by("pk").values_list("member_id", "collection__collected_on"))


def booking_date_of_charge(club: Club, due_on: date) -> date:
    """Return today, or the due date if it has passed, so that a late charge is booked in its own year.

    Closed years, and those before them, get no entries.
    """
    today = timezone.localdate()
    return due_on if due_on < today and due_on.year > max(closed_years(club), default=0) else today


def get_or_create_dues_account(member: Member) -> DuesAccount:
    """Return the member's dues account, created if needed. After a merge of duplicates, this is the older one."""
    return member.accounts.order_by("pk").first() or DuesAccount.objects.create(member=member)


@transaction.atomic
def charge_member(
    member: Member,
    amount: Cents,
    *,
    text: str,
    due_on: date,
    by: User | None,
    season: DuesSeason | None = None,
    form_key: uuid.UUID | None = None,
) -> LedgerEntry:
    """Charge a member. The date is `booking_date_of_charge`.

    Submitting a form twice charges once. Raises OfficerProblem if it was already submitted with different values.
    """
    club = lock_row(Club, member.club_id)
    return _written(club, form_key, member, LedgerEntry.Kind.DUE, amount) or LedgerEntry.objects.create(
        club=club,
        account=get_or_create_dues_account(member),
        kind=LedgerEntry.Kind.DUE,
        amount=amount,
        season=season,
        booked_on=booking_date_of_charge(club, due_on),
        due_on=due_on,
        text=text,
        entered_by=by,
        form_key=form_key,
    )


@transaction.atomic
def record_payment(
    member: Member,
    amount: Cents,
    *,
    method: str,
    paid_on: date,
    by: User | None,
    reference: str = "",
    season: DuesSeason | None = None,
    form_key: uuid.UUID | None = None,
    into: BookAccount | None = None,
    guest_night_on: date | None = None,
    is_sure: bool = True,
) -> LedgerEntry:
    """Record a payment with the club's next receipt number. Submitting a form twice records it once.

    If the club does accounting, the money goes `into` an account, by default the first of its kind. Raises
    OfficerProblem if the date is in the future or in a closed year. Unless `is_sure`, raises OfficerConfirmationNeeded
    for a probable duplicate, over twice the amount owed, or a pending direct debit.
    """
    club = lock_row(Club, member.club_id)
    if not is_sure and not _written(club, form_key, member, LedgerEntry.Kind.PAYMENT, amount):
        _ask_about(member, amount, method, paid_on, club.currency)
    return _money_moved(
        member,
        LedgerEntry.Kind.PAYMENT,
        amount,
        paid_on,
        form_key,
        into,
        method=method,
        by=by,
        reference=reference,
        season=season,
        guest_night_on=guest_night_on,
    )


def _ask_about(member: Member, amount: Cents, method: str, on: date, currency: str) -> None:
    """Raise OfficerConfirmationNeeded for a probable duplicate payment or mistyped amount."""
    alike = LedgerEntry.objects.filter(
        account__member=member, kind=LedgerEntry.Kind.PAYMENT, amount=amount, booked_on=on, method=method
    )
    if (other := alike.filter(corrects=None, corrected_by=None).first()) is not None:
        said = {"number": other.printed_receipt_number}
        raise OfficerConfirmationNeeded(
            _("Receipt %(number)s is for an identical payment on that day. Is this a second payment?") % said
        )
    if (day := pending_collection_dates(member.club, member).get(member.pk)) is not None:
        said = {"day": date_format(day, "SHORT_DATE_FORMAT")}
        raise OfficerConfirmationNeeded(
            _("These dues will be collected by direct debit on %(day)s. Did the member pay anyway?") % said
        )
    owed = balance_of_member(member, today=on).amount_owed
    if 0 < owed * SUSPICIOUS_PAYMENT_FACTOR < amount:
        said = {"amount": format_money(amount, currency), "owed": format_money(owed, currency)}
        raise OfficerConfirmationNeeded(
            _("%(amount)s is much more than the %(owed)s owed. Is the amount right?") % said
        )


@transaction.atomic
def record_refund(
    member: Member,
    amount: Cents,
    *,
    method: str,
    paid_on: date,
    by: User | None,
    reference: str = "",
    form_key: uuid.UUID | None = None,
    out_of: BookAccount | None = None,
    is_sure: bool = True,
) -> LedgerEntry:
    """Refund an overpaid amount, or part of it, with a receipt number.

    Raises OfficerProblem for a larger amount, and for dates as `record_payment` does. Raises
    OfficerConfirmationNeeded, unless `is_sure`, if the cash box has less money.
    """
    club = lock_row(Club, member.club_id)
    if not _written(club, form_key, member, LedgerEntry.Kind.REFUND, amount):
        too_much = balance_of_member(member, today=paid_on).overpaid_amount
        if amount > too_much:
            said = {"amount": format_money(too_much, club.currency)}
            raise OfficerProblem(_("Only %(amount)s was overpaid. You can't refund more.") % said)
        if not is_sure and (box := out_of or default_money_account(club, method)) is not None:
            check_cash_is_enough(box, amount, club.currency)
    return _money_moved(
        member, LedgerEntry.Kind.REFUND, amount, paid_on, form_key, out_of, method=method, by=by, reference=reference
    )


@transaction.atomic
def waive_dues(
    member: Member,
    amount: Cents,
    *,
    reason: str,
    by: User | None,
    on: date | None = None,
    season: DuesSeason | None = None,
    form_key: uuid.UUID | None = None,
) -> LedgerEntry:
    """Waive all or part of what a member owes. The date is today unless one is given.

    The reason is kept. Raises OfficerProblem without a reason, or if the amount is more than is owed. Also raises it
    if the date is in the future or in a closed year.
    """
    if not reason.strip():
        raise OfficerProblem(_("Enter a reason for the waiver. The reason is kept permanently."))
    club = lock_row(Club, member.club_id)
    if written := _written(club, form_key, member, LedgerEntry.Kind.WAIVER, amount):
        return written
    if amount > balance_of_member(member, today=timezone.localdate()).amount_owed:
        raise OfficerProblem(_("This is more than the member owes."))
    on = on or timezone.localdate()
    if on > timezone.localdate():
        raise OfficerProblem(_("The date is in the future."))
    check_booking_date(club, on)
    return LedgerEntry.objects.create(
        club=club,
        account=get_or_create_dues_account(member),
        kind=LedgerEntry.Kind.WAIVER,
        amount=amount,
        season=season,
        booked_on=on,
        reason=reason.strip(),
        entered_by=by,
        form_key=form_key,
    )


@transaction.atomic
def reverse_ledger_entry(
    entry: LedgerEntry, *, reason: str, by: User | None, on: date | None = None, aside: bool = False
) -> LedgerEntry:
    """Reverse a ledger entry with a counter-entry. Payments and refunds get a new receipt number.

    For payments and refunds it is dated `on` or, if empty, by `default_reversal_date`. For others it is dated today.
    The entry's bank statement line goes back under review, or is ignored if `aside`. Raises OfficerProblem without a
    reason, or if the entry is a reversal or has already been reversed. Also raises it if `on` is before the entry, in
    the future or in a closed year.
    """
    if not reason.strip():
        raise OfficerProblem(_("Enter a reason for the reversal. The reason is kept permanently."))
    club = lock_row(Club, entry.club_id)
    if entry.corrects_id is not None:
        raise OfficerProblem(_("This entry is a reversal, so it can't be reversed. Record the amount again instead."))
    if LedgerEntry.objects.filter(corrects=entry).exists():
        raise OfficerProblem(_("This entry has already been reversed."))
    has_receipt = entry.kind in (LedgerEntry.Kind.PAYMENT, LedgerEntry.Kind.REFUND)
    on = (on or default_reversal_date(club, entry.booked_on)) if has_receipt else timezone.localdate()
    if has_receipt:
        if not entry.booked_on <= on <= timezone.localdate():
            raise OfficerProblem(_("Choose a date between the entry's date and today."))
        check_booking_date(club, on)
    year, number = (on.year, _next_receipt(club, on.year)) if has_receipt else (None, None)
    counter = LedgerEntry.objects.create(
        club=club,
        account_id=entry.account_id,
        kind=entry.kind,
        amount=-entry.amount,
        season_id=entry.season_id,
        guest_night_on=entry.guest_night_on,
        on_behalf_of_id=entry.on_behalf_of_id,
        booked_on=on,
        due_on=entry.due_on,
        text=entry.text,
        method=entry.method,
        reference=entry.reference,
        receipt_year=year,
        receipt_number=number,
        corrects=entry,
        reason=reason.strip(),
        entered_by=by,
    )
    copy_ledger_entry_to_accounting(counter)
    if aside:
        BankStatementLine.objects.filter(entry=entry).update(ignored_because=reason.strip()[:160])
    return counter


def _money_moved(
    member: Member,
    kind: str,
    amount: Cents,
    on: date,
    form_key: uuid.UUID | None,
    account: BookAccount | None,
    *,
    by: User | None,
    **columns: Any,
) -> LedgerEntry:
    """Record a payment or refund in the ledger and in accounting."""
    if on > timezone.localdate():
        raise OfficerProblem(_("The payment is dated in the future. Check the date."))
    club = lock_row(Club, member.club_id)
    if written := _written(club, form_key, member, kind, amount):
        return written
    check_booking_date(club, on)
    number = _next_receipt(club, on.year)
    entry = LedgerEntry.objects.create(
        club=club,
        account=get_or_create_dues_account(member),
        kind=kind,
        amount=amount,
        booked_on=on,
        receipt_year=on.year,
        receipt_number=number,
        entered_by=by,
        form_key=form_key,
        **columns,
    )
    copy_ledger_entry_to_accounting(entry, account)
    return entry


def _next_receipt(club: Club, year: int) -> int:
    """Return the next receipt number of the year of payment.

    The club must be locked, and the caller must not fail afterwards.
    """
    last = LedgerEntry.objects.filter(club=club, receipt_year=year).aggregate(last=Max("receipt_number"))["last"]
    return (last or 0) + 1


def _written(club: Club, form_key: uuid.UUID | None, member: Member, kind: str, amount: Cents) -> LedgerEntry | None:
    """Return the entry that this form has already saved, or None. Raises OfficerProblem if its values differ."""
    entry = LedgerEntry.objects.filter(club=club, form_key=form_key).first() if form_key else None
    if entry is not None and (entry.account.member_id, entry.kind, entry.amount) != (member.pk, kind, amount):
        raise changed_form_problem(club, entry.amount, amount)
    return entry
