"""Mandates: one holds for a member at a time; another account ends it and begins a new one."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.locking import lock_club
from clubs.models import Club, DirectDebitMandate, Member
from common.problems import OfficerProblem


def active_mandates_by_member(club: Club) -> dict[int, DirectDebitMandate]:
    """The mandates that hold, by the member's key; one query."""
    return {
        mandate.member_id: mandate for mandate in DirectDebitMandate.objects.filter(member__club=club, ended_on=None)
    }


@transaction.atomic
def record_mandate(member: Member, *, reference: str, holder: str, iban: str, signed_on: date) -> DirectDebitMandate:
    """Write down a mandate; one that held before ends on the day this one was signed.

    The same once more changes nothing. OfficerProblem for a reference that another mandate of the club has, and for
    one signed before the one that holds.
    """
    club = lock_club(member.club_id)
    before = member.mandates.filter(ended_on=None).first()
    if before and (before.reference, before.holder, before.iban, before.signed_on) == (
        reference,
        holder,
        iban,
        signed_on,
    ):
        return before
    if DirectDebitMandate.objects.filter(member__club=club, reference=reference).exists():
        raise OfficerProblem(_("Another mandate has this reference: each has its own, also one that has ended."))
    if before:
        if signed_on < before.signed_on:
            raise OfficerProblem(_("The mandate that holds was signed later."))
        before.ended_on = signed_on
        before.save(update_fields=["ended_on"])
    return DirectDebitMandate.objects.create(
        member=member, reference=reference, holder=holder, iban=iban, signed_on=signed_on
    )


@transaction.atomic
def end_mandate(member: Member, on: date) -> None:
    """End the mandate that holds; none is no error, so that two presses end it once."""
    lock_club(member.club_id)
    for mandate in member.mandates.filter(ended_on=None):
        mandate.ended_on = max(on, mandate.signed_on)
        mandate.save(update_fields=["ended_on"])


def suggested_mandate_reference(member: Member) -> str:
    """A reference that no other mandate has: the account's number and how many mandates there were."""
    return f"M{member.pk:06}-{member.mandates.count() + 1}"
