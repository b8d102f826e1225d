"""Guest nights: the evenings on which guests came."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Count, Max
from django.utils.translation import gettext as _

from clubs.finance.dues.guest_fees import (
    GUEST_STATUSES,
    check_guest_night_unpaid,
    count_paid_guest_nights,
    credit_guest_nights,
)
from clubs.models import Club, GuestNight, Member, User
from common.locking import lock_row
from common.problems import OfficerProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestAttendance:
    """The evenings a guest has attended.

    `has_used_free_nights` is True once they reach the number the club allows before joining.
    """

    member: Member
    nights_attended: int
    latest: date | None
    has_used_free_nights: bool
    nights_paid: int = 0
    """The number of these evenings that were paid for."""


def list_guest_attendance(club: Club) -> list[GuestAttendance]:
    """Return the club's guests and applicants with their evenings."""
    guests = club.members.filter(status__in=GUEST_STATUSES)
    counted = list(guests.annotate(nights=Count("guest_nights"), latest=Max("guest_nights__on")))
    paid = count_paid_guest_nights(counted)
    return [
        GuestAttendance(
            member=guest,
            nights_attended=guest.nights,
            latest=guest.latest,
            has_used_free_nights=guest.nights >= club.guest_nights_allowed,
            nights_paid=paid[guest.pk],
        )
        for guest in counted
    ]


def record_guest_night(member: Member, on: date) -> bool:
    """Record an evening. Return False if it was already recorded."""
    _night, is_new = GuestNight.objects.get_or_create(member=member, on=on)
    return is_new


@transaction.atomic
def make_guest_a_member(guest: Member, on: date, *, by: User | None = None) -> None:
    """Make a guest or applicant a member from a given day.

    Their evenings stay recorded, and the fees they paid count towards their dues. Raises OfficerProblem if they are
    already a member.
    """
    lock_row(Club, guest.club_id)
    joined = Member.objects.filter(pk=guest.pk, status__in=GUEST_STATUSES)
    if not joined.update(status=Member.Status.MEMBER, joined_on=on, left_on=None):
        raise OfficerProblem(_("%(name)s is already a member.") % {"name": guest.name})
    credit_guest_nights(guest, by=by)


def remove_guest_night(member: Member, on: date) -> None:
    """Remove a recorded evening. Raises OfficerProblem if it has been paid for."""
    check_guest_night_unpaid(member, on)
    GuestNight.objects.filter(member=member, on=on).delete()
