"""Mandates: a member has one active mandate at a time. A new bank account needs a new mandate."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, DirectDebitMandate, Member
from common.locking import lock_row
from common.problems import OfficerProblem


def active_mandates_by_member(club: Club) -> dict[int, DirectDebitMandate]:
    """Return the active mandates by member key. One query."""
    return {
        mandate.member_id: mandate for mandate in DirectDebitMandate.objects.filter(member__club=club, ended_on=None)
    }


@transaction.atomic
def record_mandate(member: Member, *, reference: str, holder: str, iban: str, signed_on: date) -> DirectDebitMandate:
    """Record a mandate. The member's active one ends on the day the new one was signed.

    Recording the same mandate again changes nothing. Raises OfficerProblem if another mandate of the club has this
    reference, or if it was signed before the active one.
    """
    club = lock_row(Club, member.club_id)
    before = member.mandates.filter(ended_on=None).first()
    if before and (before.reference, before.holder, before.iban, before.signed_on) == (
        reference,
        holder,
        iban,
        signed_on,
    ):
        return before
    if DirectDebitMandate.objects.filter(member__club=club, reference=reference).exists():
        raise OfficerProblem(_("Another mandate, current or ended, has this reference. Choose a different one."))
    if before:
        if signed_on < before.signed_on:
            raise OfficerProblem(_("The current mandate was signed after this date."))
        before.ended_on = signed_on
        before.save(update_fields=["ended_on"])
    return DirectDebitMandate.objects.create(
        member=member, reference=reference, holder=holder, iban=iban, signed_on=signed_on
    )


@transaction.atomic
def end_mandate(member: Member, on: date) -> None:
    """End the active mandate. Does nothing if there is none, so a double click is harmless."""
    lock_row(Club, member.club_id)
    for mandate in member.mandates.filter(ended_on=None):
        mandate.ended_on = max(on, mandate.signed_on)
        mandate.save(update_fields=["ended_on"])


def suggested_mandate_reference(member: Member) -> str:
    """Return an unused reference for a new mandate: the member's key and the mandate's number for that member."""
    return f"M{member.pk:06}-{member.mandates.count() + 1}"
