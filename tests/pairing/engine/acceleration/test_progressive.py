"""Progressive acceleration compared with the table of its document (Manuel de Vega, appendix Q, with corrections)."""

import random

import pytest

from pairing.engine.acceleration.progressive import (
    AccelerationGroup,
    GroupLimitsError,
    check_group_limits,
    count_group_sizes,
    fictitious_points,
    find_acceleration_group,
    group_fictitious_points,
    nearest_valid_limits,
)
from pairing.engine.snapshot import InvalidSnapshot, PairingCard, Result, RoundRecord, TournamentSnapshot

#        RS   0 .5  1 1.5  2 2.5  3 3.5  4 4.5  5 5.5   (values in half points)
A_ROW = (4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
B_ROW = (2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4)
C_ROW_OF_9 = (0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4)
C_ROW_OF_12 = (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3)


@pytest.mark.parametrize(
    ("group", "rounds", "row"),
    [
        (AccelerationGroup.A, 9, A_ROW),
        (AccelerationGroup.B, 9, B_ROW),
        (AccelerationGroup.C, 9, C_ROW_OF_9),
        (AccelerationGroup.A, 12, A_ROW),
        (AccelerationGroup.B, 12, B_ROW),
        (AccelerationGroup.C, 12, C_ROW_OF_12),
    ],
)
def test_table_of_the_document(group, rounds, row):
    assert tuple(group_fictitious_points(group, scored, 7, rounds) for scored in range(12)) == row


def test_group_c_of_twelve_rounds_reaches_two_points_at_half():
    assert group_fictitious_points(AccelerationGroup.C, 11, 8, 12) == 3
    assert group_fictitious_points(AccelerationGroup.C, 12, 8, 12) == 4


def test_cancelled_in_the_last_two_rounds():
    assert [group_fictitious_points(AccelerationGroup.A, 0, number, 9) for number in (7, 8, 9)] == [4, 0, 0]
    assert [group_fictitious_points(AccelerationGroup.C, 9, number, 9) for number in (7, 8, 9)] == [4, 0, 0]


def test_half_of_an_odd_number_of_rounds_is_exact():
    assert group_fictitious_points(AccelerationGroup.C, 6, 4, 7) == 2
    assert group_fictitious_points(AccelerationGroup.C, 7, 4, 7) == 4


def test_unrated_are_in_group_c():
    assert find_acceleration_group(0, (2000, 1600)) is AccelerationGroup.C
    assert find_acceleration_group(1599, (2000, 1600)) is AccelerationGroup.C
    assert find_acceleration_group(1600, (2000, 1600)) is AccelerationGroup.B
    assert find_acceleration_group(2000, (2000, 1600)) is AccelerationGroup.A


def event(*results: Result, rounds: int | None = 9, rating: int = 1500) -> TournamentSnapshot:
    """Player 1 with these results in a row; the opponents do not matter."""
    cards = [PairingCard(tpn=1, rating=rating, records=tuple(RoundRecord(result=result) for result in results))]
    return TournamentSnapshot(
        cards=tuple(cards),
        rounds_paired=len(results),
        rounds_announced=rounds,
        system="fide-1989",
        acceleration="progressive",
    )


def test_requested_byes_do_not_count_towards_a_threshold():
    for bye in (Result.FULL_POINT_BYE, Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE):
        assert fictitious_points(event(bye, bye, bye, bye))[1] == (0, 0, 0, 0, 0)


def test_pairing_bye_and_forfeit_win_count():
    snapshot = event(Result.PAIRING_ALLOCATED_BYE, Result.FORFEIT_WIN, Result.FORFEIT_LOSS, Result.FORFEIT_WIN)
    assert fictitious_points(snapshot)[1] == (0, 0, 1, 1, 2)


def test_refused_without_a_number_of_rounds():
    with pytest.raises(InvalidSnapshot, match="number of rounds"):
        fictitious_points(event(Result.PAIRING_ALLOCATED_BYE, rounds=None))


def test_limits_that_break_the_shares_are_refused_with_the_nearest_that_fit():
    ratings = [2100] * 2 + [1900] * 3 + [1700] * 4 + [1500] * 3
    with pytest.raises(GroupLimitsError) as refusal:
        check_group_limits((2000, 1600), ratings)
    # A has 2 of 12; with the players rated 1900 it has 5, and B has 4 left.
    assert refusal.value.nearest == (1900, 1600)
    assert "A 2 of 12 (16.6%)" in str(refusal.value)


def test_no_limits_fit_a_tiny_field():
    assert nearest_valid_limits([2000, 2000, 1500]) is None
    with pytest.raises(GroupLimitsError, match="no limits fit"):
        check_group_limits((2000, 1600), [1800, 1800, 1800, 1800])


def test_limits_that_fit_stay_as_they_are():
    ratings = [2100] * 3 + [1800] * 4 + [1500] * 3
    check_group_limits((2000, 1600), ratings)
    assert nearest_valid_limits(ratings) == (2000, 1600)


def by_trying_every_pair(ratings: list[int], wanted: tuple[int, int]) -> tuple[int, int] | None:
    fitting = [
        (abs(a - wanted[0]) + abs(c - wanted[1]), abs(a - wanted[0]), -a, -c)
        for a in range(1, 42)
        for c in range(1, a)
        if count_group_sizes((a, c), ratings).is_balanced
    ]
    if not fitting:
        return None
    best = min(fitting)
    return -best[2], -best[3]


@pytest.mark.parametrize("seed", range(40))
def test_nearest_limits_agree_with_trying_every_pair(seed):
    dice = random.Random(seed)
    ratings = [dice.choice([0, *range(5, 40)]) for _ in range(dice.randint(3, 14))]
    wanted = (dice.randint(20, 38), dice.randint(2, 19))
    assert nearest_valid_limits(ratings, wanted) == by_trying_every_pair(ratings, wanted)
