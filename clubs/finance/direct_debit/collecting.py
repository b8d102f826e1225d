"""Collecting dues: what can be collected by a day, the collection itself, and what became of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection as Many
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.direct_debit.bank_days import bank_day_from, is_bank_day
from clubs.finance.direct_debit.mandates import mandates_by_member
from clubs.finance.dues.balances import balances
from clubs.finance.dues.ledger import pay
from clubs.locking import hold
from clubs.models import Account, Club, CollectedDue, Collection, LedgerEntry, Mandate, Member, User
from common.problems import OfficerProblem
from common.text.amounts import Cents
from common.text.ibans import read_iban

DAYS_AHEAD = 1
"""Banks want a file at least one of their days before the money moves."""
MOST_DAYS_AHEAD = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Collectable:
    """What can be collected from a member by a day."""

    member: Member
    mandate: Mandate
    amount: Cents


def why_not(club: Club) -> str:
    """Why the club cannot collect, said so that the treasurer knows what to do; empty if it can."""
    if club.currency != "EUR":
        return _("Direct debits of this kind are made in euros only; the club counts in %(currency)s.") % {
            "currency": club.currency
        }
    if not read_iban(club.bank_account):
        return _("Write the club's bank account as an IBAN first.")
    if not club.creditor_id:
        return _("Write the club's creditor identifier first: the central bank gives it.")
    return ""


def collectable(club: Club, *, on: date) -> list[Collectable]:
    """Who has a mandate and owes by a day what no collection under way holds already, by name; four queries."""
    mandates = mandates_by_member(club)
    members = club.members.filter(pk__in=mandates)
    due = balances(club, today=on + timedelta(days=1), members=members)
    under_way = _under_way(club)
    return [
        Collectable(member=member, mandate=mandates[member.pk], amount=amount)
        for member in members
        if member.pk in due and (amount := due[member.pk].overdue - under_way.get(member.pk, 0)) > 0
    ]


def _under_way(club: Club) -> dict[int, Cents]:
    lines = CollectedDue.objects.filter(collection__club=club, collection__taken_back_at=None, entry=None)
    return dict(lines.values_list("member").annotate(Sum("amount")).order_by())


@transaction.atomic
def collect(club: Club, members: Many[int], *, on: date, by: User | None, form_key: uuid.UUID) -> Collection:
    """A collection from these members; a form sent twice collects once.

    Raises OfficerProblem where the club cannot collect, for a day that banks do not take, and where nobody is left.
    """
    club = hold(club.pk)
    made = Collection.objects.filter(club=club, form_key=form_key).first()
    if made:
        return made
    if problem := why_not(club):
        raise OfficerProblem(problem)
    today = timezone.localdate()
    if not today + timedelta(days=DAYS_AHEAD) <= on <= today + timedelta(days=MOST_DAYS_AHEAD):
        raise OfficerProblem(_("Choose a day from tomorrow on, at most %(n)s days ahead.") % {"n": MOST_DAYS_AHEAD})
    if not is_bank_day(on):
        next_one = date_format(bank_day_from(on), "SHORT_DATE_FORMAT")
        raise OfficerProblem(
            _("Banks move no money on that day: the next on which they do is %(day)s.") % {"day": next_one}
        )
    chosen = [each for each in collectable(club, on=on) if each.member.pk in members]
    if not chosen:
        raise OfficerProblem(_("Nobody is left to collect from on that day."))
    made = Collection.objects.create(club=club, collected_on=on, made_by=by, form_key=form_key)
    CollectedDue.objects.bulk_create(
        CollectedDue(
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
def book_collection(collection: Collection, *, on: date, by: User | None) -> int:
    """Book what was collected as payments of the members, and answer how many; those booked before stay.

    One that the bank sent back afterwards is taken back in the ledger, as any payment. Raises OfficerProblem for a
    collection that was taken back, and as `pay` does.
    """
    hold(collection.club_id)
    collection = Collection.objects.get(pk=collection.pk)
    if collection.taken_back_at:
        raise OfficerProblem(_("This collection was taken back."))
    lines = list(collection.lines.filter(entry=None).select_related("member__club"))
    for line in lines:
        line.entry = pay(
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
def take_collection_back(collection: Collection) -> None:
    """The file was not given to the bank. Raises OfficerProblem when some of it is booked."""
    hold(collection.club_id)
    if collection.lines.exclude(entry=None).exists():
        raise OfficerProblem(_("Some of it is booked already: take those payments back in the ledger."))
    Collection.objects.filter(pk=collection.pk, taken_back_at=None).update(taken_back_at=timezone.now())


def references(collection: Collection) -> dict[int, str]:
    """What stands on a member's statement: the reference of his account, by member; one query, and nothing is written.

    Whoever is collected from has been charged, so he has an account; of two the first.
    """
    accounts = Account.objects.filter(member__collected__collection=collection).order_by("-pk")
    return {account.member_id: account.reference for account in accounts}
