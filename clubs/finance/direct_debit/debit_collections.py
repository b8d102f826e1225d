"""Collecting dues: the amounts collectable by a day, the collection, and booking or cancelling it."""

from __future__ import annotations

import uuid
from collections.abc import Collection as Many
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.easter import easter
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.direct_debit.mandates import active_mandates_by_member
from clubs.finance.dues.balances import member_balances
from clubs.finance.dues.ledger import record_payment
from clubs.models import (
    Club,
    DirectDebitCollection,
    DirectDebitLine,
    DirectDebitMandate,
    DuesAccount,
    LedgerEntry,
    Member,
    User,
)
from common.locking import lock_row
from common.problems import OfficerProblem
from common.text.amounts import Cents
from common.text.ibans import parse_iban

_FIXED = {(1, 1), (5, 1), (12, 25), (12, 26)}
SATURDAY = 5


def is_bank_day(day: date) -> bool:
    """Return True if banks transfer money on this day."""
    sunday: date = easter(day.year)
    is_closed = (day.month, day.day) in _FIXED or day in (sunday - timedelta(days=2), sunday + timedelta(days=1))
    return day.weekday() < SATURDAY and not is_closed


def first_bank_day_from(day: date) -> date:
    """Return the day itself if it is a bank day, otherwise the next bank day."""
    while not is_bank_day(day):
        day += timedelta(days=1)
    return day


MIN_DAYS_AHEAD = 1
"""Banks want a file at least one bank day before the collection."""
MAX_DAYS_AHEAD = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectableAmount:
    """The amount that can be collected from a member by a certain day."""

    member: Member
    mandate: DirectDebitMandate
    amount: Cents


def collection_blocker(club: Club) -> str:
    """Return why the club cannot collect dues and what the treasurer should do. Empty if it can."""
    if club.currency != "EUR":
        return _("SEPA direct debits only work in euros, but the club's currency is %(currency)s.") % {
            "currency": club.currency
        }
    if not parse_iban(club.bank_account):
        return _("Enter the club's bank account as an IBAN first.")
    if not club.creditor_id:
        return _("Enter the club's creditor identifier first. Your central bank issues it.")
    return ""


def find_collectable_amounts(club: Club, *, on: date) -> list[CollectableAmount]:
    """Return what members with a mandate owe by a given day, minus pending collections, by name. Four queries."""
    mandates = active_mandates_by_member(club)
    members = club.members.filter(pk__in=mandates)
    due = member_balances(club, today=on + timedelta(days=1), members=members)
    under_way = _under_way(club)
    return [
        CollectableAmount(member=member, mandate=mandates[member.pk], amount=amount)
        for member in members
        if member.pk in due and (amount := due[member.pk].overdue - under_way.get(member.pk, 0)) > 0
    ]


def _under_way(club: Club) -> dict[int, Cents]:
    lines = DirectDebitLine.objects.filter(collection__club=club, collection__taken_back_at=None, entry=None)
    return dict(lines.values_list("member").annotate(Sum("amount")).order_by())


@transaction.atomic
def create_debit_collection(
    club: Club, members: Many[int], *, on: date, by: User | None, form_key: uuid.UUID
) -> DirectDebitCollection:
    """Create a collection from these members. Submitting the form twice creates only one.

    Raises OfficerProblem if the club cannot collect, the day is not possible, or nobody is left to collect from.
    """
    club = lock_row(Club, club.pk)
    made = DirectDebitCollection.objects.filter(club=club, form_key=form_key).first()
    if made:
        return made
    if problem := collection_blocker(club):
        raise OfficerProblem(problem)
    today = timezone.localdate()
    if not today + timedelta(days=MIN_DAYS_AHEAD) <= on <= today + timedelta(days=MAX_DAYS_AHEAD):
        raise OfficerProblem(_("Choose a date between tomorrow and %(n)s days from now.") % {"n": MAX_DAYS_AHEAD})
    if not is_bank_day(on):
        next_one = date_format(first_bank_day_from(on), "SHORT_DATE_FORMAT")
        raise OfficerProblem(
            _("Banks don't transfer money on that day. The next banking day is %(day)s.") % {"day": next_one}
        )
    chosen = [each for each in find_collectable_amounts(club, on=on) if each.member.pk in members]
    if not chosen:
        raise OfficerProblem(_("There is nothing left to collect on that day."))
    made = DirectDebitCollection.objects.create(club=club, collected_on=on, made_by=by, form_key=form_key)
    DirectDebitLine.objects.bulk_create(
        DirectDebitLine(
            collection=made,
            member=each.member,
            mandate_reference=each.mandate.reference,
            signed_on=each.mandate.signed_on,
            holder=each.mandate.holder,
            iban=each.mandate.iban,
            amount=each.amount,
        )
        for each in chosen
    )
    return made


@transaction.atomic
def book_collected_payments(collection: DirectDebitCollection, *, on: date, by: User | None) -> int:
    """Book each collected amount as a member's payment, unless it is already booked. Return how many were booked.

    A payment that the bank returns later is reversed in the ledger, like any other. Raises OfficerProblem if the
    collection was cancelled, and as `record_payment` does.
    """
    lock_row(Club, collection.club_id)
    collection = DirectDebitCollection.objects.get(pk=collection.pk)
    if collection.taken_back_at:
        raise OfficerProblem(_("This collection was cancelled."))
    lines = list(collection.lines.filter(entry=None).select_related("member__club"))
    for line in lines:
        line.entry = record_payment(
            line.member,
            line.amount,
            method=LedgerEntry.Method.TRANSFER,
            paid_on=on,
            by=by,
            reference=f"{_('direct debit')} {line.mandate_reference}",
        )
        line.save(update_fields=["entry"])
    return len(lines)


@transaction.atomic
def cancel_debit_collection(collection: DirectDebitCollection) -> None:
    """Cancel a collection whose file has not been sent to the bank. Raises OfficerProblem if part of it is booked."""
    lock_row(Club, collection.club_id)
    if collection.lines.exclude(entry=None).exists():
        raise OfficerProblem(_("Some payments are already recorded. Reverse them in the ledger first."))
    DirectDebitCollection.objects.filter(pk=collection.pk, taken_back_at=None).update(taken_back_at=timezone.now())


def payment_references_by_member(collection: DirectDebitCollection) -> dict[int, str]:
    """Return the payment reference to show on each member's bank statement, by member. One query. Saves nothing.

    Every member in a collection was charged, so they have a dues account; of two, the first counts.
    """
    accounts = DuesAccount.objects.filter(member__direct_debit_lines__collection=collection).order_by("-pk")
    return {account.member_id: account.payment_reference for account in accounts}
