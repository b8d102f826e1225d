"""What a guest pays for an evening: taken at the door, apart from dues, and counted for them when he joins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.dues.ledger import get_or_create_dues_account, record_payment
from clubs.locking import lock_club
from clubs.models import Club, GuestNight, LedgerEntry, Member, User
from common.problems import OfficerProblem

GUEST_STATUSES = (Member.Status.GUEST, Member.Status.APPLICANT)


@transaction.atomic
def record_guest_fee(guest: Member, on: date, *, by: User | None) -> LedgerEntry:
    """Take the fee of an evening in cash, under the next receipt number; the evening is counted with it.

    Charged and paid at once, so that it is neither owed nor a credit. Raises OfficerProblem where the club asks for no
    fee, for somebody who is no guest, for an evening that was paid, and for days as `record_payment` does.
    """
    club = lock_club(guest.club_id)
    guest = Member.objects.get(pk=guest.pk)
    if not club.guest_night_fee:
        raise OfficerProblem(_("The club asks for no fee for a guest night."))
    if guest.status not in GUEST_STATUSES:
        raise OfficerProblem(_("%(name)s is a member already.") % {"name": guest.name})
    if (paid := _standing(guest, LedgerEntry.Kind.PAYMENT).filter(guest_night_on=on).first()) is not None:
        raise OfficerProblem(
            _("This evening is paid, with receipt %(number)s.") % {"number": paid.printed_receipt_number}
        )
    GuestNight.objects.get_or_create(member=guest, on=on)
    due = _standing(guest, LedgerEntry.Kind.DUE).filter(guest_night_on=on).first() or _charged(club, guest, on, by)
    return record_payment(
        guest, due.amount, method=LedgerEntry.Method.CASH, paid_on=on, by=by, reference=due.text, guest_night_on=on
    )


def count_paid_guest_nights(guests: Iterable[Member]) -> Counter[int]:
    """How many evenings each has paid for, by key; one query."""
    paid = _fees(guests).filter(guest_night_on__isnull=False)
    return Counter(paid.values_list("account__member", flat=True).order_by())


def guests_who_paid_on(guests: Iterable[Member], day: date) -> set[int]:
    """Who of them has paid for that evening, by key; one query."""
    return set(_fees(guests).filter(guest_night_on=day).values_list("account__member", flat=True))


def _fees(guests: Iterable[Member]) -> QuerySet[LedgerEntry]:
    """Their payments that stand."""
    return LedgerEntry.objects.filter(
        account__member__in=list(guests), kind=LedgerEntry.Kind.PAYMENT, corrects=None, corrected_by=None
    )


def credit_guest_nights(member: Member, *, by: User | None) -> LedgerEntry | None:
    """What somebody who joins has paid as a guest counts for the dues to come; None where that is nothing.

    The club must be held.
    """
    club = member.club
    nights = set(_standing(member, LedgerEntry.Kind.PAYMENT).values_list("guest_night_on", flat=True)) - {None}
    charged = _standing(member, LedgerEntry.Kind.DUE).filter(guest_night_on__in=nights)
    amount = sum(charged.values_list("amount", flat=True))
    if not amount:
        return None
    with translation.override(club.language):
        reason = _("Paid as a guest: it counts for the dues")
    return LedgerEntry.objects.create(
        club=club,
        account=get_or_create_dues_account(member),
        kind=LedgerEntry.Kind.WAIVER,
        amount=amount,
        booked_on=timezone.localdate(),
        reason=reason,
        entered_by=by,
    )


def check_guest_night_unpaid(guest: Member, on: date) -> None:
    """An evening that was paid was there: OfficerProblem."""
    if (paid := _standing(guest, LedgerEntry.Kind.PAYMENT).filter(guest_night_on=on).first()) is not None:
        said = {"number": paid.printed_receipt_number}
        raise OfficerProblem(_("This evening is paid: take receipt %(number)s back on the account first.") % said)


def _charged(club: Club, guest: Member, on: date, by: User | None) -> LedgerEntry:
    with translation.override(club.language):
        text = _("Guest night, %(day)s") % {"day": date_format(on, "SHORT_DATE_FORMAT")}
    return LedgerEntry.objects.create(
        club=club,
        account=get_or_create_dues_account(guest),
        kind=LedgerEntry.Kind.DUE,
        amount=club.guest_night_fee,
        booked_on=timezone.localdate(),
        due_on=on,
        text=text,
        guest_night_on=on,
        entered_by=by,
    )


def _standing(member: Member, kind: str) -> QuerySet[LedgerEntry]:
    """His lines of a kind that nobody has taken back."""
    return LedgerEntry.objects.filter(account__member=member, kind=kind, corrects=None, corrected_by=None)
