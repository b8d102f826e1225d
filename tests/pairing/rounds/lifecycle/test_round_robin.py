"""A round robin through its rounds: drawn numbers, pairings by the table, withdrawals, late entries, pages."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pairing.engine.systems.round_robin import round_robin_schedule
from pairing.engine.trf import read_trf, snapshot_from_trf
from pairing.rounds.lifecycle.transitions import discard_draft, publish_round, unpublish_round
from pairing.view_models.sheets.round_robin_schedule import round_robin_schedule_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import draft_of, make_event, played, player, published, round_of
from tests.scenario import make_cast
from tournaments.check_in.byes import grant_requested_bye
from tournaments.entries.enrolment import enter_pasted_list, withdraw_player
from tournaments.entries.starting_list import draw_pairing_numbers
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Bye, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import enter_result

pytestmark = pytest.mark.django_db


def round_robin(club, players: int, rounds: int) -> Tournament:
    return make_event(club, players=players, rounds=rounds, system="round-robin")


def results(event: Tournament, number: int) -> list[str]:
    return list(round_of(event, number).games.order_by("board").values_list("result", flat=True))


def boards(event: Tournament, number: int) -> list[tuple[int, int]]:
    return list(round_of(event, number).games.order_by("board").values_list("white__tpn", "black__tpn"))


def test_numbers_are_not_drawn_once_round_1_is_paired_nor_in_other_systems(club):
    event = round_robin(club, 4, 3)
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem, match="so the numbers"):
        draw_pairing_numbers(event, by=None)
    with pytest.raises(ArbiterProblem, match="Other systems"):
        draw_pairing_numbers(make_event(club, players=4), by=None)


def test_drawn_numbers_stand_through_drafts_and_the_schedule_keeps_what_it_said(club):
    event = round_robin(club, 5, 5)
    assert not round_robin_schedule_sheet(event).has_drawn_numbers
    draw_pairing_numbers(event, by=None)
    numbers = dict(event.entries.values_list("pk", "tpn"))
    assert sorted(numbers.values()) == [1, 2, 3, 4, 5]
    said = [
        [(game.white.number, game.black.number) for game in each.games]
        for each in round_robin_schedule_sheet(event).rounds
    ]
    discard_draft(draft_of(event, 1), by=None)
    assert dict(event.entries.values_list("pk", "tpn")) == numbers
    for number in range(1, 6):
        played(event, number, seed=number)
        assert boards(event, number) == said[number - 1]
        rests = Bye.objects.get(round__tournament=event, round__number=number)
        assert round_robin_schedule_sheet(event).rounds[number - 1].player_without_game.number == rests.entry.tpn
    assert sum(row.points for row in get_event_standings(event).rows) == 10
    file = read_trf(export_trf(event), name="x")
    assert not file.warnings
    assert snapshot_from_trf(file, system="round-robin").points.pairing_allocated_bye == 0


def test_withdrawn_or_absent_players_keep_their_games(club):
    event = round_robin(club, 6, 5)
    played(event, 1)
    withdraw_player(player(event, 6), 2, by=None)
    grant_requested_bye(player(event, 3), round_of(event, 2), "Z", by=None)
    published(event, 2)
    assert boards(event, 2) == [(6, 4), (5, 3), (1, 2)]
    assert results(event, 2) == ["-/+", "", ""]
    unpublish_round(round_of(event, 2), by=None, reason="too early")
    assert results(event, 2) == ["", "", ""]
    publish_round(round_of(event, 2), by=None, version=round_of(event, 2).version)
    assert results(event, 2) == ["-/+", "", ""]
    enter_result(
        round_of(event, 2).games.get(board=1), "1/2", revision=round_of(event, 2).games.get(board=1).revision, by=None
    )
    with pytest.raises(ArbiterProblem, match="unpublish this round because results have been entered"):
        unpublish_round(round_of(event, 2), by=None, reason="too late")
    why = [each["kind"] for each in round_of(event, 2).games.get(board=1).reasons]
    assert why == ["table", "withdrawn"]
    # Only one of five games was played: the withdrawn player's results do not count.
    assert next(row.points for row in get_event_standings(event, 1).rows if row.entry.tpn == 6) == 0


def test_a_half_point_bye_stops_the_round_and_says_why(club):
    event = round_robin(club, 4, 3)
    played(event, 1)
    grant_requested_bye(player(event, 2), round_of(event, 2), "H", by=None)
    with pytest.raises(ArbiterProblem, match="Nr002"):
        draft_of(event, 2)


def test_a_late_entrant_takes_the_place_that_rests(club):
    event = round_robin(club, 5, 5)
    played(event, 1)
    enter_pasted_list(event, "Nowa, Ewa; 1500", by=None)
    published(event, 2)
    assert boards(event, 2) == list(round_robin_schedule(6, 5)[1].games)


def test_two_who_have_withdrawn_both_lose_and_so_does_nobody_in_other_systems(club):
    event, swiss = round_robin(club, 4, 3), make_event(club, players=4, rounds=3, system="dutch-2026")
    for each in (event, swiss):
        played(each, 1)
        for number in (3, 4) if each is event else (1, 2):
            withdraw_player(player(each, number), 2, by=None)
        published(each, 2)
    # Row 2 of the table for four: 4-3, 1-2.
    assert results(event, 2) == ["-/-", ""]
    assert set(results(swiss, 2)) == {""}


@pytest.mark.parametrize("who", ["secretary", "member", "visitor"])
def test_everybody_sees_the_schedule_and_officers_draw(who):
    cast = make_cast()
    event = make_event(cast.club, players=4, rounds=3, system="round-robin")
    places = [cast.club.slug, event.slug]
    page = cast.browser(who).get(reverse("schedule", args=places)).text
    assert page.count("<table") == 3
    assert ("Draw pairing numbers" in page) == (who == "secretary")
    drawn = cast.browser(who).post(reverse("schedule_draw", args=places)).status_code
    assert (drawn == 302 and event.entries.filter(tpn=None).count() == 0) == (who == "secretary")


def test_the_form_says_when_everybody_can_meet_everybody():
    cast = make_cast()
    few = make_event(cast.club, players=6, rounds=5, system="dutch-2026")
    many = make_event(cast.club, players=12, rounds=5, system="dutch-2026")
    pages = [
        cast.browser("secretary").get(reverse("tournament_edit", args=[cast.club.slug, event.slug])).text
        for event in (few, many)
    ]
    assert "6 players need 5 rounds to play each other once, or 10 to play each other twice." in pages[0]
    assert "rounds to play each other once" not in pages[1]
