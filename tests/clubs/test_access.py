"""What each role can do in a club."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from clubs.access import get_club_for_arbiter, get_club_for_member, get_club_for_secretary
from clubs.models import Membership, Role, User
from clubs.roles import can_run_events, clubs_of_user, roles_in_club

GATES = {
    get_club_for_secretary: {"secretary"},
    get_club_for_arbiter: {"secretary", "arbiter"},
    get_club_for_member: {"secretary", "arbiter", "treasurer", "member"},
}
CAST = ("secretary", "arbiter", "treasurer", "member")


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("who", ["outsider", "neighbour", None])
def test_strangers_learn_nothing_of_a_club(gate, who, club, request):
    user = request.getfixturevalue(who) if who else AnonymousUser()
    with pytest.raises(Http404):
        gate(user, club.slug)


@pytest.mark.parametrize("gate", GATES)
def test_a_club_that_is_not_there_is_not_found_by_anyone(gate, secretary):
    with pytest.raises(Http404):
        gate(secretary, "nowhere")


@pytest.mark.parametrize("who", CAST)
@pytest.mark.parametrize("gate", GATES)
def test_people_of_the_club_pass_by_their_roles(gate, who, club, request):
    user = request.getfixturevalue(who)
    if who in GATES[gate]:
        assert gate(user, club.slug) == club
    else:
        with pytest.raises(PermissionDenied):
            gate(user, club.slug)


def test_a_role_in_one_club_is_none_in_another(club, neighbour, secretary):
    assert roles_in_club(neighbour, club) == frozenset()
    assert not can_run_events(neighbour, club)
    assert can_run_events(secretary, club)


def test_someone_may_hold_several_roles(club, member):
    Membership.objects.create(user=member, club=club, role=Role.TREASURER)
    assert roles_in_club(member, club) == {Role.MEMBER, Role.TREASURER}
    assert clubs_of_user(member) == [club], "two roles in a club list it once"
    assert not can_run_events(member, club)


def test_a_superuser_may_do_everything(club):
    assert roles_in_club(User.objects.create_superuser("root"), club) == set(Role)


def test_who_has_no_role_has_no_clubs(club, outsider):
    assert clubs_of_user(outsider) == []
    assert clubs_of_user(AnonymousUser()) == []
