"""Diagrams: positions match the data, nothing overlaps, and a table says the same."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.urls import reverse

from pairing.view_models.diagrams.opponent_ratings_chart import opponent_ratings_chart
from pairing.view_models.diagrams.place_chart import place_chart
from pairing.view_models.diagrams.score_group_map import score_group_map
from pairing.view_models.sheets.player_sheet import player_sheet
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import draft_of, make_club, make_event, played, player, published, round_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event(make_club(), players=11)


# -- Score groups ----------------------------------------------------------------------------------------------------


def test_a_round_that_is_not_paired_has_no_map(event):
    assert score_group_map(pairing_sheet(round_of(event, 1))) is None


def test_every_player_is_in_the_group_of_their_points(event):
    played(event, 1)
    played(event, 2, seed=2)
    sheet = pairing_sheet(published(event, 3))
    drawn = score_group_map(sheet)
    scores = [side.score for board in sheet.boards for side in (board.white, board.black)]
    scores += [bye.player.score for bye in sheet.byes]
    assert [row.players for row in drawn.rows] == [scores.count(score) for score in sorted(set(scores), reverse=True)]
    assert [row.y for row in drawn.rows] == sorted(row.y for row in drawn.rows)
    floated = [board.board for board in sheet.boards if board.white.score != board.black.score]
    assert floated, "this event has no floater: choose another seed"
    assert [tie.number for tie in drawn.float_lines] == floated
    y_of = {row.points: row.y for row in drawn.rows}
    for tie in drawn.float_lines:
        board = sheet.boards[tie.number - 1]
        assert {tie.top, tie.bottom} == {y_of[board.white.points], y_of[board.black.points]}


@pytest.mark.parametrize("boards", [1, 12, 30, 200])
def test_no_board_is_drawn_over_another_or_beyond_the_edge(boards, event):
    played(event, 1)
    sheet = pairing_sheet(published(event, 2))
    from dataclasses import replace

    many = replace(sheet, boards=tuple(replace(sheet.boards[0], board=number) for number in range(1, boards + 1)))
    drawn = score_group_map(many)
    columns = sorted({spot.x for spot in drawn.board_marks})
    assert len(columns) == boards
    assert drawn.left <= columns[0]
    assert columns[-1] + drawn.radius <= drawn.width
    if boards <= 30:
        assert all(b - a >= 2 * drawn.radius for a, b in pairwise(columns))


def test_the_map_of_a_draft_is_for_those_who_run_the_event(event, client):
    draft_of(event, 1)
    assert client.get(reverse("round_map", args=[event.club.slug, event.slug, 1])).status_code == 404


def test_the_map_is_drawn_and_told(event, client):
    played(event, 1)
    text = client.get(reverse("round_map", args=[event.club.slug, event.slug, 1])).content.decode()
    assert text.count('<circle class="spot') == 5
    assert 'role="img"' in text
    assert "<table" in text
    assert "style=" not in text


# -- Places ----------------------------------------------------------------------------------------------------------


def test_there_are_no_places_before_the_second_round(event):
    played(event, 1)
    assert place_chart(event, player(event, 1), [1]) is None


def test_places_are_those_of_the_tables(event):
    played(event, 1)
    played(event, 2, seed=2)
    entry = player(event, 4)
    chart = place_chart(event, entry, [1, 2])
    assert chart.lines[0].entry == entry
    for line in chart.lines:
        for mark in line.marks:
            table = get_event_standings(event, mark.round)
            assert next(row.place for row in table.rows if row.entry.pk == line.entry.pk) == mark.place
    marks = [mark for line in chart.lines for mark in line.marks]
    assert all(a.y < b.y for a in marks for b in marks if a.place < b.place), "the first place stands highest"
    last = [row.entry.pk for row in get_event_standings(event, 2).rows]
    own = last.index(entry.pk)
    assert {line.entry.pk for line in chart.lines} == set(last[max(0, own - 2) : own + 3])


# -- Opponents -------------------------------------------------------------------------------------------------------


def test_the_path_holds_the_opponents_with_a_rating(event):
    played(event, 1)
    played(event, 2, seed=2)
    entry = player(event, 1)
    entry.tournament = event
    sheet = player_sheet(entry)
    path = opponent_ratings_chart(sheet)
    assert [mark.row.number for mark in path.marks] == [1, 2]
    strengths = [mark.row.opponent.rating for mark in path.marks]
    assert path.average == round(sum(strengths) / 2)
    first, second = path.marks
    assert (first.y < second.y) == (strengths[0] > strengths[1])
    assert all(
        low <= rating <= high for rating in strengths for low, high in [(path.ratings[0][0], path.ratings[-1][0])]
    )


def test_without_ratings_there_is_no_path(event):
    event.entries.update(rating=0)
    played(event, 1)
    played(event, 2, seed=2)
    entry = player(event, 1)
    entry.tournament = event
    assert opponent_ratings_chart(player_sheet(entry)) is None


def test_the_page_of_a_players_way(event, client):
    address = reverse("player_progress", args=[event.club.slug, event.slug, player(event, 1).pk])
    played(event, 1)
    assert "Charts appear after round 2" in client.get(address).content.decode()
    played(event, 2, seed=2)
    text = client.get(address).content.decode()
    assert re.findall(r'<h2 id="(\w+)"', text) == ["places", "opponents"]
    assert text.count('class="game"') + text.count('class="game black"') == 2
    assert "style=" not in text
