"""Accounting entries: money in, money out and transfers. Entries are only ever added.

A club without a cash or bank account does no accounting, so its dues are not booked here.
"""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, Sum
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.finance.accounting.year_closing import check_booking_date, closed_years
from clubs.models import BankStatementLine, BookAccount, BookEntry, Club, LedgerEntry, User
from common.locking import lock_row
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from common.text.amounts import Cents
from common.text.amounts import format_money as in_money

__all__ = [
    "category_for_entry_fees",
    "changed_form_problem",
    "check_booking_date",
    "copy_ledger_entry_to_accounting",
    "default_reversal_date",
    "open_money_account",
    "record_accounting_entry",
    "reverse_accounting_entry",
]

_BY_METHOD = {LedgerEntry.Method.CASH: BookAccount.Kind.CASH, LedgerEntry.Method.TRANSFER: BookAccount.Kind.BANK}


@transaction.atomic
def record_accounting_entry(
    source: BookAccount,
    target: BookAccount,
    amount: Cents,
    *,
    on: date,
    by: User | None,
    text: str = "",
    party: str = "",
    form_key: uuid.UUID | None = None,
    is_sure: bool = True,
) -> BookEntry:
    """Record an amount moved from one account to another. Submitting a form twice records it once.

    The entry gets the year's next number. Raises OfficerProblem for a closed account, two categories, or a form already
    submitted with different values. Also raises it for dates in the future, in a closed year or before the account
    begins. Raises OfficerConfirmationNeeded, unless `is_sure`, for a probable mistake.
    """
    club = lock_row(Club, source.club_id)
    if form_key and (written := BookEntry.objects.filter(club=club, form_key=form_key).first()):
        if (written.source_id, written.target_id, written.amount) != (source.pk, target.pk, amount):
            raise changed_form_problem(club, written.amount, amount)
        return written
    _refuse(club, source, target, on)
    if not is_sure:
        _ask_about(source, target, amount, on, club.currency)
    return _written(
        club, source, target, amount, on, text=text[:160], party=party[:140], entered_by=by, form_key=form_key
    )


def changed_form_problem(club: Club, old: Cents, new: Cents) -> OfficerProblem:
    """Return the error if the form was already submitted with different values."""
    said = {"old": in_money(old, club.currency), "new": in_money(new, club.currency)}
    return OfficerProblem(
        _("This form was already submitted with %(old)s, so %(new)s was not recorded. Open the page again to enter it.")
        % said
    )


def balance_of_account(account: BookAccount, *, until: date | None = None) -> Cents:
    """Return an account's balance at the end of a day, or now. One query."""
    moved = BookEntry.objects.filter(Q(source=account) | Q(target=account))
    sums = (moved.filter(on__lte=until) if until else moved).aggregate(
        came=Sum("amount", filter=Q(target=account), default=0), went=Sum("amount", filter=Q(source=account), default=0)
    )
    return int(sums["came"] - sums["went"])


def _ask_about(source: BookAccount, target: BookAccount, amount: Cents, on: date, currency: str) -> None:
    """Raise OfficerConfirmationNeeded for too little cash, a wrong direction or a probable duplicate."""
    check_cash_is_enough(source, amount, currency)
    if source.kind == BookAccount.Kind.EXPENSE:
        raise OfficerConfirmationNeeded(
            _("“%(account)s” is an expense category. Did money really come in?") % {"account": source.name}
        )
    if target.kind == BookAccount.Kind.INCOME:
        raise OfficerConfirmationNeeded(
            _("“%(account)s” is an income category. Did money really go out?") % {"account": target.name}
        )
    alike = BookEntry.objects.filter(source=source, target=target, amount=amount, on=on, corrects=None)
    if (other := alike.filter(corrected_by=None).first()) is not None:
        raise OfficerConfirmationNeeded(
            _("Entry %(voucher)s on that day is identical. Record this one too?") % {"voucher": other.voucher_number}
        )


def check_cash_is_enough(box: BookAccount, amount: Cents, currency: str) -> None:
    """Raise OfficerConfirmationNeeded if a cash account has less than the amount."""
    if box.kind == BookAccount.Kind.CASH and amount > (left := balance_of_account(box)):
        said = {"account": box.name, "amount": in_money(left, currency)}
        raise OfficerConfirmationNeeded(_("“%(account)s” has only %(amount)s. Did you really pay out more?") % said)


@transaction.atomic
def reverse_accounting_entry(
    entry: BookEntry, *, reason: str, by: User | None, on: date | None = None, aside: bool = False
) -> BookEntry:
    """Reverse an entry with an opposite one, dated `on` or, without a date, `reversal_date_of_entry`.

    Entries of the dues ledger must be reversed in the ledger. The entry's bank statement line goes back under review,
    or is ignored if `aside`. Raises OfficerProblem without a reason, if the entry is a reversal or has already been
    reversed, or for an impossible date.
    """
    if not reason.strip():
        raise OfficerProblem(_("Enter a reason for the reversal. The reason is kept permanently."))
    club = lock_row(Club, entry.club_id)
    if entry.ledger_entry_id is not None:
        raise OfficerProblem(_("This is a member's payment. Reverse it on the member's account."))
    if entry.corrects_id is not None:
        raise OfficerProblem(_("This entry is a reversal, so it can't be reversed. Record the amount again instead."))
    if BookEntry.objects.filter(corrects=entry).exists():
        raise OfficerProblem(_("This entry has already been reversed."))
    day = on if on and not is_opening_balance(entry) else reversal_date_of_entry(entry)
    if not entry.on <= day <= timezone.localdate():
        raise OfficerProblem(_("Choose a date between the entry's date and today."))
    check_booking_date(club, day)
    if aside:
        BankStatementLine.objects.filter(booking=entry).update(ignored_because=reason.strip()[:160])
    return _written(
        club,
        entry.target,
        entry.source,
        entry.amount,
        day,
        text=entry.text,
        party=entry.party,
        corrects=entry,
        reason=reason.strip(),
        entered_by=by,
    )


def reversal_date_of_entry(entry: BookEntry) -> date:
    """Return the entry's own date if its year is over but not closed, otherwise today.

    An opening balance keeps its date in any year.
    """
    return entry.on if is_opening_balance(entry) else default_reversal_date(entry.club, entry.on)


def default_reversal_date(club: Club, own: date) -> date:
    """Return the date `own` if its year is over but not closed, otherwise today."""
    today = timezone.localdate()
    return own if max(closed_years(club), default=0) < own.year < today.year else today


@transaction.atomic
def correct_opening_balance(account: BookAccount, balance: Cents, *, reason: str, by: User | None) -> None:
    """Correct the opening balance of a cash or bank account. Raises OfficerProblem if that is not allowed."""
    club = lock_row(Club, account.club_id)
    _refuse_empty_box(account.kind, balance)
    begun = account.begins_on or timezone.localdate()
    opening = BookAccount.objects.get(club=club, kind=BookAccount.Kind.OPENING)
    standing = BookEntry.objects.filter(club=club, corrects=None, corrected_by=None).filter(
        Q(source=opening, target=account) | Q(source=account, target=opening)
    )
    if sum(entry.amount if entry.target_id == account.pk else -entry.amount for entry in standing) == balance:
        raise OfficerProblem(_("The opening balance is already that amount."))
    for entry in standing:
        reverse_accounting_entry(entry, reason=reason, by=by)
    check_booking_date(club, begun)
    _write_opening(club, account, balance, begun, by)


@transaction.atomic
def open_money_account(
    club: Club, *, kind: str, name: str, iban: str, balance: Cents, on: date, by: User | None
) -> BookAccount:
    """Create a cash or bank account with its opening balance on a given day. An overdraft is negative.

    From that day on, dues payments are booked into the first account of each kind. Raises OfficerProblem if the name
    is taken, and for dates as `record_accounting_entry` does.
    """
    club = lock_row(Club, club.pk)
    if club.book_accounts.filter(kind=kind, name=name).exists():
        raise OfficerProblem(_("An account or category with this name already exists."))
    check_booking_date(club, on)
    if on > timezone.localdate():
        raise OfficerProblem(_("The date is in the future."))
    _refuse_empty_box(kind, balance)
    account = BookAccount.objects.create(club=club, kind=kind, name=name, iban=iban, begins_on=on)
    BookAccount.objects.get_or_create(club=club, kind=BookAccount.Kind.OPENING, defaults={"name": "opening"})
    _write_opening(club, account, balance, on, by)
    missing = LedgerEntry.objects.filter(club=club, book_entry=None, booked_on__gte=on).exclude(method="")
    for entry in missing.select_related("account__member").order_by("booked_on", "pk"):
        copy_ledger_entry_to_accounting(entry)
    return account


def copy_ledger_entry_to_accounting(entry: LedgerEntry, account: BookAccount | None = None) -> BookEntry | None:
    """Copy a payment, a refund or the reversal of either from the dues ledger to the club's accounts.

    Returns None if the club does no accounting or no money moved. A reversal uses the same account as its payment, and
    is booked only if the payment was. The club must be locked.
    """
    if entry.corrects_id and not BookEntry.objects.filter(ledger_entry=entry.corrects_id).exists():
        return None
    money = (account or _account_for(entry)) if entry.method else None
    if money is None or entry.booked_on < (money.begins_on or entry.booked_on):
        return None
    category = _category_of(entry)
    corrected = BookEntry.objects.filter(ledger_entry=entry.corrects_id).first() if entry.corrects_id else None
    is_in = (entry.kind == LedgerEntry.Kind.PAYMENT) == (entry.amount > 0)
    source, target = (category, money) if is_in else (money, category)
    with translation.override(entry.club.language):
        text = _("Receipt %(number)s") % {"number": entry.printed_receipt_number}
    return _written(
        entry.club,
        source,
        target,
        abs(entry.amount),
        entry.booked_on,
        text=text,
        ledger_entry=entry,
        corrects=corrected,
        reason=entry.reason if corrected else "",
        entered_by=entry.entered_by,
    )


def is_before_accounting_began(entry: LedgerEntry) -> bool:
    """Return True if the money moved before the club started its accounts."""
    kept = BookAccount.objects.filter(
        club=entry.club_id, kind__in=BookAccount.MONEY_KINDS, begins_on__gt=entry.booked_on
    )
    return bool(entry.method) and not BookEntry.objects.filter(ledger_entry=entry).exists() and kept.exists()


def _refuse_empty_box(kind: str, balance: Cents) -> None:
    if kind == BookAccount.Kind.CASH and balance < 0:
        raise OfficerProblem(_("A cash box can't have a negative balance."))


def _write_opening(club: Club, account: BookAccount, balance: Cents, on: date, by: User | None) -> None:
    if balance:
        opening = BookAccount.objects.get(club=club, kind=BookAccount.Kind.OPENING)
        source, target = (opening, account) if balance > 0 else (account, opening)
        with translation.override(club.language):
            text = _("Opening balance")
        _written(club, source, target, abs(balance), on, text=text, entered_by=by)


def is_opening_balance(entry: BookEntry) -> bool:
    """Return True if the entry is an account's opening balance."""
    return BookAccount.Kind.OPENING in (entry.source.kind, entry.target.kind)


def category_for_entry_fees(club: Club) -> BookAccount:
    """Return the category for entry fees of events, created if needed."""
    with translation.override(club.language):
        return _category(club, "is_for_entry_fees", _("Entry fees"))


def _category_of(entry: LedgerEntry) -> BookAccount:
    """Return the category for dues or guest fees, created if needed."""
    mark = "is_for_guests" if entry.guest_night_on else "is_for_dues"
    with translation.override(entry.club.language):
        return _category(entry.club, mark, _("Guest nights") if entry.guest_night_on else _("Members' dues"))


def _category(club: Club, mark: str, name: str) -> BookAccount:
    """Return the income category with this mark. A category of the same name made by a user is used for it."""
    income = BookAccount.objects.filter(club=club, kind=BookAccount.Kind.INCOME)
    if (known := income.filter(**{mark: True}).first()) is not None:
        return known
    found, _made = income.get_or_create(club=club, name=name, defaults={"kind": BookAccount.Kind.INCOME})
    BookAccount.objects.filter(pk=found.pk).update(**{mark: True, "is_closed": False})
    found.refresh_from_db()
    return found


def _account_for(entry: LedgerEntry) -> BookAccount | None:
    if entry.corrects_id is not None:
        first = BookEntry.objects.filter(ledger_entry=entry.corrects_id).select_related("source", "target").first()
        if first is not None:
            return next(each for each in (first.source, first.target) if each.kind in BookAccount.MONEY_KINDS)
    return default_money_account(entry.club, entry.method)


def default_money_account(club: Club, method: str) -> BookAccount | None:
    """Return the default account for a payment method: the first open account of the right kind, or None."""
    kind = _BY_METHOD[LedgerEntry.Method(method)]
    return BookAccount.objects.filter(club=club, kind=kind, is_closed=False).order_by("pk").first()


def _refuse(club: Club, source: BookAccount, target: BookAccount, on: date) -> None:
    sides = (source, target)
    if {side.club_id for side in sides} != {club.pk} or source.pk == target.pk:
        raise OfficerProblem(_("Choose 2 different accounts."))
    if not any(side.kind in BookAccount.MONEY_KINDS for side in sides):
        raise OfficerProblem(_("One of the accounts must be cash or a bank account."))
    if any(side.is_closed for side in sides):
        raise OfficerProblem(_("This account is no longer in use."))
    if on > timezone.localdate():
        raise OfficerProblem(_("The date is in the future."))
    for side in sides:
        if side.begins_on and on < side.begins_on:
            raise OfficerProblem(_("The records for %(account)s start after this date.") % {"account": side.name})
    check_booking_date(club, on)


def _written(
    club: Club, source: BookAccount, target: BookAccount, amount: Cents, on: date, **columns: Any
) -> BookEntry:
    """Save the entry under the next number of its year. The club must be locked."""
    last = BookEntry.objects.filter(club=club, year=on.year).aggregate(last=Max("number"))["last"]
    return BookEntry.objects.create(
        club=club,
        year=on.year,
        number=(last or 0) + 1,
        on=on,
        source=source,
        target=target,
        amount=amount,
        **columns,
    )
