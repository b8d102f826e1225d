"""Baku acceleration (FIDE Handbook C.04.5.1)."""

from dataclasses import replace

import pytest

from pairing.engine import acceleration
from pairing.engine.acceleration.baku import accelerated_group, fictitious_points, fictitious_points_in_round
from pairing.engine.snapshot import InvalidSnapshot, PairingCard, TournamentSnapshot


def event(players: int, *, rounds: int | None = 9, upper: int | None = None) -> TournamentSnapshot:
    return TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn) for tpn in range(players, 0, -1)),
        rounds_paired=0,
        rounds_announced=rounds,
        system="fide-1989",
        acceleration="baku",
        accelerated_players=upper,
    )


def test_refused_without_a_number_of_rounds():
    with pytest.raises(InvalidSnapshot, match="number of rounds"):
        fictitious_points(event(8, rounds=None))


@pytest.mark.parametrize(("players", "upper"), [(4, 2), (5, 4), (8, 4), (9, 6), (161, 82)])
def test_size_of_the_upper_group(players, upper):
    assert accelerated_group(event(players)) == set(range(1, upper + 1))


def test_a_late_entrant_does_not_change_the_groups():
    assert accelerated_group(event(9, upper=4)) == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("rounds", "row"),
    [
        (9, (2, 2, 2, 1, 1, 0, 0, 0, 0)),
        (7, (2, 2, 1, 1, 0, 0, 0)),
        (10, (2, 2, 2, 1, 1, 0, 0, 0, 0, 0)),
        (5, (2, 2, 1, 0, 0)),
    ],
)
def test_rounds_of_one_point_and_of_a_half(rounds, row):
    assert tuple(fictitious_points_in_round(number, rounds) for number in range(1, rounds + 1)) == row


def test_lower_group_has_none():
    assert fictitious_points(event(8))[5] == (0,)
    assert fictitious_points(event(8))[4] == (2,)


def test_an_acceleration_that_nobody_knows_is_refused():
    with pytest.raises(InvalidSnapshot, match="unknown acceleration"):
        acceleration.fictitious_points(replace(event(4), acceleration="rockets"))
