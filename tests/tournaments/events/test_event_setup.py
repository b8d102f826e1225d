"""Creating and editing events."""

from __future__ import annotations

import pytest

from tests.factories import draft_of, make_event, played, player, round_of
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.events.event_setup import change_tournament, create_tournament
from tournaments.models import Bye, LogEntry, PairingSystem, Round, Tournament
from tournaments.problems import ArbiterProblem


@pytest.mark.parametrize(
    "fields",
    [
        {"rounds_announced": 0},
        {"rounds_announced": 100},
        {"name": ""},
        {"system": "swiss"},
        {"starts_on": "2026-05-02", "ends_on": "2026-05-01"},
        {"group_limit_a": 1500, "group_limit_c": 1800},
    ],
)
def test_fields_out_of_range_make_no_event(fields, club, secretary):
    with pytest.raises(ArbiterProblem):
        create_tournament(club, by=secretary, **({"name": "Środa", "rounds_announced": 5} | fields))
    assert not Tournament.objects.exists()
    assert not LogEntry.objects.exists()


def test_an_event_has_all_its_rounds_from_the_start(club, secretary):
    event = create_tournament(club, by=secretary, name="Środa", rounds_announced=7)
    assert list(event.rounds.values_list("number", "state")) == [(n, Round.State.WAITING) for n in range(1, 8)]
    assert event.log.get().actor == secretary


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Wieczór łódzki", "wieczor-lodzki"),
        ("Турнир „Щастие“ 2026", "turnir-shtastie-2026"),
        ("Žluťoučký kůň", "zlutoucky-kun"),
        ("Größe & Maß", "grosse-mass"),
        ("♟♟♟", "event"),
    ],
)
def test_addresses_are_made_of_plain_letters(name, address, club):
    assert create_tournament(club, by=None, name=name, rounds_announced=1).slug == address


def test_two_events_of_one_name_have_two_addresses(club):
    slugs = [create_tournament(club, by=None, name="Środa", rounds_announced=1).slug for _ in range(3)]
    assert slugs == ["sroda", "sroda-2", "sroda-3"]


def test_an_address_fits_however_long_the_name(club):
    slugs = {create_tournament(club, by=None, name="x" * 120, rounds_announced=1).slug for _ in range(2)}
    assert len(slugs) == 2
    assert max(map(len, slugs)) <= 50


def test_a_page_of_the_club_is_no_address(club):
    assert create_tournament(club, by=None, name="Members", rounds_announced=1).slug == "members-2"


# -- Changing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", [{"system": PairingSystem.FIDE_1989}, {"first_colour": "b"}, {"acceleration": "baku"}]
)
def test_what_made_a_pairing_can_no_longer_be_changed(change, club):
    event = make_event(club, players=4)
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        change_tournament(event, by=None, **change)
    event.refresh_from_db()
    assert (event.system, event.first_colour, event.acceleration) == (PairingSystem.JAHR, "w", "none")


def test_before_the_first_pairing_it_can(club):
    event = change_tournament(make_event(club), by=None, system=PairingSystem.FIDE_1989, name="Czwartek")
    assert (event.system, event.name, event.slug) == (PairingSystem.FIDE_1989, "Czwartek", "sroda")


def test_rounds_are_added_and_removed_at_the_end(club):
    event = make_event(club, rounds=5)
    change_tournament(event, by=None, rounds_announced=7)
    assert event.rounds.count() == 7
    change_tournament(event, by=None, rounds_announced=3)
    assert list(event.rounds.values_list("number", flat=True)) == [1, 2, 3]


def test_a_paired_round_is_never_removed(club):
    event = make_event(club, players=6, rounds=3)
    played(event, 1)
    played(event, 2)
    with pytest.raises(ArbiterProblem):
        change_tournament(event, by=None, rounds_announced=1)
    assert event.rounds.count() == 3
    assert Tournament.objects.get().rounds_announced == 3


@pytest.mark.parametrize("rounds", [2, 9])
def test_the_number_of_rounds_stands_while_a_draft_does(rounds, club):
    event = make_event(club, players=6, rounds=5)
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        change_tournament(event, by=None, rounds_announced=rounds)


def test_no_bye_is_lost_with_its_round(club):
    event = make_event(club, players=4, rounds=5)
    mark_absent(player(event, 2), round_of(event, 4), by=None)
    with pytest.raises(ArbiterProblem) as problem:
        change_tournament(event, by=None, rounds_announced=3)
    assert "Nr002" in problem.value.message
    assert Bye.objects.count() == 1


def test_no_round_with_byes_becomes_the_last_against_the_rule(club):
    event = make_event(club, players=4, rounds=5)
    grant_requested_bye(player(event, 2), round_of(event, 3), Bye.Kind.HALF_POINT, by=None)
    with pytest.raises(ArbiterProblem):
        change_tournament(event, by=None, rounds_announced=3)
    change_tournament(event, by=None, rounds_announced=3, bye_in_last_round=True)
    assert event.rounds.count() == 3


def test_a_change_that_changes_nothing_is_not_logged(club):
    event = make_event(club)
    before = event.log.count()
    change_tournament(event, by=None, name=event.name)
    assert event.log.count() == before
