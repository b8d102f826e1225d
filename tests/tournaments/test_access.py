"""Who can see and run which event."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from tests.factories import make_event, played, round_of
from tournaments.access import (
    get_round_for_arbiter,
    get_round_for_reader,
    get_tournament_for_arbiter,
    get_tournament_for_reader,
)


@pytest.fixture
def event(club):
    return make_event(club, players=4)


@pytest.mark.parametrize("who", ["outsider", "neighbour", None])
def test_strangers_run_nothing(who, event, club, request):
    user = request.getfixturevalue(who) if who else AnonymousUser()
    with pytest.raises(Http404):
        get_tournament_for_arbiter(user, club.slug, event.slug)


@pytest.mark.parametrize("who", ["member", "treasurer"])
def test_members_without_the_role_run_nothing(who, event, club, request):
    with pytest.raises(PermissionDenied):
        get_round_for_arbiter(request.getfixturevalue(who), club.slug, event.slug, 1)


def test_an_event_is_not_found_under_another_club(event, neighbour):
    with pytest.raises(Http404):
        get_tournament_for_arbiter(neighbour, "na-skale", event.slug)


@pytest.mark.parametrize("who", ["secretary", "arbiter"])
def test_those_who_run_it_see_every_round(who, event, club, request):
    assert get_round_for_arbiter(request.getfixturevalue(who), club.slug, event.slug, 2).number == 2


@pytest.mark.parametrize("who", ["outsider", "neighbour", None])
def test_a_private_event_is_not_there_for_strangers(who, event, club, request):
    event.is_public = False
    event.save()
    user = request.getfixturevalue(who) if who else AnonymousUser()
    with pytest.raises(Http404):
        get_tournament_for_reader(user, club.slug, event.slug)


def test_a_private_event_is_there_for_members(event, club, member):
    event.is_public = False
    event.save()
    assert get_tournament_for_reader(member, club.slug, event.slug) == event


def test_readers_see_published_rounds_only(event, club):
    played(event, 1)
    assert get_round_for_reader(AnonymousUser(), club.slug, event.slug, 1) == round_of(event, 1)
    for number in (2, 99):
        with pytest.raises(Http404):
            get_round_for_reader(AnonymousUser(), club.slug, event.slug, number)
