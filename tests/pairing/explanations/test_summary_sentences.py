"""Summaries of a board and a bye, for other readers and for each of its players.

The expected sentences are worked out by hand from the documents: who moves down, who comes first, who had which colour.
"""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from pairing.engine.paired_round import (
    ColourCause,
    DecisionCause,
    PairedRound,
    PairingImpossible,
    PairingReason,
    ReasonKind,
    make_reason,
)
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from pairing.explanations.pairing_summary import BoardSummary, ByeSummary, Meeting, summarise_reasons
from pairing.explanations.summary_sentences import summary_sentences, summary_text
from tests.pairing.builders import paired
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing

NAMES = {1: "Anna", 2: "Ben", 3: "Cleo", 4: "Dan", 5: "Eva"}
DUTCH = ("dutch-1992", "dutch-2026")

SAME_SCORES = """{system} rounds=9
1 2000 3b1
2 1900 4w1
3 1800 1w0
4 1700 2b0"""
ALL_MET = """{system} rounds=9
1 2000 3w1 2b=
2 1900 4b1 1w=
3 1800 1b0 4w=
4 1700 2w0 3b="""
WITH_BYE = """{system} rounds=9
1 2000 3w1 2b=
2 1900 4b1 1w=
3 1800 1b0 U
4 1700 2w0 5b1
5 1600 U 4w0"""


def board(made: PairedRound, player: int, *, you: int | None = None) -> str:
    """The summary of the player's board."""
    return next(summary_text(game.reasons, NAMES, you=you) for game in made.games if player in (game.white, game.black))


def bye(made: PairedRound, *, you: int | None = None) -> str:
    assert made.bye
    return summary_text(made.bye.reasons, NAMES, you=you)


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_equal_scores_first_candidate_and_both_colours(system: str):
    made = paired(SAME_SCORES.format(system=system))
    assert board(made, 1) == (
        "Anna and Ben both had 1 point and had not met. Ben was first on Anna's list of possible opponents. "
        "Anna has White against Ben, because Anna had Black in their last game, and Ben had White in their last game."
    )
    assert board(made, 1, you=1) == (
        "You both had 1 point and had not met. Ben was first on your list of possible opponents. "
        "You have White, because you had Black in your last game."
    )
    assert board(made, 1, you=2) == (
        "You both had 1 point and had not met. You were first on Anna's list of possible opponents. "
        "You have Black, because you had White in your last game."
    )


@pytest.mark.parametrize("system", DUTCH)
def test_a_float_down_and_a_candidate_ruled_out(system: str):
    # Anna and Ben have met, so both move down. Anna has met Cleo. Both were due White after White and Black.
    made = paired(ALL_MET.format(system=system))
    assert board(made, 1) == (
        "Anna (1½ points) moved down to play Dan (½ point), because there was no eligible opponent in their group. "
        "Cleo was first on Anna's list, but they met in round 1. Dan was next. "
        "Anna has White against Dan, because both were due White, and Anna is ranked higher."
    )
    assert board(made, 1, you=1) == (
        "You (1½ points) moved down to play Dan (½ point), because your score group had no eligible opponent for you. "
        "Cleo was first on your list, but you met in round 1. Dan was next. "
        "You have White, because you were both due White, and you are ranked higher."
    )
    assert board(made, 1, you=4) == (
        "Anna (1½ points) moved down to play you (½ point), because there was no eligible opponent in their group. "
        "Cleo was first on Anna's list, but they met in round 1. You were next. "
        "You have Black, because you were both due White, and Anna is ranked higher."
    )


@pytest.mark.parametrize("system", ["fide-1989", "jahr"])
def test_both_move_to_the_median_group(system: str):
    # Above and below the median of 1 point nobody has an opponent in their own group (9.3).
    made = paired(ALL_MET.format(system=system))
    assert board(made, 1).startswith(
        "Anna (1½ points) and Dan (½ point) were both moved to the score group on 1 point. Anna moved down, because "
        "there was no eligible opponent in their group. Dan moved up, because there was no eligible opponent in their "
        "group. Cleo was first on Anna's list, but they met in round 1. Dan was next. Anna has White against Dan, "
        "because"
    )
    assert board(made, 1, you=4).startswith(
        "You (½ point) and Anna (1½ points) were both moved to the score group on 1 point. You moved up, because your "
        "score group had no eligible opponent for you. Anna moved down, because there was no eligible opponent in "
        "their group. Cleo was first"
    )


def test_each_step_of_both_players_has_its_own_cause():
    def floated(player: int, *steps: int, because: DecisionCause) -> PairingReason:
        start, end = steps
        direction = "up" if end > start else "down"
        return make_reason(
            "x",
            ReasonKind.FLOATED,
            player,
            from_half_points=start,
            to_half_points=end,
            direction=direction,
            because=because,
        )

    reasons = (
        make_reason("x", ReasonKind.SCORE_GROUP, half_points=5, white_half_points=8, black_half_points=3),
        floated(2, 3, 4, because=DecisionCause.NO_OPPONENT),
        floated(1, 8, 6, because=DecisionCause.ODD_GROUP),
        floated(2, 4, 5, because=DecisionCause.BLOCKED_MEDIAN),
        floated(1, 6, 5, because=DecisionCause.NO_OPPONENT),
        make_reason("x", ReasonKind.OPPONENT, 1, 2, place=1),
        colours(ColourCause.BOTH_DUE, 1, "b", "w"),
    )
    assert summary_text(reasons, NAMES).startswith(
        "Anna (4 points) and Ben (1½ points) were both moved to the score group on 2½ points. "
        "Anna moved down, because the group had an odd number of players. "
        "Anna then moved on from the group on 3 points, because there was no eligible opponent there. "
        "Ben moved up, because there was no eligible opponent in their group. "
        "Ben then moved on from the group on 2 points, because the median group could not be paired otherwise. "
        "Ben was first"
    )
    assert summary_text(reasons, NAMES, you=2).startswith(
        "You (1½ points) and Anna (4 points) were both moved to the score group on 2½ points. "
        "You moved up, because your score group had no eligible opponent for you. "
        "You then moved on from the group on 2 points, because the median group could not be paired otherwise. "
        "Anna moved down, because the group had an odd number of players. "
        "Anna then moved on from the group on 3 points, because there was no eligible opponent there. "
        "You were first"
    )


def test_a_float_up_by_dubovs_rules():
    # 7.1: Anna and Ben have met, so each needs an opponent from below. 3.5: equal averages, White to the lower rating.
    made = paired(ALL_MET.format(system="dubov-1997"))
    assert board(made, 3, you=3) == (
        "You (½ point) moved up to play Ben (1½ points), because Ben had no eligible opponent in the "
        "higher group. You were first on Ben's list of possible opponents. "
        "You have White, because neither had the better claim to a colour, and you have the lower rating (1800 against "
        "1900)."
    )
    assert board(made, 4, you=4).split(". ")[1:4] == [
        "Ben was first on your list, but you met in round 1",
        "Cleo was next, but you met in round 2",
        "Anna was number 3",
    ]


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_the_bye_of_round_1_goes_to_the_lowest(system: str):
    made = paired(f"{system} rounds=5\n1 2000\n2 1900\n3 1800\n4 1700\n5 1600")
    assert bye(made) == "Eva has the bye, because the number of players is odd and nobody is ranked lower."
    assert bye(made, you=5) == "You have the bye, because the number of players is odd and nobody is ranked lower."


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_the_bye_passes_those_who_have_had_it(system: str):
    # Three are on 1 point. Eva, the lowest, has had the bye.
    order = "ahead of you in the order" if system == "dubov-1997" else "ranked lower"
    said = bye(paired(WITH_BYE.format(system=system)), you=4)
    assert said == f"You have the bye, because everyone {order} has already had a bye or a forfeit win."


def test_dubovs_bye_goes_to_the_lowest_rating():
    # Article 4: of the two on no points, Ben has the lower rating, though also the smaller number.
    made = paired("dubov-1997 rounds=5\n1 1500 2b1\n2 1400 1w0\n3 1800 4w0\n4 1700 3b1\n5 1600 U")
    assert bye(made) == (
        "Ben has the bye, because the number of players is odd. Nobody in the lowest score group has a lower rating."
    )


def test_a_round_robin():
    made = paired("round-robin rounds=5\n1 2000\n2 1900\n3 1800\n4 1700\n5 1600")
    # Row 1 of the table for six: 1-6, 2-5, 3-4.
    assert board(made, 2) == "Everyone plays everyone. This round Ben plays Eva. The table gives White to Ben."
    assert board(made, 2, you=5) == ("Everyone plays everyone. This round you play Ben. The table gives you Black.")
    assert bye(made, you=1) == "You sit out this round, because the number of players is odd."


# -- Reasons one by one --------------------------------------------------------------------------------------------


def of_board(colour: PairingReason, *more: PairingReason, **group: object) -> tuple[PairingReason, ...]:
    """The reasons for Anna and Ben on 1½ points, with these colours."""
    facts = {"half_points": 3, "white_half_points": 3, "black_half_points": 3} | group
    return (
        make_reason("x", ReasonKind.SCORE_GROUP, **facts),
        make_reason("x", ReasonKind.OPPONENT, 1, 2, place=1 + len(more)),
        *more,
        colour,
    )


def colours(because: ColourCause, claim: int, white: str, black: str, **facts: object) -> PairingReason:
    return make_reason(
        "x", ReasonKind.COLOUR, 1, 2, because=because, claim=claim, white_colours=white, black_colours=black, **facts
    )


@pytest.mark.parametrize(
    ("colour", "expected", "to_anna", "to_ben"),
    [
        (
            colours(ColourCause.BOTH_DUE, 1, "wbb", "bww"),
            "Anna has White against Ben, because Anna had Black in the last 2 games, and Ben had White in the last "
            "2 games.",
            "You have White, because you had Black in your last 2 games.",
            "You have Black, because you had White in your last 2 games.",
        ),
        (
            colours(ColourCause.ONLY_ONE_DUE, 2, "", "w"),
            "Anna has White against Ben, because Ben had White in their last game.",
            "You have White, because Ben had White in their last game.",
            "You have Black, because you had White in your last game.",
        ),
        (
            colours(ColourCause.ABSOLUTE, 2, "wbwbw", "wbwww", both_due="b"),
            "Anna has White against Ben, because both were due Black, and Ben had White in the last 2 games.",
            "You have White, because you were both due Black, and Ben had White in the last 2 games.",
            "You have Black, because you were both due Black, and you had White in your last 2 games.",
        ),
        (
            colours(ColourCause.STRONGER, 1, "bwb", "wb", both_due="w"),
            "Anna has White against Ben, because both were due White, and Anna has had Black more often (White 1, "
            "Black 2).",
            "You have White, because you were both due White, and you have had Black more often (White 1, Black 2).",
            "You have Black, because you were both due White, and Anna has had Black more often (White 1, Black 2).",
        ),
        (
            # Anna had Black in her only game, Ben in his last one: only the strength of their preferences differs.
            colours(ColourCause.STRONGER, 1, "b", "wb", both_due="w"),
            "Anna has White against Ben, because both were due White, and Anna had the stronger claim.",
            "You have White, because you were both due White, and your claim was stronger.",
            "You have Black, because you were both due White, and Anna had the stronger claim.",
        ),
        (
            colours(ColourCause.HISTORY, 2, "bwb", "wbb", both_due="w", games_back=2),
            "Anna has White against Ben, because both were due the same colour, and when their colours last "
            "differed, Anna had Black.",
            "You have White, because you were both due the same colour, and when your colours last differed, you had "
            "Black.",
            "You have Black, because you were both due the same colour, and when your colours last differed, you had "
            "White.",
        ),
        (
            colours(ColourCause.LOWER_PLAYER, 2, "w", "w", both_due="b"),
            "Anna has White against Ben, because both were due Black, and Ben is ranked lower, which gives "
            "priority below the median.",
            "You have White, because you were both due Black, and Ben is ranked lower, which gives "
            "priority below the median.",
            "You have Black, because you were both due Black, and you are ranked lower, which gives "
            "you priority below the median.",
        ),
        (
            colours(ColourCause.LOWER_PLAYER, 2, "w", "w", both_due="b", numbers=(2, 1)),
            "Anna has White against Ben, because both were due Black, and Ben has the higher number (2 against 1), "
            "which gives priority below the median.",
            "You have White, because you were both due Black, and Ben has the higher number (2 against 1), which "
            "gives priority below the median.",
            "You have Black, because you were both due Black, and you have the higher number (2 against 1), which "
            "gives you priority below the median.",
        ),
    ],
)
def test_the_cause_of_the_colours(colour: PairingReason, expected: str, to_anna: str, to_ben: str):
    reasons = of_board(colour)
    told = summarise_reasons(reasons)
    assert told is not None
    assert summary_sentences(told, NAMES)[-1] == expected
    assert summary_sentences(told, NAMES, you=1)[-1] == to_anna
    assert summary_sentences(told, NAMES, you=2)[-1] == to_ben


def test_several_candidates_before_the_opponent():
    passed = [
        make_reason("x", ReasonKind.PASSED_OVER, 1, 3, because=DecisionCause.MET, round=2),
        make_reason("x", ReasonKind.PASSED_OVER, 1, 4, because=DecisionCause.SAME_DUE_COLOUR, colour="w"),
        make_reason("x", ReasonKind.PASSED_OVER, 1, 5, because=DecisionCause.FORBIDDEN),
    ]
    reasons = of_board(colours(ColourCause.BOTH_DUE, 1, "b", "w"), *passed)
    assert summary_text(reasons, NAMES, you=1).split(". ")[1:4] == [
        "Cleo was first on your list, but you met in round 2",
        "Dan was next, but you were both due the same colour",
        "Ben was number 4",
    ]


def test_points_of_the_acceleration_are_named():
    reasons = of_board(colours(ColourCause.NUMBER_PARITY, 1, "", ""), extra=True)
    assert summary_text(reasons, NAMES).startswith(
        "Anna and Ben both had 1½ points including extra points and had not met."
    )


def test_an_arbiters_pairing_says_no_more():
    manual = make_reason("x", ReasonKind.MANUAL, 1, 2, by="", instead_white=None, instead_black=None)
    assert summary_text([manual], NAMES, you=1) == "The arbiter set this pairing and its colours."
    alone = make_reason("x", ReasonKind.MANUAL, 1, by="", instead_white=None)
    assert summary_text([alone], NAMES) == "The arbiter gave Anna the bye."
    assert summary_text([alone], NAMES, you=1) == "The arbiter gave you the bye."


def test_players_who_meet_again_are_not_said_to_be_new_to_each_other():
    allowed = make_reason("x", ReasonKind.EXCEPTION, 1, 2, because=DecisionCause.MET, round=1)
    for reasons in ([allowed], of_board(colours(ColourCause.BOTH_DUE, 1, "b", "w"), allowed)):
        said = summary_text(reasons, NAMES)
        assert said.startswith("No legal pairings existed for this round.")
        assert "had not met" not in said


def test_rounds_stored_without_the_new_facts_are_summed_up_too():
    old = (
        make_reason("x", ReasonKind.SCORE_GROUP, half_points=3),
        make_reason(
            "x", ReasonKind.FLOATED, 1, from_half_points=4, to_half_points=3, direction="down", because="odd_group"
        ),
        make_reason("x", ReasonKind.OPPONENT, 1, 2, place=1),
        make_reason("x", ReasonKind.COLOUR, 1, 2, because=ColourCause.BOTH_DUE, claim=1),
    )
    assert summary_text(old, NAMES, you=2) == (
        "Anna (2 points) moved down to play you (1½ points), because the group had an odd number of players. "
        "You were first on Anna's list of possible opponents. "
        "You have Black, because each got the colour they were due."
    )
    assert summary_text([make_reason("x", ReasonKind.ORDER, 1, 2)], NAMES) == ""


# -- Random events -------------------------------------------------------------------------------------------------

UNFILLED = re.compile(r"%\(|None|\bnull\b|\(\)|  ")


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_every_board_says_how_the_opponent_was_chosen_and_why_the_colours(system: str):
    meetings: set[Meeting] = set()

    def pair(snapshot: TournamentSnapshot) -> Pairing:
        try:
            made = PAIRING_SYSTEMS[snapshot.system](snapshot)
        except PairingImpossible as refusal:
            raise NoLegalRound from refusal
        names = {card.tpn: f"Player {card.tpn}" for card in snapshot.cards}
        for game in made.games:
            told = summarise_reasons(game.reasons)
            assert isinstance(told, BoardSummary)
            assert told.colours
            assert len(told.ruled_out) == told.place - 1
            meetings.add(told.meeting)
            for you in (None, game.white, game.black):
                score, *moves, choice, colour = summary_sentences(told, names, you=you)
                assert " point" in score
                steps = [move for move in moves if " then moved on from the group on " in move]
                assert len(steps) == len(told.later_floats)
                firsts = [move for move in moves if re.match(r"\S+( \d+)? moved (up|down), because ", move)]
                assert len(firsts) == (2 if told.meeting is Meeting.BOTH_MOVED else 0)
                assert len(moves) == len(steps) + len(firsts)
                assert " list" in choice
                assert (
                    " has White against " in colour
                    if you is None
                    else colour.startswith(
                        "You have White, because " if you == game.white else "You have Black, because "
                    )
                )
                assert not UNFILLED.search(f"{score} {choice} {colour}")
                assert (you is None) is (" you" not in f"{score} {choice} {colour}".lower())
        if made.bye:
            told_of_bye = summarise_reasons(made.bye.reasons)
            assert isinstance(told_of_bye, ByeSummary)
            first, *more = summary_sentences(told_of_bye, names, you=made.bye.player)
            assert first.startswith("You have the bye")
            assert len(more) <= 2
        return tuple((game.white, game.black) for game in made.games), made.bye.player if made.bye else None

    for seed in range(50):
        for _ in play(system, seed, pair):
            pass
    assert meetings >= {Meeting.SAME_SCORE, Meeting.MOVED_DOWN}


@pytest.mark.parametrize("language", ["bg", "cs", "de", "es", "fr", "it", "pl", "uk"])
def test_every_language_keeps_names_and_points(language: str):
    made = paired(ALL_MET.format(system="dutch-2026"))
    with translation.override(language):
        for you in (None, 1, 4):
            said = board(made, 1, you=you)
            assert "1½" in said
            assert "Cleo" in said
            assert not UNFILLED.search(said)
            assert ("Dan" in said) or you == 4
