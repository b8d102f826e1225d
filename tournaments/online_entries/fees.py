"""Entry fees: which one applies, the expected payment with its reference, and how to pay it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.finance.dues.payment_qr_codes import payment_qr_code_data_uri
from clubs.models import ExpectedPayment, Member, User
from common.text.amounts import Cents, format_money
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import EntryFee, OnlineEntry, OnlineEntrySettings
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentInstructions:
    """How to pay an entry fee. `account` is empty if the club has none, `qr_code` if there is no QR code."""

    amount: str
    account: str
    reference: str
    qr_code: str
    url: str


def entry_fee(form: OnlineEntrySettings, online: OnlineEntry, *, on: date) -> Cents:
    """Return the fee for a player who confirms their entry on a day: the first that matches, or 0. One query."""
    if not form.pk:
        return 0
    age = None if online.birth_year is None else event_year(form) - online.birth_year
    member = online.member if online.is_member_certain else None
    is_member = member is not None and member.status in (Member.Status.MEMBER, Member.Status.HONORARY)
    for fee in form.fees.all():
        if _is_for(fee, age=age, is_member=is_member):
            is_early = form.early_until is not None and on <= form.early_until
            return fee.early_amount if is_early and fee.early_amount is not None else fee.amount
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeLine:
    """A fee as the form shows it. `early` is empty if there is no early amount that still applies."""

    name: str
    amount: str
    early: str


def fee_lines(form: OnlineEntrySettings) -> list[FeeLine]:
    """Return the fees of an event for its entry form. One query."""
    currency = form.tournament.club.currency
    is_early = form.early_until is not None and timezone.localdate() <= form.early_until
    return [
        FeeLine(
            name=fee.name,
            amount=format_money(fee.amount, currency),
            early=format_money(fee.early_amount, currency) if is_early and fee.early_amount is not None else "",
        )
        for fee in (form.fees.all() if form.pk else ())
    ]


def event_year(form: OnlineEntrySettings) -> int:
    """Return the year of the event, by which ages are counted."""
    return (form.tournament.starts_on or timezone.localdate()).year


def expect_payment(online: OnlineEntry) -> ExpectedPayment | None:
    """Return the player's expected payment, created if they have a fee."""
    if not online.fee:
        return None
    if online.payment is not None:
        return online.payment
    club = online.tournament.club
    with translation.override(club.language):
        purpose = _("Entry fee: %(event)s") % {"event": online.tournament.name}
    return ExpectedPayment.objects.create(club=club, amount=online.fee, purpose=purpose[:140], payer=online.name)


def change_unpaid_fee(online: OnlineEntry, fee: Cents) -> None:
    """Change the fee, unless money has come in for it. The reference is kept, as a transfer may be on its way."""
    payment = online.payment
    if payment is None or not fee:
        if drop_unpaid_payment(online):
            online.fee = fee
    elif not _is_begun(payment):
        online.fee = payment.amount = fee
        payment.save(update_fields=["amount"])


def drop_unpaid_payment(online: OnlineEntry) -> bool:
    """Stop expecting a payment. Return False, and change nothing, if money has come in for it."""
    payment = online.payment
    if payment is None:
        return True
    if _is_begun(payment):
        return False
    online.payment = None
    payment.delete()
    return True


def find_paid_payments(online: Iterable[OnlineEntry]) -> set[int]:
    """Return the keys of these entries' payments that are paid. One query."""
    keys = [each.payment_id for each in online if each.payment_id]
    return set(ExpectedPayment.objects.filter(pk__in=keys).paid().values_list("pk", flat=True))


@transaction.atomic
def mark_as_paid(online: OnlineEntry, is_paid: bool, *, by: User) -> None:
    """Mark a fee as paid other than by bank transfer, or undo that.

    Raises ArbiterProblem if no payment is expected, for example because the player has withdrawn in the meantime.
    """
    tournament = lock_tournament(online.tournament_id)
    day = timezone.localdate() if is_paid else None
    if not ExpectedPayment.objects.filter(online_entry=online.pk).update(marked_paid_on=day):
        raise ArbiterProblem(_("No fee is expected for this entry. Check whether the player has withdrawn."))
    action = EventAction.ONLINE_ENTRY_PAID if is_paid else EventAction.ONLINE_ENTRY_UNPAID
    record_action(tournament, action, by=by, number=online.pk)


def payment_instructions(online: OnlineEntry) -> PaymentInstructions | None:
    """Return how to pay the fee, or None if there is nothing to pay."""
    payment = online.payment
    if payment is None:
        return None
    club, reference = online.tournament.club, payment.payment_reference
    form = OnlineEntrySettings.objects.filter(tournament=online.tournament_id).first()
    return PaymentInstructions(
        amount=format_money(payment.amount, club.currency),
        account=club.bank_account,
        reference=reference,
        qr_code=payment_qr_code_data_uri(club, payment.amount, reference),
        url=form.payment_url if form is not None else "",
    )


def _is_begun(payment: ExpectedPayment) -> bool:
    """Return True if money has come in, even if it isn't the whole amount."""
    return payment.marked_paid_on is not None or payment.bank_lines.exists()


def _is_for(fee: EntryFee, *, age: int | None, is_member: bool) -> bool:
    if fee.for_members and not is_member:
        return False
    if fee.from_age is None and fee.to_age is None:
        return True
    return age is not None and (fee.from_age or 0) <= age <= (999 if fee.to_age is None else fee.to_age)
