"""A future leaving date: a member until that day, and a former member from the next night."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.membership.members.forms import MemberForm
from clubs.membership.members.membership_periods import CATCH_UP_PERIOD, mark_leavers_as_former
from clubs.models import Member
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def saved(club, member: Member, **changes: object) -> Member:
    form = MemberForm(
        {"family_name": member.family_name, "status": member.status} | changes, instance=member, club=club
    )
    assert form.is_valid(), form.errors
    return form.save()


@pytest.mark.parametrize("status", [Member.Status.MEMBER, Member.Status.FORMER])
def test_who_has_given_notice_stays_until_the_last_day_is_over(club, status):
    last_day = timezone.localdate() + timedelta(days=40)
    member = saved(club, make_member(club, "Nikt, Jan"), status=status, left_on=last_day)
    assert (member.status, member.left_on) == (Member.Status.MEMBER, last_day)
    assert mark_leavers_as_former(last_day) == 0
    assert mark_leavers_as_former(last_day + timedelta(days=1)) == 1
    assert mark_leavers_as_former(last_day + timedelta(days=1)) == 0
    assert Member.objects.get().status == Member.Status.FORMER


def test_a_last_day_forgotten_of_who_came_back_makes_nobody_a_former_member(club):
    today = timezone.localdate()
    make_member(club, "Nikt, Jan", status="member", left_on=today - CATCH_UP_PERIOD - timedelta(days=1))
    make_member(club, "Gość, Ola", status="guest", left_on=today - timedelta(days=1))
    assert mark_leavers_as_former(today) == 0


def test_a_last_day_in_the_past_is_a_former_members(club):
    member = make_member(club, "Nikt, Jan")
    yesterday = timezone.localdate() - timedelta(days=1)
    form = MemberForm({"family_name": "Nikt", "status": "member", "left_on": yesterday}, instance=member, club=club)
    assert "left_on" in form.errors
