"""What changed in a Keizer total, in words. The numbers are worked out by hand."""

from __future__ import annotations

from pairing.engine.snapshot import ABSENT_RECORD, Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.systems.keizer import KeizerOptions, explain_change, pair_next_round
from pairing.explanations.keizer_sentences import change_sentences, ranks_sentence

NAMES = {1: "Anna", 2: "Bert", 3: "Cleo", 4: "Dora"}


def season() -> TournamentSnapshot:
    """Round 1: Anna and Bert draw, Dora beats Cleo. Round 2: Bert beats Dora, Anna can't come, and Cleo leaves."""
    white, black = Colour.WHITE, Colour.BLACK
    rounds = {
        1: (RoundRecord(result=Result.DRAW, opponent=2, colour=white), RoundRecord(result=Result.HALF_POINT_BYE)),
        2: (
            RoundRecord(result=Result.DRAW, opponent=1, colour=black),
            RoundRecord(result=Result.WIN, opponent=4, colour=white),
        ),
        3: (RoundRecord(result=Result.LOSS, opponent=4, colour=black), RoundRecord(result=Result.ZERO_POINT_BYE)),
        4: (
            RoundRecord(result=Result.WIN, opponent=3, colour=white),
            RoundRecord(result=Result.LOSS, opponent=2, colour=black),
        ),
    }
    cards = [
        PairingCard(tpn=tpn, records=records, unavailable=ABSENT_RECORD if tpn == 3 else None)
        for tpn, records in rounds.items()
    ]
    return TournamentSnapshot(cards=tuple(cards), rounds_paired=2, system="keizer")


def told(player: int) -> list[str]:
    change = explain_change(season(), KeizerOptions(), player)
    assert change is not None
    return change_sentences(change, player, NAMES)


def test_a_player_who_left_and_a_smaller_ranking():
    """Dora: before, 3 + 2 (Cleo, fourth of 4). Now 1 (third of 3) + 3/4 of her own value."""
    assert told(4) == [
        "Since the previous round, the total has gone from 5.00 to 1.75.",
        "The loss to Bert is worth 0.00.",
        "The player's own value is worth 2.00 less, because the value of Dora has changed.",
        "The win against Cleo is worth 1.25 less, because Cleo has withdrawn.",
    ]


def test_an_absence():
    """Anna: before, 5 + 2 (half of Bert's 4). Now 3 + 1 (half of Bert's 2) + a third of 3."""
    assert told(1) == [
        "Since the previous round, the total has gone from 7.00 to 5.00.",
        "The absence in round 2 is worth 1.00.",
        "The player's own value is worth 2.00 less, because the value of Anna has changed.",
        "The draw with Bert is worth 1.00 less, because the value of Bert has changed.",
    ]


def test_an_opponent_met_twice_is_told_by_round():
    """2 players, values 2 and 1. Anna: 2 + 1/2 after round 1, and 1/2 more after round 2."""
    white, black = Colour.WHITE, Colour.BLACK
    drawn = [RoundRecord(result=Result.DRAW, opponent=2, colour=colour) for colour in (white, black)]
    against = [RoundRecord(result=Result.DRAW, opponent=1, colour=colour) for colour in (black, white)]
    cards = (PairingCard(tpn=1, records=tuple(drawn)), PairingCard(tpn=2, records=tuple(against)))
    change = explain_change(TournamentSnapshot(cards=cards, rounds_paired=2, system="keizer"), KeizerOptions(), 1)
    assert change is not None
    assert change_sentences(change, 1, NAMES) == [
        "Since the previous round, the total has gone from 2.50 to 3.00.",
        "The draw with Bert in round 2 is worth 0.50.",
    ]


def test_a_player_who_is_not_ranked_has_no_change():
    assert explain_change(season(), KeizerOptions(), 3) is None


def test_players_between_two_opponents_who_are_too_many_to_name():
    """Of 17 players only the first and the last are there. 12 between them are named, and the lowest."""
    away = RoundRecord(result=Result.HALF_POINT_BYE)
    cards = tuple(PairingCard(tpn=tpn, unavailable=None if tpn in (1, 17) else away) for tpn in range(1, 18))
    (game,) = pair_next_round(TournamentSnapshot(cards=cards, rounds_paired=0, system="keizer")).games
    said = ranks_sentence(game.reasons[0], {tpn: f"P{tpn}" for tpn in range(1, 18)})
    assert "P13 (number 13)" in said
    assert "P14" not in said
    assert said.endswith("and P16 (number 16). 2 more players between them are not listed here.")
