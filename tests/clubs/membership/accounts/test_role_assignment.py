"""Roles given and removed. The last secretary stays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.urls import reverse

from clubs.membership.accounts.role_assignment import give_role, remove_role
from clubs.models import Membership, Role, User
from common.problems import OfficerProblem
from tests.factories import make_club, make_user
from tests.scenario import Cast, make_cast


@pytest.fixture
def cast(db) -> Cast:
    return make_cast()


def take(cast: Cast, who: str, role: Role, by: str = "secretary"):
    held = Membership.objects.get(club=cast.club, user__username=who, role=role)
    return cast.browser(by).post(reverse("role_remove", args=[cast.club.slug, held.pk]), follow=True)


def test_the_only_secretary_cannot_remove_herself(cast):
    answer = take(cast, "secretary", Role.SECRETARY)
    assert "only secretary" in answer.text
    assert Membership.objects.filter(user=cast.secretary, role=Role.SECRETARY).exists()


def test_one_who_cannot_sign_in_is_no_other_secretary(cast):
    give_role(cast.club, make_user("gone"), Role.SECRETARY)
    User.objects.filter(username="gone").update(is_active=False)
    assert "only secretary" in take(cast, "secretary", Role.SECRETARY).text


def test_a_role_of_another_club_is_not_taken_here(cast):
    theirs = Membership.objects.get(user__username="neighbour")
    answer = cast.browser("secretary").post(reverse("role_remove", args=[cast.club.slug, theirs.pk]))
    assert answer.status_code == 404
    assert Membership.objects.filter(pk=theirs.pk).exists()


def test_nobody_of_another_club_is_given_a_role_or_found(cast):
    address = reverse("role_give", args=[cast.club.slug])
    answer = cast.browser("secretary").post(address, {"who": "neighbour", "role": "arbiter"})
    assert answer.status_code == 422
    assert answer.text.count("No one in this club") == 2, "said above the form and beside the field"
    assert Membership.objects.filter(user__username="neighbour").count() == 1


def test_with_another_secretary_she_may_go(cast):
    give_role(cast.club, make_user("second"), Role.SECRETARY)
    answer = take(cast, "secretary", Role.SECRETARY)
    assert answer.redirect_chain == [(f"/{cast.club.slug}/", 302)]
    assert not Membership.objects.filter(user=cast.secretary).exists()


def test_roles_are_given_and_taken(cast):
    address = reverse("role_give", args=[cast.club.slug])
    browser = cast.browser("secretary")
    for _twice in range(2):
        browser.post(address, {"who": "Member", "role": "treasurer"})
    held = Membership.objects.filter(user__username="member").values_list("role", flat=True)
    assert sorted(held) == ["member", "treasurer"]
    take(cast, "member", Role.TREASURER)
    assert list(Membership.objects.filter(user__username="member").values_list("role", flat=True)) == ["member"]


@pytest.mark.django_db(transaction=True)
def test_two_who_take_each_others_office_at_once_leave_one():
    club = make_club()
    users = [make_user(name, club, Role.SECRETARY) for name in ("first", "second")]
    gate = Barrier(2)

    def go(user: User) -> bool:
        try:
            gate.wait(timeout=20)
            remove_role(club, user, Role.SECRETARY)
        except OfficerProblem:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(go, users))
    assert sorted(done) == [False, True]
    assert Membership.objects.filter(role=Role.SECRETARY).count() == 1
