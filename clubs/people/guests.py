"""Guest nights: how often somebody came who is no member yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from clubs.models import Club, GuestNight, Member
from clubs.problems import OfficerProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestCount:
    """A guest's evenings; `is_time_to_ask` when as many were used up as the club allows before joining."""

    member: Member
    nights: int
    latest: date | None
    is_time_to_ask: bool


def guest_counts(club: Club) -> list[GuestCount]:
    """Guests and applicants of a club, with their evenings."""
    guests = club.members.filter(status__in=[Member.Status.GUEST, Member.Status.APPLICANT])
    counted = guests.annotate(nights=Count("guest_nights"), latest=Max("guest_nights__on"))
    return [
        GuestCount(
            member=guest,
            nights=guest.nights,
            latest=guest.latest,
            is_time_to_ask=guest.nights >= club.guest_nights_allowed,
        )
        for guest in counted
    ]


def count_guest_night(member: Member, on: date) -> bool:
    """Count an evening; False if it was counted before."""
    _night, is_new = GuestNight.objects.get_or_create(member=member, on=on)
    return is_new


def join(guest: Member, on: date) -> None:
    """Make a guest or applicant a member from a day on; his evenings stay counted. OfficerProblem for anybody else."""
    joined = Member.objects.filter(pk=guest.pk, status__in=[Member.Status.GUEST, Member.Status.APPLICANT])
    if not joined.update(status=Member.Status.MEMBER, joined_on=on, left_on=None):
        raise OfficerProblem(_("%(name)s is a member already.") % {"name": guest.name})


def uncount_guest_night(member: Member, on: date) -> None:
    """The guest was not there after all."""
    GuestNight.objects.filter(member=member, on=on).delete()
