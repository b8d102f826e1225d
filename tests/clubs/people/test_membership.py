"""What dues depend on, said by the treasurer: family, joining and leaving."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Member, Viewing
from tests.clubs.book import make_book, page
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_the_treasurer_says_who_is_a_family_and_nothing_else():
    cast = make_book()
    treasurer, jan, mother = cast.browser("treasurer"), cast.members[5], cast.members[4]
    address = page("membership_edit", jan.pk)
    assert address in treasurer.get(page("account", jan.pk)).text
    assert cast.browser("arbiter").get(address).status_code == 403
    sent = {
        "family_payer": mother.pk,
        "joined_on": "2026-09-01",
        "left_on": "",
        "email": "x@y.example",
        "status": "former",
    }
    assert treasurer.post(address, sent | {"left_on": "2026-08-01"}).status_code == 422
    assert treasurer.post(address, sent | {"joined_on": "wczoraj"}).status_code == 422
    assert treasurer.post(address, sent | {"family_payer": jan.pk}).status_code == 422
    assert treasurer.post(address, sent).status_code == 302
    before = jan.email
    jan.refresh_from_db()
    assert (jan.family_payer, jan.status, jan.email) == (mother, Member.Status.MEMBER, before)
    assert sorted(Viewing.objects.get(what="change").details["fields"]) == ["family_payer", "joined_on"]
    # Nobody pays for one for whom another pays.
    assert treasurer.post(page("membership_edit", mother.pk), {"family_payer": cast.members[3].pk}).status_code == 422


def test_a_last_day_makes_a_former_member_when_it_is_over():
    cast = make_book()
    treasurer, jan = cast.browser("treasurer"), cast.members[5]
    today = timezone.localdate()
    for day, status in (
        (today + timedelta(days=9), "member"),
        (today - timedelta(days=1), "former"),
        (today, "member"),
    ):
        treasurer.post(page("membership_edit", jan.pk), {"left_on": day.isoformat()})
        jan.refresh_from_db()
        assert (jan.left_on, jan.status) == (day, status)
    guest = make_member(cast.club, "Gość, Ola", status="guest")
    answer = treasurer.post(page("membership_edit", guest.pk), {"left_on": today.isoformat()})
    assert (answer.status_code, "stays away" in answer.text) == (422, True)
