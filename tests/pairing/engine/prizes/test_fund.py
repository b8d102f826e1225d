"""Prize funds: for everyone or for a category, shared or not, and one prize per player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from pairing.engine.prizes import AwardedPrizeList, PlacedPlayer, PrizeList, PrizeSharing, award_prize_fund

FIVE = tuple(PlacedPlayer(tpn=tpn, points=12 - tpn, rank=tpn) for tpn in range(1, 6))
"""Five players whom points and places tell apart."""
PLACES = PrizeList(prizes=(10000, 5000))
JUNIORS = PrizeList(prizes=(7000, 1000), open_to=frozenset({2, 4}))


def awarded(
    *lists: PrizeList,
    table: Sequence[PlacedPlayer] = FIVE,
    sharing: PrizeSharing = PrizeSharing.BY_PLACE,
    one_prize_each: bool = True,
) -> tuple[AwardedPrizeList, ...]:
    return award_prize_fund(lists, table, sharing=sharing, one_prize_each=one_prize_each)


def money(*lists: PrizeList, **more) -> list[dict[int, int]]:
    return [{tpn: share.cents for tpn, share in each.shares} for each in awarded(*lists, **more)]


def test_without_players_nothing_is_awarded():
    (nobody,) = awarded(PLACES, table=())
    assert (nobody.shares, nobody.not_awarded) == ((), 15000)


def test_a_list_that_nobody_can_win_is_not_awarded():
    (ladies,) = awarded(PrizeList(prizes=(100, 50), open_to=frozenset()))
    assert (ladies.shares, ladies.not_awarded) == ((), 150)


def test_a_prize_without_a_player_left_for_it_is_not_awarded():
    (seniors,) = awarded(PrizeList(prizes=(100, 50), open_to=frozenset({3})))
    assert (seniors.not_awarded, [tpn for tpn, _ in seniors.shares]) == (50, [3])


def test_nobody_gets_two():
    club = PrizeList(prizes=(4000,), open_to=frozenset({1, 2, 3}))
    assert money(PLACES, club) == [{1: 10000, 2: 5000}, {3: 4000}]


def test_unless_everybody_may():
    club = PrizeList(prizes=(4000,), open_to=frozenset({1, 2, 3}))
    assert money(PLACES, club, one_prize_each=False) == [{1: 10000, 2: 5000}, {1: 4000}]


def test_everyone_keeps_the_greatest():
    """2 gets the junior prize, which is larger than the second; that goes to 3."""
    places, juniors = awarded(PLACES, JUNIORS)
    assert [tpn for tpn, _ in places.shares] == [1, 3]
    assert places.forgone == ((2, 5000, ""),)
    assert [tpn for tpn, _ in juniors.shares] == [2, 4]


def test_of_two_equal_prizes_the_one_of_the_list_named_first():
    assert money(PLACES, PrizeList(prizes=(5000,), open_to=frozenset({2, 4}))) == [{1: 10000, 2: 5000}, {4: 5000}]


def test_nobody_leaves_a_list_for_a_prize_that_falls_to_them_later():
    """1 gets the first prize instead of the juniors' 90; so 2 gets the 90, not the second prize of 50."""
    juniors = PrizeList(prizes=(9000, 3000), open_to=frozenset({1, 2}))
    assert money(PLACES, juniors) == [{1: 10000, 3: 5000}, {2: 9000}]


TIED = (
    PlacedPlayer(tpn=1, points=10, rank=1),
    PlacedPlayer(tpn=2, points=8, rank=2),
    PlacedPlayer(tpn=3, points=8, rank=3),
    PlacedPlayer(tpn=4, points=8, rank=3),
)
"""Three have equal points, and nothing tells the last two apart."""
FOUR = PrizeList(prizes=(10000, 5000, 3000, 1000))


@pytest.mark.parametrize(
    ("sharing", "expected"),
    [
        (PrizeSharing.BY_PLACE, {1: 10000, 2: 5000, 3: 2000, 4: 2000}),
        (PrizeSharing.EQUALLY, {1: 10000, 2: 3000, 3: 3000, 4: 3000}),
        # Each gets half of 50 and of 20, and half of a third of 90.
        (PrizeSharing.HORT, {1: 10000, 2: 4000, 3: 2500, 4: 2500}),
    ],
)
def test_sharing_rules(sharing, expected):
    assert money(FOUR, table=TIED, sharing=sharing) == [expected]


def test_a_share_says_how_it_came_about():
    (places,) = awarded(FOUR, table=TIED, sharing=PrizeSharing.HORT)
    share = dict(places.shares)[3]
    assert (share.first, share.last, share.pool, share.sharers, share.own_places) == (2, 4, 9000, 3, (3, 4))


def test_whoever_keeps_another_prize_takes_no_place():
    """2 keeps the 40 of the ladies, so 3 and 4 share 50 and 30."""
    ladies = PrizeList(prizes=(4000,), open_to=frozenset({2}))
    assert money(FOUR, ladies, table=TIED, sharing=PrizeSharing.EQUALLY) == [{1: 10000, 3: 4000, 4: 4000}, {2: 4000}]


@pytest.mark.parametrize("seed", range(300))
def test_no_cent_is_lost_and_nobody_has_two(seed):
    dice = Random(seed)
    players = dice.randint(0, 9)
    points = sorted((dice.randint(0, 4) for _ in range(players)), reverse=True)
    table = [PlacedPlayer(tpn=tpn, points=points[tpn - 1], rank=tpn) for tpn in range(1, players + 1)]
    lists = [
        PrizeList(
            prizes=tuple(sorted((dice.randint(1, 9999) for _ in range(dice.randint(0, 5))), reverse=True)),
            open_to=None if not number else frozenset(dice.sample(range(1, 10), 4)),
        )
        for number in range(dice.randint(1, 4))
    ]
    made = award_prize_fund(lists, table, sharing=dice.choice(list(PrizeSharing)), one_prize_each=True)
    for each, of_list in zip(lists, made, strict=True):
        given = sum(share.cents for _, share in of_list.shares)
        assert given + of_list.left_over + of_list.not_awarded == sum(each.prizes)
    winners = [tpn for of_list in made for tpn, _ in of_list.shares]
    assert len(set(winners)) == len(winners)


@pytest.mark.parametrize("seed", range(300))
def test_without_ties_the_dearest_prize_goes_first_to_the_best_who_has_none(seed):
    """Another formulation of the same, for prizes that are all different."""
    dice = Random(seed)
    players = dice.randint(1, 8)
    table = [PlacedPlayer(tpn=tpn, points=20 - tpn, rank=tpn) for tpn in range(1, players + 1)]
    amounts = dice.sample(range(1, 10_000), 12)
    lists = [
        PrizeList(
            prizes=tuple(sorted(amounts[4 * number : 4 * number + dice.randint(0, 4)], reverse=True)),
            open_to=None if not number else frozenset(dice.sample(range(1, 10), 4)),
        )
        for number in range(3)
    ]
    expected: dict[int, int] = {}
    for cents, open_to in sorted(
        ((cents, each.open_to) for each in lists for cents in each.prizes), key=lambda prize: -prize[0]
    ):
        waiting = [placed.tpn for placed in table if placed.tpn not in expected]
        winner = next((tpn for tpn in waiting if open_to is None or tpn in open_to), None)
        if winner is not None:
            expected[winner] = cents
    made = award_prize_fund(lists, table, sharing=PrizeSharing.BY_PLACE, one_prize_each=True)
    assert {tpn: share.cents for of_list in made for tpn, share in of_list.shares} == expected


CUP = PrizeList(prizes=(10000, 5000, 0), prizes_in_kind=("cup", "", "book"))


def test_a_thing_goes_to_its_place_however_the_money_is_shared():
    """1 and 2 have equal points and share the money; the cup goes to the first."""
    table = [
        PlacedPlayer(tpn=1, points=8, rank=1),
        PlacedPlayer(tpn=2, points=8, rank=2),
        PlacedPlayer(tpn=3, points=6, rank=3),
    ]
    (given,) = award_prize_fund([CUP], table, sharing=PrizeSharing.EQUALLY, one_prize_each=True)
    assert {tpn: share.cents for tpn, share in given.shares} == {1: 7500, 2: 7500}
    assert [(tpn, each.prize, each.place, each.is_tied) for tpn, each in given.awards_in_kind] == [
        (1, "cup", 1, False),
        (3, "book", 3, False),
    ]


def test_a_tied_prize_in_kind_names_its_candidates():
    table = [PlacedPlayer(tpn=1, points=8, rank=1), PlacedPlayer(tpn=2, points=8, rank=1)]
    (given,) = award_prize_fund([CUP], table, sharing=PrizeSharing.BY_PLACE, one_prize_each=True)
    assert [(each.prize, each.candidates, each.is_tied) for _tpn, each in given.awards_in_kind] == [
        ("cup", (1, 2), True)
    ]
    assert given.unawarded_in_kind == ("book",)


@pytest.mark.parametrize("other", [1, 2])
@pytest.mark.parametrize("prize", [PrizeList(prizes=(700,)), PrizeList(prizes=(0,), prizes_in_kind=("pen",))])
def test_who_has_something_for_sure_draws_no_lot(prize, other):
    """In both cases the other player gets the cup, and no lot is needed."""
    table = [PlacedPlayer(tpn=1, points=8, rank=1), PlacedPlayer(tpn=2, points=8, rank=1)]
    cup = PrizeList(prizes=(0,), prizes_in_kind=("cup",))
    of_cup, _rest = awarded(cup, replace(prize, open_to=frozenset({other})), table=table)
    assert [(tpn, each.candidates) for tpn, each in of_cup.awards_in_kind] == [(3 - other, (3 - other,))]
    assert of_cup.forgone == ((other, 0, "cup"),)


def test_money_is_greater_than_a_thing_and_a_thing_than_nothing():
    """2 keeps the second's money and leaves the juniors' book to 4, who has no other prize."""
    juniors = PrizeList(prizes=(0,), prizes_in_kind=("book",), open_to=frozenset({2, 4}))
    table = [PlacedPlayer(tpn=tpn, points=10 - tpn, rank=tpn) for tpn in (1, 2, 3, 4)]
    places, of_juniors = award_prize_fund(
        [PrizeList(prizes=(10000, 5000)), juniors], table, sharing=PrizeSharing.BY_PLACE, one_prize_each=True
    )
    assert [tpn for tpn, _ in places.shares] == [1, 2]
    assert of_juniors.forgone == ((2, 0, "book"),)
    assert [tpn for tpn, _ in of_juniors.awards_in_kind] == [4]


def test_who_would_have_two_things_keeps_that_of_the_list_named_first():
    first, second = (
        PrizeList(prizes=(0,), prizes_in_kind=("cup",)),
        PrizeList(prizes=(0, 0), prizes_in_kind=("book", "pen")),
    )
    table = [PlacedPlayer(tpn=tpn, points=10 - tpn, rank=tpn) for tpn in (1, 2, 3)]
    cup, books = award_prize_fund([first, second], table, sharing=PrizeSharing.HORT, one_prize_each=True)
    assert [tpn for tpn, _ in cup.awards_in_kind] == [1]
    assert [(tpn, each.prize) for tpn, each in books.awards_in_kind] == [(2, "book"), (3, "pen")]
    assert cup.shares == books.shares == ()
