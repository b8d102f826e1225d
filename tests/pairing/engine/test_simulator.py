"""Random events: the same for the same seed, and as the plan specifies."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from pairing.engine.paired_round import PairedGame, PairedRound, PairingImpossible
from pairing.engine.pairing_checker import check_event_pairings
from pairing.engine.simulator import SimulationPlan, _result, expected_score, simulate_event
from pairing.engine.snapshot import Colour, PointSystem, Result, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS

PLAN = SimulationPlan(players=24, rounds=5, system="fide-1989", seed=7)


def play(plan: SimulationPlan) -> TournamentSnapshot:
    event = simulate_event(plan, PAIRING_SYSTEMS[plan.system])
    event.check_consistency()
    return event


def results(event: TournamentSnapshot) -> Counter[Result]:
    return Counter(record.result for card in event.cards for record in card.records)


def test_the_same_seed_gives_the_same_event():
    assert play(PLAN) == play(PLAN)
    assert play(PLAN) != play(replace(PLAN, seed=8))


@pytest.mark.parametrize("system", ["fide-1989", "jahr"])
def test_the_system_agrees_with_the_event_it_paired(system: str):
    event = play(
        replace(
            PLAN,
            system=system,
            players=25,
            points=PointSystem(pairing_allocated_bye=1 if system == "jahr" else 2),
            byes=Fraction(1, 10),
            forfeits=Fraction(1, 10),
            withdrawals=Fraction(1, 20),
        )
    )
    assert event.rounds_paired == 5
    assert all(check.is_identical for check in check_event_pairings(event, PAIRING_SYSTEMS[system]))


def test_players_stand_in_the_order_of_their_ratings():
    ratings = [card.rating for card in play(PLAN).cards]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 24


def test_without_shares_everyone_plays_every_round():
    assert set(results(play(PLAN))) <= {Result.WIN, Result.DRAW, Result.LOSS}


def test_no_draws_where_none_are_asked_for():
    assert Result.DRAW not in results(play(replace(PLAN, draws=Fraction(0))))


def test_the_stronger_player_wins_with_either_colour():
    """By the difference of the ratings: by their sum White would be expected to win every game."""
    won = Counter[str]()
    for seed in range(6):
        event = play(replace(PLAN, players=40, draws=Fraction(0), seed=seed))
        ratings = {card.tpn: card.rating for card in event.cards}
        for card in event.cards:
            for record in card.records:
                if record.result is Result.WIN and record.opponent is not None and record.colour is not None:
                    won[record.colour.name] += 1
                    won["stronger" if card.rating > ratings[record.opponent] else "weaker"] += 1
    assert won["stronger"] > 2 * won["weaker"]
    assert Fraction(2, 3) < Fraction(won["BLACK"], won["WHITE"]) < Fraction(3, 2)


class Drawn(Random):
    """A random generator that always returns one number."""

    def __init__(self, number: int) -> None:
        super().__init__(0)
        self.number = number

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return self.number


@pytest.mark.parametrize("draws", [Fraction(0), Fraction(3, 10), Fraction(1)])
@pytest.mark.parametrize("difference", [0, 120, -350, 800])
def test_a_players_mean_score_is_the_expected_score(difference: int, draws: Fraction):
    """In half points over the ten thousand equally likely cases, give or take the rounding of half a draw."""
    plan = replace(PLAN, draws=draws)
    game = PairedGame(board=1, white=1, black=2, reasons=())
    ratings = {1: 1500 + difference, 2: 1500}
    points = {Result.WIN: 2, Result.DRAW: 1, Result.LOSS: 0}
    whites = Counter(_result(game, ratings, plan, Drawn(number))[0] for number in range(10_000))
    assert abs(sum(points[result] * count for result, count in whites.items()) - 2 * expected_score(difference)) <= 1
    assert (Result.DRAW in whites) == bool(draws)


def test_forfeits_byes_and_withdrawals_come_when_asked_for():
    found = results(play(replace(PLAN, forfeits=Fraction(1, 4), byes=Fraction(1, 10), withdrawals=Fraction(1, 10))))
    assert found[Result.FORFEIT_WIN] == found[Result.FORFEIT_LOSS] > 0
    assert found[Result.HALF_POINT_BYE] > 0
    assert found[Result.ZERO_POINT_BYE] > 0


@pytest.mark.parametrize(
    ("share", "least", "most"), [(Fraction(0), 0, 0), (Fraction(1, 2), 10, 50), (Fraction(1), 60, 60)]
)
def test_the_arbiter_turns_so_many_colours(share: Fraction, least: int, most: int):
    """How many of sixty games have other colours than the system gave."""
    given: list[tuple[int, int]] = []

    def pair(event: TournamentSnapshot) -> PairedRound:
        made = PAIRING_SYSTEMS[PLAN.system](event)
        given.extend((game.white, game.black) for game in made.games)
        return made

    event = simulate_event(replace(PLAN, turned=share), pair)
    had = [(card.tpn, record) for card in event.cards for record in card.records if record.colour is Colour.WHITE]
    played = {(tpn, record.opponent) for tpn, record in had}
    assert len(given) == len(played) == 60
    assert least <= len(played.difference(given)) <= most


def test_who_has_withdrawn_does_not_come_back():
    for card in play(replace(PLAN, withdrawals=Fraction(1, 5))).cards:
        gone = [record.result is Result.ZERO_POINT_BYE for record in card.records]
        assert gone == sorted(gone)


def test_an_event_too_small_for_its_rounds_cannot_be_played():
    with pytest.raises(PairingImpossible):
        play(replace(PLAN, players=4, rounds=5))


def test_an_event_everyone_leaves_cannot_be_played():
    with pytest.raises(PairingImpossible, match="fewer than two players are left"):
        play(replace(PLAN, withdrawals=Fraction(1)))


def test_two_players_are_enough_for_a_round_and_one_is_not():
    assert play(replace(PLAN, players=2, rounds=1)).rounds_paired == 1
    with pytest.raises(PairingImpossible, match="fewer than two players are left"):
        play(replace(PLAN, players=1, rounds=1))


def test_so_many_pairs_who_must_not_meet_are_drawn_among_the_players():
    pairs = play(replace(PLAN, players=6, rounds=1, forbidden_pairs=4)).forbidden_pairs
    assert len(pairs) == 4
    assert {tpn for pair in pairs for tpn in pair} <= set(range(1, 7))


@pytest.mark.parametrize(("difference", "expected"), [(0, 5000), (400, 9091), (-400, 909), (200, 7597), (4000, 10000)])
def test_the_expectancy_is_the_logistic_curve(difference: int, expected: int):
    assert expected_score(difference) == expected


@pytest.mark.parametrize("difference", [1, 37, 399, 735, 2001])
def test_both_players_expectancies_make_one(difference: int):
    assert expected_score(difference) + expected_score(-difference) == 10_000
