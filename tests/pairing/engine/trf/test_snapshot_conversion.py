"""Conversion of a report file to the event before its next round."""

from __future__ import annotations

from typing import Any

import pytest

from pairing.engine.snapshot import ABSENT_RECORD, Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.trf import TrfError, forbidden_pairs_in_round, read_trf, snapshot_from_trf
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player, report


def snapshot(*lines: str, system: str = "fide-1989", **options: Any) -> TournamentSnapshot:
    taken = snapshot_from_trf(read_trf(report(*lines), name="evening.trf"), system=system, **options)
    taken.check_consistency()
    return taken


def card(taken: TournamentSnapshot, tpn: int) -> PairingCard:
    return next(card for card in taken.cards if card.tpn == tpn)


def refusal(*lines: str) -> TrfError:
    with pytest.raises(TrfError) as refused:
        snapshot(*lines)
    return refused.value


# -- Which round ---------------------------------------------------------------------------------------------------


def test_the_round_after_the_last_pairing_is_paired():
    taken = snapshot(*FOUR_AFTER_TWO_ROUNDS, "XXR 3")
    assert (taken.round_number, taken.rounds_announced, taken.is_last_round) == (3, 3, True)


def test_byes_asked_for_alone_make_no_round():
    taken = snapshot(player(1, "0000 - H"), player(2, "0000 - Z"), player(3))
    assert taken.round_number == 1


@pytest.mark.parametrize("blocks", [("   2 w +", "   1 b -"), ("   2 w -", "   1 b -"), ("0000 - U", "        ")])
def test_forfeits_and_the_allocated_bye_make_a_round(blocks: tuple[str, str]):
    taken = snapshot(player(1, blocks[0]), player(2, blocks[1]), player(3))
    assert taken.round_number == 2
    assert card(taken, 3).records == (ABSENT_RECORD,)


def test_a_forfeit_win_without_an_opponent_makes_no_round():
    assert snapshot(player(1, "0000 - +"), player(2), player(3)).round_number == 1


def test_the_number_of_rounds_of_the_file_comes_before_the_one_given():
    assert snapshot(*FOUR_AFTER_TWO_ROUNDS, "142 7", rounds=9).rounds_announced == 7
    assert snapshot(*FOUR_AFTER_TWO_ROUNDS, rounds=9).rounds_announced == 9
    assert snapshot(*FOUR_AFTER_TWO_ROUNDS).rounds_announced is None


def test_a_round_without_all_its_results_is_refused():
    error = refusal(player(1, "   2 w 1", "   2 b  "), player(2, "   1 b 0", "   1 w  "))
    assert (error.line, error.column) == (1, 109)
    assert error.expected == "a result of round 2, which was paired"


# -- Who is to be paired -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("0000 - H", Result.HALF_POINT_BYE),
        ("0000 - F", Result.FULL_POINT_BYE),
        ("0000 - Z", Result.ZERO_POINT_BYE),
        ("0000 - -", Result.ABSENT),
        ("       -", Result.ABSENT),
        ("0000    ", Result.ABSENT),
    ],
)
def test_an_entry_for_the_coming_round_keeps_a_player_out_of_it(entry: str, expected: Result):
    taken = snapshot(player(1, "   2 w 1"), player(2, "   1 b 0"), player(3, "0000 - U", entry))
    assert taken.round_number == 2
    assert card(taken, 3).unavailable == RoundRecord(result=expected)


def test_a_shorter_line_is_no_entry():
    """Player 1 has requested a bye in round 3. Neighbouring lines that end before it do not mean absence."""
    taken = snapshot(player(1, "   2 w 1", "        ", "0000 - H"), player(2, "   1 b 0"), player(3, "0000 - U"))
    assert [card.unavailable for card in taken.cards] == [None, None, None]


def test_a_shorter_line_is_an_absence_in_a_round_that_was_paired():
    taken = snapshot(*FOUR_AFTER_TWO_ROUNDS, player(5))
    assert card(taken, 5).records == (ABSENT_RECORD, ABSENT_RECORD)
    assert card(taken, 5).unavailable is None


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("XXZ 2 4", Result.ZERO_POINT_BYE),
        ("240 Z 003    2    4", Result.ZERO_POINT_BYE),
        ("240 H 003    2    4", Result.HALF_POINT_BYE),
    ],
)
def test_a_line_of_its_own_keeps_players_out_of_the_coming_round(line: str, result: Result):
    taken = snapshot(*FOUR_AFTER_TWO_ROUNDS, line)
    assert {card.tpn: card.unavailable for card in taken.cards if card.unavailable} == {
        2: RoundRecord(result=result),
        4: RoundRecord(result=result),
    }


def test_a_bye_of_a_later_round_keeps_nobody_out_of_this_one():
    taken = snapshot(*FOUR_AFTER_TWO_ROUNDS, "240 H 004    2")
    assert card(taken, 2).unavailable is None


def test_a_bye_of_a_past_round_fills_a_blank_block():
    taken = snapshot(*FOUR_AFTER_TWO_ROUNDS, player(5), "240 F 001    5")
    assert [record.result for record in card(taken, 5).records] == [Result.FULL_POINT_BYE, Result.ABSENT]


def test_a_bye_of_a_round_the_player_was_paired_in_is_refused():
    error = refusal(*FOUR_AFTER_TWO_ROUNDS, "240 H 002    3")
    assert (error.line, error.column) == (5, 14)


# -- What else the file says ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "colour"),
    [("XXC white1", Colour.WHITE), ("XXC black1", Colour.BLACK), ("152 B", Colour.BLACK), ("152 w", Colour.WHITE)],
)
def test_the_colour_of_the_first_player(line: str, colour: Colour):
    assert snapshot(player(1), player(2), line).first_colour is colour


def test_without_a_word_the_first_player_has_white():
    assert snapshot(player(1), player(2)).first_colour is Colour.WHITE


def test_fictitious_points_of_single_players():
    taken = snapshot(*FOUR_AFTER_TWO_ROUNDS, "XXA    1  1.0  1.0  0.5", "XXA    3  0.5")
    assert card(taken, 1).fictitious == (2, 2, 1)
    assert card(taken, 3).fictitious == (1, 0, 0)
    assert card(taken, 2).fictitious == ()


def test_a_line_of_fictitious_points_without_points():
    assert card(snapshot(*FOUR_AFTER_TWO_ROUNDS, "XXA    1"), 1).fictitious == ()


def test_fictitious_points_of_a_range_of_players_and_rounds():
    taken = snapshot(*FOUR_AFTER_TWO_ROUNDS, "250      01.0 001 002 0001 0002", "250      00.5 003 004 0001 0001")
    assert card(taken, 1).fictitious == (2, 2, 1, 1)
    assert card(taken, 2).fictitious == (2, 2, 0)
    assert card(taken, 3).fictitious == ()


def test_pairs_that_must_not_meet():
    trf = read_trf(report(*FOUR_AFTER_TWO_ROUNDS, "XXP 1 4", "260 003 003    1    2    3"), name="x.trf")
    always = frozenset({frozenset({1, 4})})
    in_round_3 = always | {frozenset({1, 2}), frozenset({1, 3}), frozenset({2, 3})}
    assert snapshot_from_trf(trf, system="fide-1989").forbidden_pairs == in_round_3
    assert forbidden_pairs_in_round(trf, 2) == always
    assert forbidden_pairs_in_round(trf, 4) == always


@pytest.mark.parametrize("line", ["XXS PAB=0.5", "162  P 0.5", "BBU 0.5"])
def test_the_worth_of_the_allocated_bye_is_the_files(line: str):
    assert snapshot(*FOUR_AFTER_TWO_ROUNDS, line).points.pairing_allocated_bye == 1
    assert snapshot(*FOUR_AFTER_TWO_ROUNDS).points.pairing_allocated_bye == 2


def test_in_jahrs_method_the_bye_is_half_a_point_whatever_the_file_says():
    assert snapshot(*FOUR_AFTER_TWO_ROUNDS, "XXS PAB=1.0", system="jahr").points.pairing_allocated_bye == 1


@pytest.mark.parametrize(
    "line",
    [
        "XXS WW=1.0 BW=1.0 WD=0.5 BD=0.5 WL=0.0 BL=0.0 ZPB=0.0 HPB=0.5 FPB=1.0 PAB=1.0 FW=1.0 FL=0.0",
        "162  W 1.0    D 0.5    L 0.0    A 0.0    P 1.0    X 0.5",
        "BBW 1.0",
    ],
)
def test_the_usual_worth_may_be_said(line: str):
    assert snapshot(*FOUR_AFTER_TWO_ROUNDS, line).points.pairing_allocated_bye == 2


@pytest.mark.parametrize(
    ("line", "column"),
    [("XXS D=0.5 W=3", 11), ("162  W 3.0", 6), ("BBD 1", 5), ("XXS PAB=0.3", 5), ("299 W    0.5 001    1", 1)],
)
def test_results_of_another_worth_are_refused(line: str, column: int):
    error = refusal(*FOUR_AFTER_TWO_ROUNDS, line)
    assert (error.line, error.column) == (5, column)


def test_an_order_of_lines_that_is_not_that_of_the_numbers_is_refused():
    assert refusal("XXC rank", player(2), player(1)).line == 1
    assert snapshot("XXC rank", player(1), player(2)).round_number == 1


def test_names_titles_and_ratings_are_taken_over():
    one = card(snapshot(player(1, name="Fikcyjna, Ewa", title="wf", rating=2010), player(2)), 1)
    assert (one.name, one.title, one.rating) == ("Fikcyjna, Ewa", "WFM", 2010)


# -- Real files ----------------------------------------------------------------------------------------------------


def test_the_real_files_give_sound_snapshots(event_files):
    for path in sorted(event_files.glob("*.trf")):
        snapshot_from_trf(read_trf(path.read_bytes(), name=path.name), system="fide-1989").check_consistency()


def test_files_before_a_round_name_that_round(event_files):
    for path in sorted(event_files.glob("*_r0?.trf")):
        taken = snapshot_from_trf(read_trf(path.read_bytes(), name=path.name), system="fide-1989")
        assert taken.round_number == int(path.stem[-2:])


def test_the_absent_of_a_real_file(event_files):
    trf = read_trf((event_files / "odd" / "absent_52.trf").read_bytes(), name="x.trf")
    taken = snapshot_from_trf(trf, system="fide-1989")
    assert {one.tpn for one in taken.cards if one.unavailable} == {22, 28, 43}
