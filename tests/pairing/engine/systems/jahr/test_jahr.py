"""Jahr's method (Szachy 3/1981): the document's own figures, then what it does not say."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairing.engine.paired_round import PairedRound, ReasonKind
from pairing.engine.rules.players import PlayerOrder
from pairing.engine.snapshot import (
    ABSENT_RECORD,
    Colour,
    PairingCard,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
)
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.systems.jahr import (
    JahrRound,
    JahrValues,
    jahr_order,
    jahr_values,
    pair_next_round,
    to_decimal_points,
)
from pairing.engine.systems.jahr.point_totals import jahr_rank, rounded_tenth

WHITE, BLACK = Colour.WHITE, Colour.BLACK
BYE = RoundRecord(result=Result.PAIRING_ALLOCATED_BYE)


def won(opponent: int, colour: Colour = WHITE) -> RoundRecord:
    return RoundRecord(result=Result.WIN, opponent=opponent, colour=colour)


def lost(opponent: int, colour: Colour = BLACK) -> RoundRecord:
    return RoundRecord(result=Result.LOSS, opponent=opponent, colour=colour)


def drew(opponent: int, colour: Colour) -> RoundRecord:
    return RoundRecord(result=Result.DRAW, opponent=opponent, colour=colour)


def event(*records: tuple[RoundRecord, ...]) -> TournamentSnapshot:
    """Players 1, 2, ... with these rounds."""
    taken = TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn, records=rounds) for tpn, rounds in enumerate(records, start=1)),
        rounds_paired=len(records[0]),
        system="jahr",
        points=PointSystem(pairing_allocated_bye=1),
    )
    taken.check_consistency()
    return taken


def shown(values: JahrValues) -> tuple[str, ...]:
    """G, A, T and E as a card shows them."""
    game = Decimal(values.game_points) / 2
    return str(game), *(
        str(to_decimal_points(value)) for value in (values.auxiliary_points, values.total_points, values.exact_value)
    )


# -- The document's numbers ----------------------------------------------------------------------------------------


def test_article_4_the_documents_examples():
    assert to_decimal_points(rounded_tenth(155)) == Decimal("0.16")
    assert to_decimal_points(rounded_tenth(145)) == Decimal("0.14")


def test_article_5_the_documents_example():
    """3.55 before the round, 3.62 the opponent's, a loss: 3.55 + 0.36 + 0 = 3.91."""
    assert to_decimal_points(355 + rounded_tenth(362)) == Decimal("3.91")


def test_article_8_the_documents_example():
    """2.83 after seven rounds, then the bye: another 0.50 and 0.28, 3.61."""
    assert to_decimal_points(283 + rounded_tenth(283) + 50) == Decimal("3.61")


@given(st.integers(min_value=0, max_value=100_000))
def test_article_4_rounds_as_decimals_do_half_even(points: int):
    expected = (Decimal(points).scaleb(-2) / 10).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)
    assert to_decimal_points(rounded_tenth(points)) == expected


# -- Rounds, worked out by hand ------------------------------------------------------------------------------------

# Round 1: 1 beats 3, 2 beats 4, 5 has the bye. Round 2: 1 and 2 draw, 5 beats 3, 4 has the bye. Round 3: 5 beats 1,
# 4 beats 2, 3 has the bye.
FIVE = event(
    (won(3), drew(2, BLACK), lost(5)),
    (won(4), drew(1, WHITE), lost(4)),
    (lost(1), lost(5), BYE),
    (lost(2), BYE, won(2)),
    (BYE, won(3), won(1)),
)


def test_values_of_a_small_event():
    values = {tpn: shown(of) for tpn, of in jahr_values(FIVE).items()}
    # After round 1: 1.00 1.00 0.00 0.00 0.50. After round 2: 1.60 1.60 0.05 0.50 1.50.
    assert values == {
        1: ("1.5", "0.25", "1.75", "2.50"),
        2: ("1.5", "0.15", "1.65", "1.50"),
        3: ("0.5", "0.05", "0.55", "0.55"),
        4: ("1.5", "0.16", "1.66", "1.60"),
        5: ("2.5", "0.16", "2.66", "1.60"),
    }


def test_a_round_holds_what_the_start_card_shows():
    """Player 1 meets player 5, who has 1.50, in round 3: a tenth of it is 0.15."""
    third = jahr_values(FIVE)[1].rounds[2]
    assert (third.number, third.record, third.counted_total, third.added_tenth, third.result) == (
        3,
        lost(5),
        150,
        15,
        0,
    )
    assert (third.game_points, third.auxiliary_points, third.total_points) == (3, 25, 175)


def test_article_8_the_bye_counts_a_tenth_of_ones_own_points():
    third = jahr_values(FIVE)[3].rounds[2]
    assert (third.counted_total, third.added_tenth, third.result, third.total_points) == (5, 0, 1, 55)


def test_article_3_results_of_the_same_round_do_not_touch_each_other():
    """Player 2's tenth in round 3 comes from player 4's points before it, though player 4 won that game."""
    assert jahr_values(FIVE)[2].rounds[2].counted_total == 50


def test_article_9_a_forfeit_brings_its_point_and_nothing_else():
    after = event(
        (won(2), RoundRecord(result=Result.FORFEIT_WIN, opponent=3)),
        (lost(1), BYE),
        (BYE, RoundRecord(result=Result.FORFEIT_LOSS, opponent=1)),
    )
    winner, loser = jahr_values(after)[1], jahr_values(after)[3]
    assert shown(winner) == ("2", "0.00", "2.00", "0.00")
    assert shown(loser) == ("0.5", "0.00", "0.50", "0.00")
    assert (winner.rounds[1].counted_total, winner.rounds[1].added_tenth) == (None, None)


@pytest.mark.parametrize(
    ("result", "points"),
    [(Result.FULL_POINT_BYE, "1"), (Result.HALF_POINT_BYE, "0.5"), (Result.ZERO_POINT_BYE, "0")],
)
def test_a_bye_asked_for_brings_its_points_and_no_auxiliary_points(result: Result, points: str):
    after = event((won(2), RoundRecord(result=result)), (lost(1), won(3)), (BYE, lost(2)))
    game = 1 + Decimal(points)
    assert shown(jahr_values(after)[1]) == (str(game), "0.00", f"{game:.2f}", "0.00")


def test_an_absence_changes_nothing():
    after = event((won(2), ABSENT_RECORD), (lost(1), won(3)), (BYE, lost(2)))
    assert shown(jahr_values(after)[1]) == ("1", "0.00", "1.00", "0.00")


def test_unrated_games_count_like_others():
    after = event(
        (won(2), RoundRecord(result=Result.UNRATED_WIN, opponent=2, colour=BLACK)),
        (lost(1), RoundRecord(result=Result.UNRATED_LOSS, opponent=1, colour=WHITE)),
    )
    assert shown(jahr_values(after)[2]) == ("0", "0.10", "0.10", "1.00")


def test_before_round_1_all_values_are_nought():
    assert {shown(of) for of in jahr_values(event((), (), ())).values()} == {("0", "0.00", "0.00", "0.00")}


def test_a_corrected_result_corrects_everything_after_it():
    """Player 3 did beat player 1 in round 1: what player 5 got for beating player 1 in round 2 changes too."""
    cards = {card.tpn: card for card in FIVE.cards}
    cards[1] = replace(cards[1], records=(lost(3, WHITE), *cards[1].records[1:]))
    cards[3] = replace(cards[3], records=(won(1, BLACK), *cards[3].records[1:]))
    corrected = jahr_values(replace(FIVE, cards=tuple(cards.values())))
    assert corrected[5].rounds[1].counted_total == 100
    assert [to_decimal_points(row.total_points) for row in corrected[5].rounds] == [
        Decimal("0.50"),
        Decimal("1.60"),
        Decimal("2.66"),
    ]
    assert corrected[1].rounds[1].total_points == 60


def test_the_order_of_the_cards_does_not_matter():
    assert jahr_values(replace(FIVE, cards=FIVE.cards[::-1])) == jahr_values(FIVE)


# -- The order -----------------------------------------------------------------------------------------------------


def places(snapshot: TournamentSnapshot) -> list[int]:
    order = jahr_order(snapshot).positions
    return sorted(order, key=lambda tpn: order[tpn])


def test_article_6_game_points_then_total_points():
    """1, 4 and 2 have one and a half each: 1.75, 1.66, 1.65."""
    assert places(FIVE) == [5, 1, 4, 2, 3]


def stands(tpn: int, *, game_points: int, total: int, exact: int) -> JahrValues:
    last = JahrRound(
        number=1,
        record=ABSENT_RECORD,
        counted_total=None,
        added_tenth=None,
        result=0,
        game_points=game_points,
        total_points=total,
        exact_value=exact,
        exact_counted=0,
    )
    return JahrValues(tpn=tpn, rounds=(last,))


def test_article_6_what_decides_in_turn():
    """Each is ahead of the next in only one value, and behind in all later ones."""
    ranking = [
        stands(9, game_points=5, total=250, exact=0),
        stands(8, game_points=4, total=231, exact=100),
        stands(7, game_points=4, total=230, exact=304),
        stands(3, game_points=4, total=230, exact=300),
        stands(4, game_points=4, total=230, exact=300),
    ]
    assert sorted((*ranking[2:], *ranking[:2]), key=jahr_rank) == ranking


def test_before_round_1_the_numbers_are_the_order():
    assert places(event((), (), ())) == [1, 2, 3]


def test_equal_players_stand_by_their_numbers():
    after = event((drew(2, WHITE),), (drew(1, BLACK),), (drew(4, WHITE),), (drew(3, BLACK),))
    assert places(after) == [1, 2, 3, 4]


# -- The procedure below it ----------------------------------------------------------------------------------------


def test_article_7_the_procedure_is_given_the_order_and_half_a_point_for_the_bye():
    asked: list[tuple[TournamentSnapshot, PlayerOrder]] = []

    def procedure(snapshot: TournamentSnapshot, order: PlayerOrder) -> PairedRound:
        asked.append((snapshot, order))
        return PairedRound(system=order.system, round_number=snapshot.round_number, games=())

    paired = pair_next_round(replace(FIVE, points=PointSystem(pairing_allocated_bye=2)), procedure=procedure)
    ((snapshot, order),) = asked
    assert paired.system == "jahr"
    assert snapshot.points.pairing_allocated_bye == 1
    assert order == jahr_order(FIVE)


def test_the_first_round_is_that_of_the_procedure():
    start = event(*[()] * 6)
    assert (
        PAIRING_SYSTEMS["jahr"](start).games == PAIRING_SYSTEMS["fide-1989"](replace(start, system="fide-1989")).games
    )


def test_the_bye_goes_to_the_last_of_jahrs_order():
    """After round 1: 4 won and 3 won, 1 and 2 lost to them, 5 rested. The lowest group is 1 and 2, both on nought;
    2 is the larger number of the two."""
    after = event((lost(3),), (lost(4),), (won(1),), (won(2),), (BYE,))
    bye = PAIRING_SYSTEMS["jahr"](after).bye
    assert bye is not None
    assert bye.player == 2
    assert [why.kind for why in bye.reasons] == [ReasonKind.BYE, ReasonKind.ORDER, ReasonKind.BYE_POINTS]


def test_an_unknown_procedure_is_refused():
    with pytest.raises(ValueError, match="cannot pair by Jahr's order"):
        PAIRING_SYSTEMS["jahr"](replace(FIVE, procedure="berger"))
