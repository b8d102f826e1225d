"""Checking events: the system's own rounds agree, others are named pair by pair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.paired_round import PairedBye, PairedGame, PairedRound, PairingImpossible
from pairing.engine.pairing_checker import check_event_pairings, snapshot_before_round
from pairing.engine.snapshot import ABSENT_RECORD, Result, RoundRecord, TournamentSnapshot
from pairing.engine.trf import forbidden_pairs_in_round, read_trf, snapshot_from_trf
from tests.pairing.engine.trf.lines import player, report

EVENT = snapshot_from_trf(
    read_trf(
        report(
            player(1, "   3 w 1", "   2 b +"),
            player(2, "   4 b 1", "   1 - -"),
            player(3, "   1 b 0", "0000 - H"),
            player(4, "   2 w 0", "   5 w 1"),
            player(5, "0000 - U", "   4 b 0"),
            player(6, "        ", "0000 - Z"),
        ),
        name="x.trf",
    ),
    system="fide-1989",
)


def paired(*games: tuple[int, int], bye: int | None = None) -> PairedRound:
    return PairedRound(
        system="fide-1989",
        round_number=1,
        games=tuple(PairedGame(board=board, white=w, black=b) for board, (w, b) in enumerate(games, start=1)),
        bye=PairedBye(player=bye) if bye else None,
    )


def test_a_system_that_makes_the_same_pairs_agrees():
    """The forfeit of round 2 only states Black's colour, and so White's."""
    rounds = {1: paired((1, 3), (4, 2), bye=5), 2: paired((4, 5), (2, 1))}
    assert all(check.is_identical for check in check_event_pairings(EVENT, lambda before: rounds[before.round_number]))


def test_what_differs_is_named_on_each_side():
    rounds = {1: paired((3, 1), (4, 5), bye=2), 2: paired((4, 5), (2, 1))}
    first, second = check_event_pairings(EVENT, lambda before: rounds[before.round_number])
    assert first.only_actual == ((1, 3), (4, 2), (5, 0))
    assert first.only_expected == ((2, 0), (3, 1), (4, 5))
    assert (first.is_identical, second.is_identical) == (False, True)


def test_other_colours_in_a_forfeit_differ_where_one_colour_is_known():
    rounds = {1: paired((1, 3), (4, 2), bye=5), 2: paired((4, 5), (1, 2))}
    checks = list(check_event_pairings(EVENT, lambda before: rounds[before.round_number]))
    assert checks[1].only_expected == ((1, 2),)


def test_a_forfeit_without_colours_agrees_with_either():
    cards = {card.tpn: card for card in EVENT.cards}
    uncoloured = RoundRecord(result=Result.FORFEIT_WIN, opponent=2)
    cards[1] = replace(cards[1], records=(cards[1].records[0], uncoloured))
    event = replace(EVENT, cards=tuple(cards.values()))
    for pair in ((1, 2), (2, 1)):
        rounds = {1: paired((1, 3), (4, 2), bye=5), 2: paired((4, 5), pair)}
        assert all(
            check.is_identical
            for check in check_event_pairings(event, lambda before, made=rounds: made[before.round_number])
        )


def test_each_round_is_paired_from_the_rounds_before_it_and_who_was_there():
    seen: list[TournamentSnapshot] = []

    def pair(before: TournamentSnapshot) -> PairedRound:
        before.check_consistency()
        seen.append(before)
        return paired()

    list(check_event_pairings(replace(EVENT, rounds_announced=9), pair))
    assert [before.rounds_paired for before in seen] == [0, 1]
    absent = [{card.tpn: card.unavailable for card in before.cards if card.unavailable} for before in seen]
    assert absent == [
        {6: ABSENT_RECORD},
        {3: RoundRecord(result=Result.HALF_POINT_BYE), 6: RoundRecord(result=Result.ZERO_POINT_BYE)},
    ]


def test_a_round_the_system_cannot_pair_is_named():
    def impossible(before: TournamentSnapshot) -> PairedRound:
        raise PairingImpossible("players 1 and 3 block it", players=(1, 3))

    checks = list(check_event_pairings(EVENT, impossible))
    assert [check.impossible_reason for check in checks] == ["players 1 and 3 block it"] * 2
    assert not any(check.is_identical for check in checks)


def test_forbidden_pairs_are_those_of_the_round():
    trf = read_trf(
        report(
            "XXR 9",
            "260 001 001    1    3",
            player(1, "   2 w 1", "   3 b 0"),
            player(2, "   1 b 0", "0000 - Z"),
            player(3, "0000 - Z", "   1 w 1"),
        ),
        name="x.trf",
    )
    seen = []
    event = snapshot_from_trf(trf, system="fide-1989")

    def pair(before: TournamentSnapshot) -> PairedRound:
        seen.append(before.forbidden_pairs)
        return paired()

    list(check_event_pairings(event, pair, forbidden_in=lambda number: forbidden_pairs_in_round(trf, number)))
    assert seen == [frozenset({frozenset({1, 3})}), frozenset()]


def test_limits_that_do_not_fit_stop_no_check_of_rounds_already_paired():
    """They were checked before round 1, or the arbiter would not have used them."""
    event = replace(EVENT, acceleration="progressive", group_limits=(2400, 2300), rounds_announced=5)
    assert len(list(check_event_pairings(event, lambda before: paired()))) == 2


@pytest.mark.parametrize("round_number", [1, 2])
def test_an_event_before_a_round_is_sound(round_number: int):
    before = snapshot_before_round(EVENT, round_number)
    before.check_consistency()
    assert before.round_number == round_number
