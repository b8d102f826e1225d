"""Guest nights: how often somebody came who is no member yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Count, Max
from django.utils.translation import gettext as _

from clubs.finance.dues.guest_fees import GUESTS, credit_guest_nights, nights_paid, refuse_paid_night
from clubs.locking import hold
from clubs.models import Club, GuestNight, Member, User
from common.problems import OfficerProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestCount:
    """A guest's evenings; `is_time_to_ask` when as many were used up as the club allows before joining."""

    member: Member
    nights: int
    latest: date | None
    is_time_to_ask: bool
    paid: int = 0
    """So many of them were paid for."""


def guest_counts(club: Club) -> list[GuestCount]:
    """Guests and applicants of a club, with their evenings."""
    guests = club.members.filter(status__in=GUESTS)
    counted = list(guests.annotate(nights=Count("guest_nights"), latest=Max("guest_nights__on")))
    paid = nights_paid(counted)
    return [
        GuestCount(
            member=guest,
            nights=guest.nights,
            latest=guest.latest,
            is_time_to_ask=guest.nights >= club.guest_nights_allowed,
            paid=paid[guest.pk],
        )
        for guest in counted
    ]


def count_guest_night(member: Member, on: date) -> bool:
    """Count an evening; False if it was counted before."""
    _night, is_new = GuestNight.objects.get_or_create(member=member, on=on)
    return is_new


@transaction.atomic
def join(guest: Member, on: date, *, by: User | None = None) -> None:
    """Make a guest or applicant a member from a day on; his evenings stay counted, and what he paid for them counts
    for his dues. OfficerProblem for anybody else.
    """
    hold(guest.club_id)
    joined = Member.objects.filter(pk=guest.pk, status__in=GUESTS)
    if not joined.update(status=Member.Status.MEMBER, joined_on=on, left_on=None):
        raise OfficerProblem(_("%(name)s is a member already.") % {"name": guest.name})
    credit_guest_nights(guest, by=by)


def uncount_guest_night(member: Member, on: date) -> None:
    """The guest was not there after all; OfficerProblem where he has paid for that evening."""
    refuse_paid_night(member, on)
    GuestNight.objects.filter(member=member, on=on).delete()
