"""Every reason has a sentence with the names in it."""

from __future__ import annotations

import pytest

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.explanations.named_reasons import explain_reasons
from pairing.explanations.reason_sentences import points_text, reason_sentence

NAMES = {1: "Adam", 2: "Beata", 3: "Cyryl", 4: "Dana", 5: "Edek", 6: "Fela"}
COLOUR = ReasonKind.COLOUR

KEIZER_FACTS: dict[str, ReasonFact] = {
    "round": 3,
    "again": 7,
    "count": 2,
    "byes": 1,
    "white_colours": "wb",
    "black_colours": "bw",
    "ranks": (1, 2, 3),
    "values": (5, 4, 3),
    "between": "c",
}
"""What the reasons of a Keizer season always say."""


def said(one: PairingReason) -> str:
    return reason_sentence(one, NAMES)


def averages(one: tuple[int, int], chosen: tuple[int, int]) -> dict[str, int]:
    (above, below), (above_chosen, below_chosen) = one, chosen
    return {
        "average_numerator": above,
        "average_denominator": below,
        "chosen_average_numerator": above_chosen,
        "chosen_average_denominator": below_chosen,
    }


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (
            make_reason("x", ReasonKind.SCORE_GROUP, half_points=7, side="above"),
            "Paired in the score group on 3½ points, above the median.",
        ),
        (
            make_reason("x", ReasonKind.SCORE_GROUP, half_points=4, side="median"),
            "Paired in the median score group (2 points).",
        ),
        (
            make_reason("x", ReasonKind.SCORE_GROUP, half_points=0, side="whole"),
            "All players were paired as one group.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.FLOATED,
                1,
                from_half_points=4,
                to_half_points=3,
                direction="down",
                because=DecisionCause.ODD_GROUP,
            ),
            "Adam floated down from 2 to 1½ points, because the group had an odd number of players.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.FLOATED,
                1,
                from_half_points=1,
                to_half_points=2,
                direction="up",
                because=DecisionCause.BLOCKED_MEDIAN,
            ),
            "Adam floated up from ½ to 1 point, because the median group could not be paired otherwise.",
        ),
        (
            make_reason("x", ReasonKind.STAYED, 1, 2, because=DecisionCause.FLOATED_BEFORE, round=4),
            "Adam stayed and Beata floated instead, because the float in round 4 was too recent.",
        ),
        (
            make_reason("x", ReasonKind.STAYED, 1, 2, because=DecisionCause.FLOATED_BEFORE, round=4, direction="down"),
            "Adam stayed and Beata floated instead, because Adam floated down too recently, in round 4.",
        ),
        (
            make_reason(
                "x", ReasonKind.PASSED_OVER, 1, 2, because=DecisionCause.FLOATED_BEFORE, round=4, direction="up"
            ),
            "Beata came earlier on Adam's list of candidates, but they had floated up too recently, in round 4.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.PASSED_OVER,
                1,
                2,
                because=DecisionCause.FLOATED_BEFORE,
                round=4,
                direction="up",
                floater=1,
            ),
            "Beata came earlier on Adam's list of candidates, but Adam floated up too recently, in round 4.",
        ),
        (
            make_reason("x", ReasonKind.OPPONENT, 1, 2, step="scrutiny", place=1),
            "Beata was Adam's first eligible opponent.",
        ),
        (
            make_reason("x", ReasonKind.OPPONENT, 1, 2, step="scrutiny", place=3),
            "Beata was number 3 on Adam's list of candidates.",
        ),
        (
            make_reason("x", ReasonKind.OPPONENT, 1, 2, step="moved down", place=1),
            "Beata was Adam's first eligible opponent. Adam comes from a higher group, so this pair was made first.",
        ),
        (
            make_reason("x", ReasonKind.OPPONENT, 1, 2, step="scrutiny", place=3, order="up"),
            "Beata was number 3 on Adam's list of candidates. The players not yet paired are split into halves. "
            "Opponents are tried from the bottom of the upper half, then from the top of the lower half.",
        ),
        (
            make_reason("fide-1989 art. 9.4", ReasonKind.OPPONENT, 1, 2, step="scrutiny", place=1, order="up"),
            "Beata was Adam's first eligible opponent. The lower half meets the upper half, starting from the bottom.",
        ),
        (
            make_reason("fide-1989 art. 9.4", ReasonKind.OPPONENT, 1, 2, step="scrutiny", place=1, order="down"),
            "Beata was Adam's first eligible opponent. The upper half meets the lower half, starting from the top.",
        ),
        (
            make_reason("x", ReasonKind.OPPONENT, 1, 2, step="correction", place=2),
            "Beata was number 2 on Adam's list of candidates. Opponents are tried in order, first in the "
            "Black column and then in the White column.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.COLUMNS,
                1,
                2,
                whites=1,
                first=1,
                of=1,
                ratings=(1500, 1600),
                average_numerators=(1700, 5101),
                average_denominators=(1, 3),
            ),
            "White column: lowest average rating of opponents first. Black column: highest rating first. "
            "White: Adam (rating 1500, opponents' average 1700). Black: Beata (rating 1600, "
            "opponents' average 1700.3).",
        ),
        (
            make_reason(
                "x",
                ReasonKind.FLOATED,
                1,
                from_half_points=4,
                to_half_points=3,
                direction="down",
                because=DecisionCause.NO_OPPONENT,
                whose=1,
                met=(2, 3),
                met_rounds=(1, 3),
            ),
            "Adam floated down from 2 to 1½ points, because there was no eligible opponent in their group. "
            "Adam has already played Beata (round 1) and Cyryl (round 3).",
        ),
        (
            make_reason(
                "x",
                ReasonKind.PASSED_OVER,
                1,
                2,
                because=DecisionCause.BLOCKS_GROUP,
                left_over=(3,),
                to_float=1,
                instead=(1,),
                over_because=DecisionCause.FLOATED_BEFORE,
                over_round=2,
                over_direction="down",
            ),
            "Beata came earlier on Adam's list of candidates, but the other players could not all have been "
            "paired within the rules. Then Cyryl would have been left over, but Cyryl floated down too recently, in "
            "round 2.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.PASSED_OVER,
                1,
                2,
                because=DecisionCause.BLOCKS_GROUP,
                blocked=(3, 1),
                only=(2,),
                each_other=False,
            ),
            "Beata came earlier on Adam's list of candidates, but the other players could not all have been "
            "paired within the rules. Cyryl and Adam could only have played Beata.",
        ),
        (
            make_reason("x", ReasonKind.PASSED_OVER, 1, 2, because=DecisionCause.MET, round=2),
            "Beata came earlier on Adam's list of candidates, but they met in round 2.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.PASSED_OVER,
                1,
                2,
                because=DecisionCause.BLOCKS_GROUP,
                left=(2, 3),
                left_because=DecisionCause.MET,
                left_round=2,
            ),
            "Beata came earlier on Adam's list of candidates, but then only Beata and Cyryl would have been left, "
            "and they met in round 2.",
        ),
        (
            make_reason("x", ReasonKind.PASSED_OVER, 1, 2, because=DecisionCause.WORSE_BY_CRITERION, criterion="C12"),
            "Beata came earlier on Adam's list of candidates, but fewer players would have got the "
            "colour they were due.",
        ),
        (
            make_reason("x", ReasonKind.PASSED_OVER, 1, 2, because=DecisionCause.WORSE_BY_CRITERION, criterion="C18"),
            "Beata came earlier on Adam's list of candidates, but the pairing would have been worse under criterion "
            "C18.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.PASSED_OVER,
                1,
                2,
                because=DecisionCause.RATING_GAP,
                gap=120,
                far=(2, 3),
                far_ratings=(2000, 1880),
            ),
            "Beata came earlier on Adam's list of candidates, but Beata's rating (2000) is more than 100 points from "
            "the rating of Adam's first possible opponent, Cyryl (1880).",
        ),
        (
            make_reason("x", ReasonKind.EXCHANGED, 1, 2, 3, because=DecisionCause.SAME_DUE_COLOUR),
            "Adam was first paired with Cyryl, but they were both due the same colour. Adam plays Beata instead.",
        ),
        (
            make_reason("x", ReasonKind.MOVED_TO_HALF, 1, 2, 3, half="S2", half_points=4),
            "Adam moved to the lower half (S2) of the group on 2 points, in exchange for Beata and Cyryl.",
        ),
        (
            make_reason("x", ReasonKind.EXCHANGE_TRIED, 1, 2, leaving=1, because=DecisionCause.MORE_FLOATS),
            "Exchanging Adam for Beata came earlier in the order, but somebody would have floated again too soon.",
        ),
        (
            make_reason("x", ReasonKind.EXCHANGES_TRIED, count=1, at_least=False),
            "1 other exchange came earlier in the order, but did not work either.",
        ),
        (
            make_reason("x", ReasonKind.LACK_OPPONENTS, 1, 2, count=1, of=4, bye=True, half_points=4),
            "The lower groups are 1 player short. Still without an opponent: Adam, Beata and 2 more. Somebody must "
            "also have the bye.",
        ),
        (
            make_reason(
                "x", ReasonKind.ORDER, 2, 1, half_points=3, places=(1, 2), totals=(110, 100), exacts=(0, 5), decimals=2
            ),
            "Players on 1½ points, ordered by total points, then by the sum of opponents' totals (in brackets): "
            "1. Beata 1.10 (0.00); 2. Adam 1.00 (0.05).",
        ),
        (
            make_reason("x", ReasonKind.RANKED, 2, 1, by="total", higher=110, lower=100),
            "Beata ranks above Adam. Total points: 1.10 against 1.00.",
        ),
        (
            make_reason("x", ReasonKind.RANKED, 2, 1, by="exact", higher=11050, lower=11040, decimals=4),
            "Beata ranks above Adam. Total points are equal, but the sum of opponents' totals is 1.105 against 1.104.",
        ),
        (
            make_reason(
                "x", ReasonKind.STAYED, 1, 2, because=DecisionCause.LOWER_RATING, rating=1900, chosen_rating=1950
            ),
            "Adam stayed and Beata floated instead, because Adam has the lower rating (1900 against 1950).",
        ),
        (
            make_reason(
                "x", ReasonKind.STAYED, 1, 2, because=DecisionCause.HIGHER_AVERAGE, **averages((7033, 3), (2344, 1))
            ),
            "Adam stayed and Beata floated instead, because Adam's opponents have the higher average rating (2344.3 "
            "against 2344).",
        ),
        (
            # Both are 2344.3 with one decimal.
            make_reason(
                "x", ReasonKind.STAYED, 1, 2, because=DecisionCause.HIGHER_AVERAGE, **averages((7033, 3), (37509, 16))
            ),
            "Adam stayed and Beata floated instead, because Adam's opponents have the higher average rating (2344 1/3 "
            "against 2344 5/16).",
        ),
        (
            make_reason("x", ReasonKind.STAYED, 1, 2, because=DecisionCause.LOWER_NUMBER),
            "Adam stayed and Beata floated instead, because Beata comes first in the order of players.",
        ),
        (
            make_reason("x", ReasonKind.STAYED, 1, 2, because=DecisionCause.DISADVANTAGE),
            "Adam stayed and Beata floated instead, because floating Adam would have been a greater disadvantage.",
        ),
        (
            make_reason("x", ReasonKind.STAYED, 1, 2, because=DecisionCause.FARTHER_GROUP),
            "Adam stayed and Beata floated instead, because Beata is from a closer group.",
        ),
        (
            make_reason("x", ReasonKind.COLUMN, 1, colour="b", because=DecisionCause.COLOUR_BALANCE),
            "Adam was put in the Black column, because this leaves the colours in the group better balanced. "
            "This only decides the opponents. The colours of the pair are decided afterwards.",
        ),
        (
            make_reason("x", ReasonKind.BYE, 3, half_points=0, reading="fide-1989:8.2=next-round"),
            "Cyryl (0 points) has the bye because they were the first eligible player. Rule interpretation "
            "used for article 8.2: no bye in the round right after a win by forfeit.",
        ),
        (
            make_reason("x", COLOUR, 1, 2, because=ColourCause.ABSOLUTE, claim=2),
            "Adam has White against Beata, because Beata must get Black.",
        ),
        (
            make_reason("x", ReasonKind.BYE, 3, half_points=0),
            "Cyryl (0 points) has the bye because they were the first eligible player.",
        ),
        (
            make_reason("x", ReasonKind.BYE_PASSED_OVER, 3, because=DecisionCause.HAD_BYE, round=1),
            "Cyryl came earlier in the order for the bye, but they already had the bye in round 1.",
        ),
        (
            make_reason("x", ReasonKind.BYE_PASSED_OVER, 3, because=DecisionCause.HAD_FORFEIT_WIN, round=2),
            "Cyryl came earlier in the order for the bye, but they had already won by forfeit in round 2.",
        ),
        (
            make_reason("x", ReasonKind.BYE_PASSED_OVER, 3, because=DecisionCause.HAD_POINT_WITHOUT_PLAY, round=4),
            "Cyryl came earlier in the order for the bye, but they had already got a point without playing in round 4.",
        ),
        (
            # Nobody is named before.
            make_reason("x", ReasonKind.EXCEPTION, 3, because=DecisionCause.HAD_POINT_WITHOUT_PLAY, round=4),
            "No legal pairings existed for this round. The arbiter decided on this one, although the player got a "
            "point without playing in round 4, which rules out the bye.",
        ),
        (
            make_reason("x", ReasonKind.COMPLETION, 1, 2),
            "Adam and Beata had to move so that all others could be paired within the rules.",
        ),
    ],
)
def test_sentences(one: PairingReason, expected: str):
    assert said(one) == expected


def again(kind: ReasonKind, *players: int, floated: tuple[int, ...] = (), **facts: ReasonFact) -> PairingReason:
    """A choice that would have made one of the players who `floated` down in round 3 float again."""
    if floated:
        rounds = (3,) * len(floated)
        facts = {"again": floated, "again_rounds": rounds, "again_direction": "down", **facts}
    return make_reason("x", kind, *players, because=DecisionCause.WORSE_BY_CRITERION, criterion="C14", **facts)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (
            again(ReasonKind.PASSED_OVER, 1, 2, floated=(3,)),
            "Beata came earlier on Adam's list of candidates, but Cyryl would then have floated again too soon. "
            "Floated down before: Cyryl (round 3).",
        ),
        (
            # Adam and Beata would have played each other.
            again(ReasonKind.PASSED_OVER, 1, 2, floated=(1, 3, 4)),
            "Beata came earlier on Adam's list of candidates, but Cyryl or Dana would then have floated again too "
            "soon. Floated down before: Adam (round 3), Cyryl (round 3) and Dana (round 3).",
        ),
        (
            again(ReasonKind.PASSED_OVER, 1, 2, floated=(3, 4, 5, 6), again_rounds=(1, 2, 3, 4)),
            "Beata came earlier on Adam's list of candidates, but somebody else would then have floated again too "
            "soon. Floated down before: Cyryl (round 1), Dana (round 2), Edek (round 3) and Fela (round 4).",
        ),
        (
            again(ReasonKind.STAYED, 1, 2, floated=(3,)),
            "Adam stayed and Beata floated instead. With Adam floating, Cyryl would have floated again too soon. "
            "Floated down before: Cyryl (round 3).",
        ),
        (
            again(ReasonKind.EXCHANGE_TRIED, leaving=0, floated=(3, 3), again_rounds=(3, 2)),
            "An exchange between the halves was needed. Without one, Cyryl would have floated again too soon. "
            "Floated down before: Cyryl (rounds 2 and 3).",
        ),
        (
            again(ReasonKind.STAYED, 1, 2),
            "Adam stayed and Beata floated instead. With Adam floating, somebody else would have floated again too "
            "soon.",
        ),
    ],
)
def test_who_would_have_floated_again(one: PairingReason, expected: str):
    assert said(one) == expected


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (
            # Dubov, 7.2: the test is against the group that needs a player.
            make_reason(
                "dubov-1997 art. 7.2",
                ReasonKind.STAYED,
                1,
                2,
                because=DecisionCause.NO_OPPONENT,
                whose=1,
                met=(3,),
                met_rounds=(2,),
            ),
            "Adam stayed and Beata floated instead, because Adam had no eligible opponent in the higher group. "
            "Adam has already played Cyryl (round 2).",
        ),
        (
            make_reason(
                "x",
                ReasonKind.STAYED,
                1,
                2,
                because=DecisionCause.LOWER_RATING,
                rating=1900,
                chosen_rating=1950,
                floated_later=True,
            ),
            "Beata floated before Adam, because Adam has the lower rating (1900 against 1950).",
        ),
        (
            make_reason("x", ReasonKind.STAYED, 1, 2, because=DecisionCause.BLOCKS_REST, floated_later=True),
            "Beata floated before Adam. With Adam floating first, the other players could not all have been paired "
            "within the rules.",
        ),
        (
            make_reason(
                "x",
                ReasonKind.STAYED,
                1,
                2,
                because=DecisionCause.DISADVANTAGE,
                test="moved_with_opponent",
                came=True,
            ),
            "Adam stayed and Beata floated instead, because Adam had already floated in this round.",
        ),
        (
            make_reason("x", ReasonKind.STAYED, 1, 2, because=DecisionCause.BETTER_CANDIDATE, rule="transposition"),
            "Adam stayed and Beata floated instead. With Adam floating, the lower half would have needed an order "
            "further down the list.",
        ),
    ],
)
def test_who_stayed_and_who_floated_later(one: PairingReason, expected: str):
    assert said(one) == expected


@pytest.mark.parametrize(
    ("due", "of", "colour", "expected"),
    [
        (3, 4, "w", "3 of the 4 players still to be paired there were due White. So at least 1 pair had to have two "
         "players due White."),
        (8, 8, "b", "All 8 players still to be paired there were due Black. So at least 4 of the pairs had to have two "
         "players due Black."),
    ],
)  # fmt: skip
def test_clashes_that_no_pairing_avoids(due: int, of: int, colour: str, expected: str):
    # 8 due Black and nobody due White make 4 such pairs; 3 due White and 1 due Black make 1.
    one = make_reason("x", ReasonKind.OPPONENT, 1, 2, place=1, left_due=due, left_of=of, left_due_colour=colour)
    assert said(one) == f"Beata was Adam's first eligible opponent. {expected}"


def test_only_the_count_that_decided_is_given():
    """Old stored reasons count colour clashes for strong preferences and for Dubov's columns too."""
    clashes = {"clashes": 1, "of": 2}
    strong = make_reason(
        "dutch-2026 C13",
        ReasonKind.PASSED_OVER,
        1,
        2,
        because=DecisionCause.WORSE_BY_CRITERION,
        criterion="C13",
        unmet=0,
        strong_white=(1, 2),
        **clashes,
    )
    assert said(strong) == (
        "Beata came earlier on Adam's list of candidates, but fewer strong colour preferences would have been met. "
        "Strong preferences not met: 0. Otherwise there would have been at least 1. "
        "Strong preference for White: Adam and Beata."
    )
    dubov = ("dubov-1997 art. 6.3", ReasonKind.PASSED_OVER, 1, 2)
    column = "Beata came earlier on Adam's list of candidates, but more pairs would have been made inside a column."
    assert said(make_reason(*dubov, because=DecisionCause.MORE_CLASHES, **clashes)) == column
    assert said(make_reason(*dubov, because=DecisionCause.MORE_CLASHES, in_column=0, of=3)) == (
        f"{column} Pairs inside a column: 0 of 3. Otherwise there would have been at least 1."
    )


@pytest.mark.parametrize(
    ("denominator", "expected"), [(0, "rating 1500, no opponents yet"), (1, "rating 1500, opponents' average 0")]
)
def test_a_player_without_opponents_has_no_average(denominator: int, expected: str):
    """Old stored reasons give 0."""
    columns = make_reason(
        "x",
        ReasonKind.COLUMNS,
        1,
        2,
        whites=1,
        first=1,
        of=1,
        ratings=(1500, 1600),
        average_numerators=(0, 1700),
        average_denominators=(denominator, 1),
    )
    assert said(columns).endswith(f"White: Adam ({expected}). Black: Beata (rating 1600, opponents' average 1700).")


@pytest.mark.parametrize("cause", DecisionCause)
def test_every_cause_has_words(cause: DecisionCause):
    text = said(make_reason("x", ReasonKind.PASSED_OVER, 1, 2, because=cause, **KEIZER_FACTS))
    assert text.startswith("Beata came earlier on Adam's list of candidates, but ")


@pytest.mark.parametrize("cause", ColourCause)
def test_every_colour_cause_has_words(cause: ColourCause):
    text = said(make_reason("x", COLOUR, 1, 2, because=cause, claim=1, games_back=2, **KEIZER_FACTS))
    assert text.startswith("Adam has White against Beata, because ")
    assert "%" not in text


@pytest.mark.parametrize("kind", ReasonKind)
def test_every_kind_has_a_sentence(kind: ReasonKind):
    because = ColourCause.ABSOLUTE if kind is COLOUR else DecisionCause.MET
    assert said(make_reason("x", kind, 1, 2, 3, because=because, claim=1, **KEIZER_FACTS)).endswith(".")


@pytest.mark.parametrize(("half_points", "text"), [(0, "0"), (1, "½"), (2, "1"), (5, "2½")])
def test_points_as_people_write_them(half_points: int, text: str):
    assert points_text(half_points) == text


def test_averages_of_reasons_kept_long_ago_are_told_as_well():
    """They contain the average as text."""
    facts = {"because": ColourCause.HIGHER_AVERAGE, "claim": 1}
    old = said(make_reason("x", COLOUR, 1, 2, average="2344.3", **facts))
    new = said(make_reason("x", COLOUR, 1, 2, average_numerator=7033, average_denominator=3, **facts))
    assert old == new
    assert "(2344.3)" in new


def test_an_order_is_a_heading_and_lines_with_the_players_of_the_board_marked():
    order = make_reason(
        "jahr 7",
        ReasonKind.ORDER,
        2,
        1,
        3,
        half_points=3,
        places=(1, 2, 3),
        totals=(110, 100, 90),
        exacts=(0, 5, 5),
        decimals=2,
    )
    colour = make_reason("fide-1989 12.5", ReasonKind.COLOUR, 1, 3, because=ColourCause.BOTH_DUE, claim=1)
    first, second = explain_reasons([order, colour], NAMES)
    assert (
        first.text
        == "Players on 1½ points, ordered by total points, then by the sum of opponents' totals (in brackets):"
    )
    assert [(line.place, line.name, line.total, line.exact) for line in first.lines] == [
        (1, "Beata", "1.10", "0.00"),
        (2, "Adam", "1.00", "0.05"),
        (3, "Cyryl", "0.90", "0.05"),
    ]
    assert [line.name for line in first.lines if line.tpn in first.marked] == ["Adam", "Cyryl"]
    assert second.lines == ()
