"""Prize lists with one prize a player."""

from __future__ import annotations

from pairing.engine.prizes import Prize, award_prizes

RANKS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
FIRST = Prize(name="First", cents=10000)
SECOND = Prize(name="Second", cents=5000)
JUNIOR = Prize(name="Junior", cents=7000, open_to=frozenset({2, 4}))
SECOND_JUNIOR = Prize(name="Second junior", cents=1000, open_to=frozenset({2, 4}))


def winners(*prizes: Prize) -> list[int | None]:
    return [award.winner for award in award_prizes(prizes, RANKS)]


def test_nobody_is_left():
    assert winners(Prize(name="Ladies", cents=1, open_to=frozenset())) == [None]
    assert [award.winner for award in award_prizes([FIRST], {})] == [None]


def test_nobody_gets_two():
    assert winners(FIRST, SECOND, Prize(name="Club", cents=4000, open_to=frozenset({1, 2, 3}))) == [1, 2, 3]


def test_everyone_gets_the_best_he_can():
    """2 takes the junior prize, which is more than the second; that goes to 3."""
    assert winners(FIRST, SECOND, JUNIOR, SECOND_JUNIOR) == [1, 3, 2, 4]


def test_prizes_of_one_worth_are_given_in_the_order_listed():
    small = Prize(name="Junior", cents=5000, open_to=frozenset({2, 4}))
    assert winners(FIRST, SECOND, small) == [1, 2, 4]
    assert winners(FIRST, small, SECOND) == [1, 2, 3]


def test_a_shared_place_is_said():
    awards = award_prizes([FIRST, SECOND], {4: 1, 2: 1, 3: 3})
    assert [(award.winner, award.tied_with) for award in awards] == [(2, (4,)), (4, ())]
