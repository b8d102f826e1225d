"""Sharing prize money: equal sharing (1992, F10) and Hort's system."""

from __future__ import annotations

from random import Random

import pytest

from pairing.engine.prizes import share_prizes_by_hort, share_prizes_equally

PRIZES = (30000, 20000, 10000)


def test_without_players_nothing_is_shared():
    assert share_prizes_equally(PRIZES, []).cents_by_player == {}
    assert share_prizes_by_hort(PRIZES, [], []).left_over == 0


def test_without_ties_everyone_has_the_prize_of_their_place():
    groups = [[7], [2], [5], [1]]
    expected = {7: 30000, 2: 20000, 5: 10000, 1: 0}
    assert share_prizes_equally(PRIZES, groups).cents_by_player == expected
    assert share_prizes_by_hort(PRIZES, groups, groups).cents_by_player == expected


def test_equal_points_share_the_prizes_of_their_places():
    shared = share_prizes_equally(PRIZES, [[1], [2, 3, 4]])
    assert (shared.cents_by_player, shared.left_over) == ({1: 30000, 2: 10000, 3: 10000, 4: 10000}, 0)


def test_what_cannot_be_shared_is_said():
    shared = share_prizes_equally((100,), [[1, 2, 3]])
    assert (shared.cents_by_player, shared.left_over) == ({1: 33, 2: 33, 3: 33}, 1)


def test_hort_gives_half_by_place_and_half_by_points():
    """The three share 600.00: 100.00 each of one half, and 150.00, 100.00 and 50.00 for their places."""
    shared = share_prizes_by_hort(PRIZES, [[1, 2, 3]], [[1], [2], [3]])
    assert (shared.cents_by_player, shared.left_over) == ({1: 25000, 2: 20000, 3: 15000}, 0)


def test_hort_on_a_shared_place():
    """1 and 2 share first place: with 3 they have equal points."""
    shared = share_prizes_by_hort(PRIZES, [[1, 2, 3]], [[1, 2], [3]])
    assert shared.cents_by_player == {1: 22500, 2: 22500, 3: 15000}


def test_hort_rounds_down_and_says_what_is_left():
    shared = share_prizes_by_hort((101, 50), [[1, 2]], [[1], [2]])
    assert (shared.cents_by_player, shared.left_over) == ({1: 88, 2: 62}, 1)


@pytest.mark.parametrize("seed", range(200))
def test_no_cent_is_lost_or_made(seed):
    dice = Random(seed)
    prizes = [dice.randint(0, 10**6) for _ in range(dice.randint(0, 12))]
    numbers = iter(range(1, 100))
    groups = [[next(numbers) for _ in range(dice.randint(1, 5))] for _ in range(dice.randint(0, 6))]
    singles = [[tpn] for group in groups for tpn in group]
    for shared in (share_prizes_equally(prizes, groups), share_prizes_by_hort(prizes, groups, singles)):
        assert sorted(shared.cents_by_player) == sorted(tpn for group in groups for tpn in group)
        assert sum(shared.cents_by_player.values()) + shared.left_over == sum(prizes[: len(singles)])
        assert 0 <= shared.left_over <= len(singles)
