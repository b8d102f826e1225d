"""Categories, club totals and the crosstable."""

from __future__ import annotations

import pytest

from pairing.engine.snapshot import Colour, Result
from pairing.engine.standings import rank_players
from pairing.engine.standings.categories import (
    CategoryCandidate,
    PlayerCategory,
    category_standings,
    junior_category,
    senior_category,
)
from pairing.engine.standings.ranking import build_crosstable, rank_clubs
from tests.pairing.engine.standings.rows import event

FOUR = event("1 2000 2w1 4b1\n2 1900 1b0 3w1\n3 1800 4w1 2b0\n4 1700 3b0 1w0")
TABLE = rank_players(FOUR, ())


@pytest.mark.parametrize(
    ("category", "person"),
    [
        (junior_category("U18", under=18, in_year=2026), CategoryCandidate(tpn=1)),
        (junior_category("U18", under=18, in_year=2026), CategoryCandidate(tpn=1, birth_year=2007)),
        (senior_category("S65", age=65, in_year=2026), CategoryCandidate(tpn=1, birth_year=1962)),
        (PlayerCategory(name="Women", sex="w"), CategoryCandidate(tpn=1)),
        (PlayerCategory(name="Under 1800", rating_below=1800), CategoryCandidate(tpn=1, rating=1800)),
        (PlayerCategory(name="Under 1800", rating_below=1800), CategoryCandidate(tpn=1)),
        (PlayerCategory(name="From 1800", rating_from=1800), CategoryCandidate(tpn=1)),
        (PlayerCategory(name="From 1", rating_from=0), CategoryCandidate(tpn=1)),
        (PlayerCategory(name="Without", unrated=True), CategoryCandidate(tpn=1, rating=1)),
        (PlayerCategory(name="Ours", club="Ours"), CategoryCandidate(tpn=1)),
        (PlayerCategory(name="Women of ours", sex="w", club="Ours"), CategoryCandidate(tpn=1, sex="w")),
    ],
)
def test_who_does_not_belong(category, person):
    assert not category.includes_player(person)


@pytest.mark.parametrize(
    ("category", "person"),
    [
        (PlayerCategory(name="All"), CategoryCandidate(tpn=1)),
        (junior_category("U18", under=18, in_year=2026), CategoryCandidate(tpn=1, birth_year=2008)),
        (senior_category("S65", age=65, in_year=2026), CategoryCandidate(tpn=1, birth_year=1961)),
        (PlayerCategory(name="Women", sex="w"), CategoryCandidate(tpn=1, sex="w")),
        (PlayerCategory(name="Under 1800", rating_below=1800), CategoryCandidate(tpn=1, rating=1799)),
        (PlayerCategory(name="From 1800", rating_from=1800), CategoryCandidate(tpn=1, rating=1800)),
        (PlayerCategory(name="Without", unrated=True), CategoryCandidate(tpn=1)),
    ],
)
def test_who_belongs(category, person):
    assert category.includes_player(person)


def test_a_category_keeps_the_order_and_the_ranks_of_the_table():
    people = [CategoryCandidate(tpn=tpn, sex="w" if tpn > 1 else "m") for tpn in (1, 2, 3, 4)]
    placed = category_standings(PlayerCategory(name="Women", sex="w"), TABLE, people)
    assert [(each.place, each.standing.rank, each.standing.tpn) for each in placed] == [(1, 2, 2), (1, 2, 3), (3, 4, 4)]


def test_clubs_with_too_few_players_are_left_out():
    assert rank_clubs(TABLE, {1: "Alpha", 2: "Beta", 3: "Beta"}, counted=2)[0].club == "Beta"
    assert rank_clubs(TABLE, {}, counted=1) == ()


def test_clubs_by_points_then_ranks():
    """Alpha 2 + 0, Beta 1 + 1: two each; the ranks are 1 + 4 and 2 + 2."""
    sums = rank_clubs(TABLE, {1: "Alpha", 4: "Alpha", 2: "Beta", 3: "Beta"}, counted=2)
    assert [(each.place, each.club, each.points, each.rank_sum, each.players) for each in sums] == [
        (1, "Beta", 4, 4, (2, 3)),
        (2, "Alpha", 4, 5, (1, 4)),
    ]


def test_only_the_best_of_a_club_count():
    sums = rank_clubs(TABLE, dict.fromkeys((1, 2, 3), "Alpha") | {4: "Beta"}, counted=1)
    assert [(each.club, each.points, each.players) for each in sums] == [("Alpha", 4, (1,)), ("Beta", 0, (4,))]


def test_the_crosstable_names_opponents_by_their_lines():
    rows = build_crosstable(FOUR, rank_players(FOUR, ("TPN/R",)))
    assert [row.standing.tpn for row in rows] == [1, 3, 2, 4]
    assert [(cell.opponent, cell.opponent_line, cell.colour, cell.result) for cell in rows[1].cells] == [
        (4, 4, Colour.WHITE, Result.WIN),
        (2, 3, Colour.BLACK, Result.LOSS),
    ]


def test_a_bye_has_no_opponent():
    with_bye = event("1 2000 2w1 U\n2 1900 1b0 Z")
    cell = build_crosstable(with_bye, rank_players(with_bye, ()))[0].cells[1]
    assert (cell.opponent, cell.opponent_line, cell.result) == (None, None, Result.PAIRING_ALLOCATED_BYE)
