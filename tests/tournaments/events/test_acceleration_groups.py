"""The groups of accelerations: what the form refuses and suggests, and what is fixed after round 1."""

from __future__ import annotations

import pytest

from pairing.rounds.lifecycle.transitions import discard_draft, pair_round
from tests.factories import draft_of, make_event, played, round_of
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.events.acceleration_groups import describe_maxi_event_rules, group_players_by_limits
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db


def make_rows() -> Cast:
    """Six players rated 2000, 1950, ..., 1750."""
    return make_cast()


made_once, cast = make_module_fixtures(make_rows)


def sent(**changes: str) -> dict[str, str]:
    return {
        "name": "Środa",
        "rounds_announced": "3",
        "system": "fide-1989",
        "acceleration": "progressive",
        "group_limit_a": "2000",
        "group_limit_c": "1600",
        "first_colour": "w",
        "requested_bye_worth": "H",
        "requested_byes_allowed": "1",
        "late_entry_worth": "Z",
    } | changes


def edited(cast: Cast, **changes: str):
    address = f"/{cast.club.slug}/{cast.event.slug}/edit/"
    return cast.browser("secretary").post(address, sent(**changes))


def limits(event: Tournament) -> tuple[str, int | None, int | None]:
    event.refresh_from_db()
    return event.acceleration, event.group_limit_a, event.group_limit_c


def test_limits_that_do_not_fit_are_refused_with_the_shares_and_the_nearest_that_fit(cast):
    answer = edited(cast)
    assert answer.status_code == 422
    for said in ("A 1 (16.6%)", "B 5 (83.3%)", "C 0 (0.0%)", "The nearest valid limits are", 'name="take_limits"'):
        assert said in answer.text
    assert limits(cast.event) == ("none", None, None)


def test_limits_left_empty_are_tested_as_the_usual_ones(cast):
    assert edited(cast, group_limit_a="", group_limit_c="").status_code == 422


def test_no_limits_fit_equals(cast):
    cast.event.entries.update(rating=1500)
    assert "No limits work for these players" in edited(cast).text


@pytest.mark.parametrize("offer", ["", "x,y", "1900", "1900,", ",1700", ","])
def test_a_spoilt_offer_takes_nothing(cast, offer):
    assert edited(cast, take_limits=offer).status_code == 422
    assert edited(cast, acceleration="none", take_limits=offer).status_code == 302
    assert limits(cast.event) == ("none", None, None)


def test_one_click_takes_the_offered_limits(cast):
    offered = group_players_by_limits([2000 - 50 * place for place in range(6)], None).nearest_limits_value
    assert edited(cast, acceleration="none", take_limits=offered).status_code == 302
    assert limits(cast.event) == ("progressive", *map(int, offered.split(",")))


def test_limits_that_fit_are_taken(cast):
    assert edited(cast, group_limit_a="1950", group_limit_c="1850").status_code == 302
    assert limits(cast.event) == ("progressive", 1950, 1850)


def test_the_form_shows_the_three_shares(cast):
    page = cast.browser("secretary").get(f"/{cast.club.slug}/{cast.event.slug}/edit/").text
    assert "Group A: 1 player, 16.6%" in page
    assert "Group B: 5 players, 83.3%" in page


def test_round_1_is_not_paired_by_limits_that_do_not_fit(cast):
    Tournament.objects.update(acceleration="progressive", group_limit_a=2000, group_limit_c=1600)
    with pytest.raises(ArbiterProblem) as refused:
        pair_round(cast.round(1).pk, by=None)
    assert "A 1 (16.6%)" in refused.value.message
    assert "The nearest valid limits are" in refused.value.message
    assert cast.round(1).state == Round.State.WAITING


def test_bakus_groups_stand_once_round_1_is_paired(club):
    event = make_event(club, players=8, rounds=5, system="fide-1989", acceleration="baku")
    assert snapshot_before_round(event, 1).accelerated_players is None
    played(event, 1)
    enter_pasted_list(event, "Późna, Ewa; 1500\nPóźny, Jan; 1400\nPóźny, Adam; 1300", by=None)
    event.refresh_from_db()
    assert event.accelerated_players == 4
    assert snapshot_before_round(event, 2).accelerated_players == 4


def test_a_discarded_round_1_leaves_the_groups_open(club):
    event = make_event(club, players=8, rounds=5, system="fide-1989", acceleration="baku")
    draft_of(event, 1)
    discard_draft(round_of(event, 1), by=None)
    event.refresh_from_db()
    assert event.accelerated_players is None


def test_without_baku_nothing_is_counted(club):
    event = make_event(club, players=8, rounds=5, system="fide-1989")
    draft_of(event, 1)
    event.refresh_from_db()
    assert event.accelerated_players is None


@pytest.mark.parametrize(
    ("players", "rounds", "said"),
    [(32, 5, "t apply"), (33, 5, " apply (33 players"), (0, 5, "t apply"), (9, None, "apply automatically")],
)
def test_maxi_rules_are_said_to_be_on_or_off(players, rounds, said):
    assert said in describe_maxi_event_rules(players, rounds)
