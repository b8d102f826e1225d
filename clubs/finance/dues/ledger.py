"""The club's ledger: charging, paying, taking back. Lines are only ever added, one writer at a time in each club."""

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
from clubs.locking import lock_club
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
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from common.text.amounts import Cents, format_money

SUSPICIOUS_PAYMENT_FACTOR = 2
"""So many times what is owed, an amount is likely to be mistyped."""


def check_currency_change(club: Club, currency: str) -> None:
    """Raises ValidationError where the club's ledger has lines in another; the club may have the new one already."""
    kept = Club.objects.filter(pk=club.pk).exclude(currency=currency).values_list("currency", flat=True).first()
    if kept and club.ledger.exists():
        raise ValidationError(_("The ledger has lines in %(old)s already.") % {"old": kept})


def pending_collection_dates(club: Club, member: Member | None = None) -> dict[int, date]:
    """The day of the direct debit that is under way, by the key of the member it is from; one query."""
    lines = DirectDebitLine.objects.filter(collection__club=club, collection__taken_back_at=None, entry=None)
    if member is not None:
        lines = lines.filter(member=member)
    return dict(lines.order_by("pk").values_list("member_id", "collection__collected_on"))


def booking_date_of_charge(club: Club, due_on: date) -> date:
    """Today; of what should have been paid by now, its day, so that a season charged late stands in its own year.

    Nothing is dated into a closed year, or before one.
    """
    today = timezone.localdate()
    return due_on if due_on < today and due_on.year > max(closed_years(club), default=0) else today


def get_or_create_dues_account(member: Member) -> DuesAccount:
    """The member's account; opened now if there is none. A merged member's first one is used from then on."""
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
    """Charge a due, dated as `booking_date_of_charge` says.

    A form sent twice charges once; OfficerProblem where it was charged with something else.
    """
    club = lock_club(member.club_id)
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
    """Book a payment under the club's next receipt number. A form sent twice books once.

    In the club's books, where it keeps any, it goes `into` an account (none said: the first of its kind). Raises
    OfficerProblem for a payment from the future, or of a year that is closed; OfficerQuestion, unless it `is_sure`, for
    one like another of that day, for one that is more than twice what is owed, and while dues are being collected.
    """
    club = lock_club(member.club_id)
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
    """Raise OfficerQuestion for what is likely to be a payment booked twice, or a comma in the wrong place."""
    alike = LedgerEntry.objects.filter(
        account__member=member, kind=LedgerEntry.Kind.PAYMENT, amount=amount, booked_on=on, method=method
    )
    if (other := alike.filter(corrects=None, corrected_by=None).first()) is not None:
        said = {"number": other.printed_receipt_number}
        raise OfficerConfirmationNeeded(
            _("The same is booked of that day with receipt %(number)s. A second payment?") % said
        )
    if (day := pending_collection_dates(member.club, member).get(member.pk)) is not None:
        said = {"day": date_format(day, "SHORT_DATE_FORMAT")}
        raise OfficerConfirmationNeeded(
            _("The dues are collected from the account on %(day)s. Paid all the same?") % said
        )
    owed = balance_of_member(member, today=on).amount_owed
    if 0 < owed * SUSPICIOUS_PAYMENT_FACTOR < amount:
        said = {"amount": format_money(amount, currency), "owed": format_money(owed, currency)}
        raise OfficerConfirmationNeeded(
            _("%(amount)s are much more than the %(owed)s that are owed. Is the amount right?") % said
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
    """Give back what somebody has paid too much, under a receipt number, at most that.

    Raises OfficerProblem for more, and for days as `record_payment` does; OfficerQuestion, unless it `is_sure`, for
    more than is in the cash box.
    """
    club = lock_club(member.club_id)
    if not _written(club, form_key, member, LedgerEntry.Kind.REFUND, amount):
        too_much = balance_of_member(member, today=paid_on).overpaid_amount
        if amount > too_much:
            said = {"amount": format_money(too_much, club.currency)}
            raise OfficerProblem(_("Paid too much are %(amount)s: more cannot be given back.") % said)
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
    """Let somebody off a part of what he owes, or all of it, on a day (none said: today); the reason stays.

    Raises OfficerProblem for more than is owed, and for a day to come or of a closed year.
    """
    if not reason.strip():
        raise OfficerProblem(_("Say why it is waived: it stays in the ledger for ever."))
    club = lock_club(member.club_id)
    if written := _written(club, form_key, member, LedgerEntry.Kind.WAIVER, amount):
        return written
    if amount > balance_of_member(member, today=timezone.localdate()).amount_owed:
        raise OfficerProblem(_("That is more than is owed."))
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
    """Write the counter-entry of a line. That of money which changed hands has a receipt number of its own.

    It is dated `on`; money's, where nothing is said, as `default_reversal_date` says. The statement's line that it was
    booked from waits again, or is left `aside` for the same reason. Raises OfficerProblem without a reason, for a line
    taken back before, for one that takes back another, and for a day before the line's, to come, or of a closed year.
    """
    if not reason.strip():
        raise OfficerProblem(_("Say why it is taken back: it stays in the ledger for ever."))
    club = lock_club(entry.club_id)
    if entry.corrects_id is not None:
        raise OfficerProblem(_("This line takes another one back. Book the amount anew instead."))
    if LedgerEntry.objects.filter(corrects=entry).exists():
        raise OfficerProblem(_("This line was taken back already."))
    has_receipt = entry.kind in (LedgerEntry.Kind.PAYMENT, LedgerEntry.Kind.REFUND)
    on = (on or default_reversal_date(club, entry.booked_on)) if has_receipt else timezone.localdate()
    if has_receipt:
        if not entry.booked_on <= on <= timezone.localdate():
            raise OfficerProblem(_("Choose a day between that of the entry and today."))
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
    """A payment or a refund, in the ledger and in the books."""
    if on > timezone.localdate():
        raise OfficerProblem(_("The payment is dated in the future. Check the date."))
    club = lock_club(member.club_id)
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
    """The number of the next receipt of a year: that of the payment's day, as its voucher in the books has.

    The club must be held, and nothing may fail after.
    """
    last = LedgerEntry.objects.filter(club=club, receipt_year=year).aggregate(last=Max("receipt_number"))["last"]
    return (last or 0) + 1


def _written(club: Club, form_key: uuid.UUID | None, member: Member, kind: str, amount: Cents) -> LedgerEntry | None:
    """What this form has written already; OfficerProblem where that was something else."""
    entry = LedgerEntry.objects.filter(club=club, form_key=form_key).first() if form_key else None
    if entry is not None and (entry.account.member_id, entry.kind, entry.amount) != (member.pk, kind, amount):
        raise changed_form_problem(club, entry.amount, amount)
    return entry
