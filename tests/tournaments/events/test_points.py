"""Points other than 1, ½ and 0 in the event's form, in files and on pages."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from pairing.engine.point_systems import format_point_system
from pairing.engine.trf import read_trf, snapshot_from_trf
from pairing.view_models.sheets.player_sheet import player_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import make_event, played, player, published, round_of
from tests.module_fixtures import make_module_fixtures
from tests.scenario import make_cast
from tournaments.check_in.byes import grant_requested_bye
from tournaments.events.event_setup import change_tournament
from tournaments.import_export.file_import import apply_import
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_cast)


VALUES = {
    "name": "Trzy za wygraną",
    "rounds_announced": "5",
    "acceleration": "none",
    "first_colour": "w",
    "requested_bye_worth": "H",
    "requested_byes_allowed": "1",
    "late_entry_worth": "Z",
}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"system": "dutch-1992", "point_system": "3-1-0"},
            "This system only allows 1, ½ and 0 points, or 2, 1 and 0",
        ),
        (
            {"system": "jahr", "point_system": "3-1-0"},
            "This system only allows 1, ½ and 0 points, or 2, 1 and 0",
        ),
        ({"system": "dutch-2026", "point_system": "3-1-0", "tie_breaks": "BH, T, 16"}, "T, 16"),
        (
            {"system": "dutch-2026", "point_system": "3-1-0", "acceleration": "progressive"},
            "Progressive acceleration needs 1, ½ and 0 points, or 2, 1 and 0",
        ),
        ({"system": "dutch-2026", "point_system": "1-1-0"}, "1-1-0"),
    ],
)
def test_points_that_the_event_cannot_count_are_refused(cast, wrong, said):
    answer = cast.browser("arbiter").post(reverse("tournament_new", args=[cast.club.slug]), VALUES | wrong)
    assert answer.status_code == 422
    assert said in answer.text
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(("system", "points"), [("jahr", "2-1-0"), ("dutch-2026", "3-1-0")])
def test_an_event_is_made_with_points_of_its_own(cast, system, points):
    values = VALUES | {"system": system, "point_system": points}
    cast.browser("arbiter").post(reverse("tournament_new", args=[cast.club.slug]), values)
    assert Tournament.objects.get(name="Trzy za wygraną").point_system == points


def test_points_stand_once_round_1_is_paired(club):
    event = make_event(club, players=4, system="dutch-2026")
    published(event, 1)
    with pytest.raises(ArbiterProblem):
        change_tournament(event, by=None, point_system="3-1-0")


def test_a_row_with_points_nobody_counts_by_is_not_valid(club):
    event = make_event(club, system="dutch-2026")
    event.point_system = "0-0-0"
    with pytest.raises(ValidationError):
        event.full_clean()


def test_tables_cards_and_files_count_three_for_a_win(club):
    event = make_event(club, players=5, rounds=3, system="dutch-2026", point_system="3-1-0", tie_breaks=["BH"])
    played(event, 1)
    grant_requested_bye(player(event, 4), round_of(event, 2), "H", by=None)
    played(event, 2)
    scores = {card.tpn: 0 for card in snapshot_before_round(event, 3).cards}
    for card in snapshot_before_round(event, 3).cards:
        scores[card.tpn] = sum({"1": 6, "=": 2, "U": 6, "H": 2}.get(each.result.value, 0) for each in card.records)
    assert {row.entry.tpn: 2 * row.points for row in get_event_standings(event).rows} == scores
    for number in (1, 4):
        entry = player(event, number)
        assert player_sheet(entry).rounds[-1].points == scores[entry.tpn]
    assert [each.symbol for each in player_sheet(player(event, 4)).rounds][-1] == "1"
    exported = read_trf(export_trf(event), name="x")
    assert not exported.warnings
    assert {each.tpn: int(2 * (each.points or 0)) for each in exported.players} == scores
    assert format_point_system(snapshot_from_trf(exported, system="dutch-2026").points) == "3-1-0"


def test_a_file_brings_its_points_and_goes_out_with_them(club):
    source = make_event(club, players=4, rounds=3, system="dutch-2026", point_system="2-1-0")
    played(source, 1)
    data = export_trf(source)
    event = apply_import(club, data, "two.trf", by=None, system="dutch-1992")
    assert event.point_system == "2-1-0"
    assert snapshot_from_trf(read_trf(export_trf(event), name="x"), system="dutch-1992").points.scale_factor == 2


def test_a_file_whose_points_the_system_does_not_know_makes_no_event(club):
    source = make_event(club, players=4, rounds=3, system="dutch-2026", point_system="3-1-0")
    played(source, 1)
    before = Tournament.objects.count()
    with pytest.raises(ArbiterProblem, match="This system only allows 1, ½ and 0 points, or 2, 1 and 0"):
        apply_import(club, export_trf(source), "three.trf", by=None, system="dutch-1992")
    assert Tournament.objects.count() == before
