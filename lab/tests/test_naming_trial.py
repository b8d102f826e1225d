"""The trial of the reasons hides the asked player and judges answers."""

from __future__ import annotations

from random import Random

from lab.naming_trial import HIDDEN, Case, boards, judged


def test_the_hidden_player_stands_in_lists_of_whole_groups_alone():
    case = Case(next(boards("jahr", 1701)), Random("cards"))
    hidden, explained = case.names[case.hidden], case.text(1).partition("The explanation:")[2]
    naming = [line for line in explained.splitlines() if hidden in line]
    assert all("Still to be paired" in line or "Players on" in line for line in naming)
    assert HIDDEN in explained
    assert case.text(1) == Case(next(boards("jahr", 1701)), Random("cards")).text(1)


def test_no_sentence_states_the_rating_of_the_hidden_player():
    told = 0
    for number, board in enumerate(boards("dubov-1997", 1701)):
        case = Case(board, Random(f"cards {number}"))
        (rating,) = (card.rating for card in board.snapshot.cards if card.tpn == case.hidden)
        explained = case.text(1).partition("The explanation:")[2]
        assert f"{HIDDEN} (rating {rating}" not in explained
        told += f"{HIDDEN} (rating {HIDDEN}" in explained
    assert told, "nothing was to be hidden"


def test_an_answer_is_a_name_or_a_number():
    key = {str(case): {"opponent": "Barak", "number": 7} for case in range(1, 6)}
    answers = {"1": "Barak", "2": 7, "3": "Barak (7)", "4": "Bara"}
    assert judged(answers, key) == ["4", "5"]
