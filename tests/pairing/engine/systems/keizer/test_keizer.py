"""The Keizer engine against the literal transcription, and the document's own example.

`python -m lab.keizer` compares many more rounds.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from pairing.engine.paired_round import PairingImpossible
from pairing.engine.snapshot import Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.systems.keizer import (
    InvalidKeizerOption,
    KeizerOptions,
    credits_of_player,
    explain_change,
    pair_next_round,
    parse_keizer_options,
    rankings_by_round,
)
from tests.pairing.engine.systems.keizer.random_seasons import compare, played_season

SEASONS = 12


def test_every_round_of_random_seasons_agrees_with_the_literal_transcription():
    rounds = 0
    for seed in range(SEASONS):
        for snapshot, literal in played_season(seed):
            try:
                compare(snapshot, literal)
            except AssertionError as error:
                error.add_note(f"season {seed}, round {snapshot.round_number}, options {literal.told}")
                raise
            rounds += 1
    assert rounds > 4 * SEASONS


# -- The worked example ------------------------------------------------------------------------------------------------


def example() -> TournamentSnapshot:
    """A draws with B, D beats C; A and D had White."""
    white, black = Colour.WHITE, Colour.BLACK
    first = {
        1: RoundRecord(result=Result.DRAW, opponent=2, colour=white),
        2: RoundRecord(result=Result.DRAW, opponent=1, colour=black),
        3: RoundRecord(result=Result.LOSS, opponent=4, colour=black),
        4: RoundRecord(result=Result.WIN, opponent=3, colour=white),
    }
    cards = tuple(PairingCard(tpn=tpn, records=(record,)) for tpn, record in first.items())
    return TournamentSnapshot(cards=cards, rounds_paired=1, system="keizer")


def test_the_worked_example():
    before, after = rankings_by_round(example(), KeizerOptions())
    assert before.values == {1: 5, 2: 4, 3: 3, 4: 2}
    assert after.order == (1, 2, 4, 3)
    assert after.values == {1: 5, 2: 4, 4: 3, 3: 2}
    assert [after.total(tpn) for tpn in after.order] == [7, Fraction(13, 2), 5, 2]
    games = [(game.white, game.black) for game in pair_next_round(example(), KeizerOptions()).games]
    assert games == [(4, 1), (2, 3)]


def test_the_credits_of_a_player_add_up_to_their_total():
    options = KeizerOptions()
    (credit,) = credits_of_player(example(), options, 4)
    assert (credit.cause, credit.value_of, Fraction(credit.share, options.unit)) == ("game", 3, 1)


def test_what_round_1_changed_in_the_worked_example():
    """D, fourth and worth 2, had a total of 2 and beat C, who fell from third to fourth: 3 + 2."""
    change = explain_change(example(), KeizerOptions(), 4)
    assert change is not None
    assert (change.total_before, change.total_now, change.rank_before, change.rank_now) == (2, 5, 4, 3)
    assert [(line.now.round, line.difference, line.rank_before, line.rank_now) for line in change.lines] == [
        (None, 1, 4, 3),
        (1, 2, 3, 4),
    ]


def test_players_kept_apart_have_no_pairing():
    apart = frozenset(frozenset((1, other)) for other in (2, 3, 4))
    with pytest.raises(PairingImpossible):
        pair_next_round(replace(example(), forbidden_pairs=apart), KeizerOptions())


# -- Options -----------------------------------------------------------------------------------------------------------


def test_options_are_read_as_they_are_written():
    options = parse_keizer_options(["gap=6", "bye=1/2", "excused_most=3", "meetings=2", "frozen=on", "self=off"])
    assert options == KeizerOptions(
        gap=6, bye=Fraction(1, 2), max_excused=3, max_meetings=2, is_frozen=True, counts_self=False
    )


@pytest.mark.parametrize("text", ["gab=6", "gap", "gap=0", "gap=1.5", "bye=x", "bye=-1", "frozen=1", "step=1/0"])
def test_what_is_no_option_is_refused(text):
    with pytest.raises(InvalidKeizerOption):
        parse_keizer_options([text])
