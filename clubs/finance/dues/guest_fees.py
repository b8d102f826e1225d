"""Guest fees: paid at check-in, separate from dues, and credited to dues when the guest joins."""

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
from clubs.models import Club, GuestNight, LedgerEntry, Member, User
from common.locking import lock_row
from common.problems import OfficerProblem

GUEST_STATUSES = (Member.Status.GUEST, Member.Status.APPLICANT)


@transaction.atomic
def record_guest_fee(guest: Member, on: date, *, by: User | None) -> LedgerEntry:
    """Record a guest's fee, paid in cash, with the next receipt number, and record their evening.

    It is charged and paid at once, so it leaves no balance. Raises OfficerProblem without a guest fee, if they are not
    a guest, or if the evening has already been paid for. Dates are checked as in `record_payment`.
    """
    club = lock_row(Club, guest.club_id)
    guest = Member.objects.get(pk=guest.pk)
    if not club.guest_night_fee:
        raise OfficerProblem(_("The club doesn't charge a guest fee."))
    if guest.status not in GUEST_STATUSES:
        raise OfficerProblem(_("%(name)s is already a member.") % {"name": guest.name})
    if (paid := _standing(guest, LedgerEntry.Kind.PAYMENT).filter(guest_night_on=on).first()) is not None:
        raise OfficerProblem(
            _("This evening has already been paid for (receipt %(number)s).") % {"number": paid.printed_receipt_number}
        )
    GuestNight.objects.get_or_create(member=guest, on=on)
    due = _standing(guest, LedgerEntry.Kind.DUE).filter(guest_night_on=on).first() or _charged(club, guest, on, by)
    return record_payment(
        guest, due.amount, method=LedgerEntry.Method.CASH, paid_on=on, by=by, reference=due.text, guest_night_on=on
    )


def count_paid_guest_nights(guests: Iterable[Member]) -> Counter[int]:
    """Count the evenings that each guest has paid for, by member key. One query."""
    paid = _fees(guests).filter(guest_night_on__isnull=False)
    return Counter(paid.values_list("account__member", flat=True).order_by())


def guests_who_paid_on(guests: Iterable[Member], day: date) -> set[int]:
    """Return the keys of the guests who paid for that evening. One query."""
    return set(_fees(guests).filter(guest_night_on=day).values_list("account__member", flat=True))


def _fees(guests: Iterable[Member]) -> QuerySet[LedgerEntry]:
    """Return the guests' payments that were not reversed."""
    return LedgerEntry.objects.filter(
        account__member__in=list(guests), kind=LedgerEntry.Kind.PAYMENT, corrects=None, corrected_by=None
    )


def credit_guest_nights(member: Member, *, by: User | None) -> LedgerEntry | None:
    """Credit a new member's guest fees to their dues. Return None if there are none.

    The club must be locked.
    """
    club = member.club
    nights = set(_standing(member, LedgerEntry.Kind.PAYMENT).values_list("guest_night_on", flat=True)) - {None}
    charged = _standing(member, LedgerEntry.Kind.DUE).filter(guest_night_on__in=nights)
    amount = sum(charged.values_list("amount", flat=True))
    if not amount:
        return None
    with translation.override(club.language):
        reason = _("Guest fees deducted from dues")
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
    """Raise OfficerProblem if the guest has already paid for that evening."""
    if (paid := _standing(guest, LedgerEntry.Kind.PAYMENT).filter(guest_night_on=on).first()) is not None:
        said = {"number": paid.printed_receipt_number}
        raise OfficerProblem(
            _("This evening has already been paid for. Reverse receipt %(number)s on the guest's account first.") % said
        )


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
    """Return the member's entries of a kind that were not reversed."""
    return LedgerEntry.objects.filter(account__member=member, kind=kind, corrects=None, corrected_by=None)
