"""The database refuses impossible data from any program."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from clubs.models import Club, Member, Membership, Role
from tests.factories import make_club, make_event, make_member, player, published, round_of
from tests.module_fixtures import make_module_fixtures
from tournaments.models import Bye, Entry, ForbiddenPair, Game, Round, Tournament

pytestmark = pytest.mark.every_database


def event_in_round_1() -> Tournament:
    event = make_event(make_club(), players=5)
    published(event, 1)
    return event


made_once, event = make_module_fixtures(event_in_round_1)


@pytest.fixture
def club(event) -> Club:
    return event.club


def refused(act) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        act()


@pytest.mark.parametrize(
    "change",
    [
        {"result": "2-0"},
        {"board": 0},
        {"board": 2},
        {"colours_drawn": False, "result": "1-0"},
    ],
)
def test_games(change, event):
    refused(lambda: Game.objects.filter(round__tournament=event, board=1).update(**change))


def test_a_player_sits_at_one_board_and_never_against_themselves(event):
    game = Game.objects.get(round__tournament=event, board=1)
    other = Game.objects.get(round__tournament=event, board=2)
    for change in ({"white": other.white}, {"black": other.black}, {"black": game.white}):
        refused(lambda change=change: Game.objects.filter(pk=game.pk).update(**change))


def test_byes(event):
    first = round_of(event, 1)
    seated = Game.objects.get(round=first, board=1).white
    refused(lambda: Bye.objects.create(round=first, entry=seated, kind="U"))
    refused(lambda: Bye.objects.create(round=first, entry=seated, kind="X"))
    refused(lambda: Bye.objects.create(round=first, entry=first.byes.get().entry, kind="Z"))


@pytest.mark.parametrize(
    "change",
    [
        {"tpn": 0},
        {"tpn": 2},
        {"rating": 3501},
        {"name": ""},
        {"entered_in_round": 0},
        {"withdrawn_from_round": 0},
    ],
)
def test_entries(change, event):
    refused(lambda: Entry.objects.filter(tournament=event, tpn=1).update(**change))


def test_a_member_enters_once(event, club):
    member = make_member(club, "Kot, Ala")
    Entry.objects.create(tournament=event, member=member, name="Kot, Ala")
    refused(lambda: Entry.objects.create(tournament=event, member=member, name="Kot, Alicja"))


def test_rounds(event):
    refused(lambda: Round.objects.create(tournament=event, number=1))
    refused(lambda: Round.objects.create(tournament=event, number=0))
    refused(lambda: Round.objects.filter(tournament=event, number=2).update(state="over"))


@pytest.mark.parametrize(
    "change",
    [
        {"system": "swiss"},
        {"acceleration": "much"},
        {"rounds_announced": 0},
        {"starts_on": "2026-02-02", "ends_on": "2026-02-01"},
        {"group_limit_a": 1500, "group_limit_c": 1800},
    ],
)
def test_tournaments(change, event):
    refused(lambda: Tournament.objects.filter(pk=event.pk).update(**change))


def test_an_address_is_taken_once_a_club(event, club):
    refused(lambda: Tournament.objects.create(club=club, name="Inny", slug=event.slug, rounds_announced=1))
    Tournament.objects.create(club=make_club("na-skale"), name="Inny", slug=event.slug, rounds_announced=1)


def test_forbidden_pairs_stand_in_order(event):
    first, second = sorted((player(event, 1), player(event, 2)), key=lambda entry: entry.pk)
    refused(lambda: ForbiddenPair.objects.create(tournament=event, first=second, second=first))
    refused(lambda: ForbiddenPair.objects.create(tournament=event, first=first, second=first))


def test_people_and_clubs(club, member):
    refused(lambda: Membership.objects.create(user=member, club=club, role=Role.MEMBER))
    refused(lambda: Membership.objects.create(user=member, club=club, role="king"))
    refused(lambda: Club.objects.create(name="Inny", slug=club.slug))
    refused(lambda: Member.objects.create(club=club, family_name=""))
    make_member(club, "Kot, Ala", fide_id=77)
    refused(lambda: make_member(club, "Kot, Ola", fide_id=77))
    make_member(make_club("na-skale"), "Kot, Ala", fide_id=77)


def test_what_others_rest_on_is_not_deleted(event, club):
    for row in (event, club, player(event, 1)):
        with pytest.raises(ProtectedError):
            row.delete()
