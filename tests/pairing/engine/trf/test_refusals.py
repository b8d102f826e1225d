"""Files that are refused, always with a TrfError that has file, line and column."""

from __future__ import annotations

import pytest

from pairing.engine.trf import TrfError, read_trf
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player, report


def refusal(*lines: str) -> TrfError:
    with pytest.raises(TrfError) as refused:
        read_trf(report(*lines), name="evening.trf")
    return refused.value


def changed(line: str, column: int, text: str) -> str:
    """The line with some characters replaced from that column on."""
    return line[: column - 1] + text + line[column - 1 + len(text) :]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"012 An event without players\n"])
def test_a_file_without_players(data: bytes):
    with pytest.raises(TrfError, match="expected a player"):
        read_trf(data, name="empty.trf")


@pytest.mark.parametrize(
    ("column", "text", "at"),
    [
        (5, "    ", 5),
        (5, "   0", 5),
        (5, "  1x", 5),
        (9, "1", 9),
        (14, "x", 14),
        (48, "x", 48),
        (49, "21O0", 49),
        (49, "-100", 49),
        (53, "P", 53),
        (81, "1,50", 81),
        (81, "one ", 81),
        (86, "1.st", 86),
        (90, "1", 90),
        (92, " 3x ", 92),
        (96, "w", 96),
        (97, "x", 97),
        (97, " ", 97),
        (98, "1", 98),
        (99, "2", 99),
        (99, "H", 99),
        (99, "U", 99),
        (100, "1", 100),
        (102, "0000", 107),
        (109, "?", 109),
    ],
)
def test_a_players_line_with_a_damaged_field(column: int, text: str, at: int):
    line = changed(FOUR_AFTER_TWO_ROUNDS[0], column, text)
    error = refusal("012 Autumn event", line, *FOUR_AFTER_TWO_ROUNDS[1:])
    assert (error.name, error.line, error.column) == ("evening.trf", 2, at)
    assert str(error).startswith(f"evening.trf: line 2, column {at}: expected ")


@pytest.mark.parametrize("block", ["0000 - 1", "0000 - =", "0000 - 0", "       1", "0000 - *", "0000 w H"])
def test_a_result_that_needs_an_opponent(block: str):
    error = refusal(player(1, block), player(2))
    assert error.line == 1
    assert error.column in (97, 99)


def test_a_tabulator_in_a_players_line():
    assert refusal(player(1, name="Tab\tulator")).column == 18


@pytest.mark.parametrize(
    "line", [" 001    1 Player", "01  1 Player", "O01    1 Player", "002    1 Player", "xxr 5", "0011  2"]
)
def test_a_line_with_a_damaged_code_is_not_skipped(line: str):
    assert refusal(*FOUR_AFTER_TWO_ROUNDS, line).line == 5


def test_a_starting_rank_used_twice():
    error = refusal(player(1), player(2), player(1))
    assert (error.line, error.column) == (3, 5)
    assert "not used on line 1" in error.expected


@pytest.mark.parametrize(
    ("lines", "at", "said"),
    [
        ((player(1, "   1 w 1"),), (1, 92), "another player"),
        ((player(1, "   9 w 1"), player(2)), (1, 92), "an opponent who is in the file"),
        ((player(1, "   2 w 1"), player(2)), (1, 92), "an opponent whose own line names player 1 in round 1"),
        ((player(1, "   2 w 1"), player(2, "   3 b 0"), player(3, "   2 w 1")), (1, 92), "that of player 2 (line 2)"),
        ((player(1, "   2 w 1"), player(2, "   1 b 1")), (1, 99), "a result that goes with '1' of player 2 (line 2)"),
        ((player(1, "   2 w 1"), player(2, "   1 b -")), (1, 99), "a result that goes with '-'"),
        ((player(1, "   2 w +"), player(2, "   1 b +")), (1, 99), "a result that goes with '+'"),
        ((player(1, "   2 w 1"), player(2, "   1 b  ")), (1, 99), "a result that goes with 'no result'"),
        ((player(1, "   2 w 1"), player(2, "   1 w 0")), (1, 97), "the colour player 2 (line 2) did not have"),
        ((player(1), player(2, "   1 w 1")), (2, 92), "that of player 1 (line 1) does not"),
    ],
)
def test_two_lines_that_contradict_each_other(lines: tuple[str, ...], at: tuple[int, int], said: str):
    error = refusal(*lines)
    assert (error.line, error.column) == at
    assert said in error.expected


def test_a_forfeit_may_lack_its_colours():
    read_trf(report(player(1, "   2 - +"), player(2, "   1 - -")), name="x.trf")


def test_a_game_lost_by_both_is_the_arbiters_decision():
    read_trf(report(player(1, "   2 w 0"), player(2, "   1 b 0")), name="x.trf")


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("XXR", 5),
        ("XXR nine", 5),
        ("XXR 0", 5),
        ("XXR 5 6", 7),
        ("142 5x", 5),
        ("XXC green1", 5),
        ("152 x", 5),
        ("XXA    9 1.0", 5),
        ("XXA    1  1.0  0.3", 15),
        ("XXA    1  1.0x 1.0", 14),
        ("XXA    1 1.0 1.0", 14),
        ("250      01.0 002 001 0001 0002", 19),
        ("250      01.0 001 003 000x 0002", 23),
        ("XXP 1 9", 7),
        ("260 001 x02    1    2", 9),
        ("260 001 002    1    9", 21),
        ("XXZ 9", 5),
        ("240 X 003    1", 5),
        ("240 H 00x    1", 7),
        ("240 H 003    9", 14),
        ("XXS W", 5),
        ("XXS QQ=1.0", 5),
        ("162  Q 1.0", 6),
        ("162  W", 7),
        ("BBW much", 5),
    ],
)
def test_an_extension_that_cannot_be_understood(line: str, column: int):
    error = refusal(*FOUR_AFTER_TWO_ROUNDS, line)
    assert (error.line, error.column) == (5, column)


def test_two_lines_that_say_different_things_of_the_event():
    assert refusal(*FOUR_AFTER_TWO_ROUNDS, "XXR 5", "142 6").line == 6
    assert refusal(*FOUR_AFTER_TWO_ROUNDS, "XXC white1", "152 B").line == 6


def test_the_files_that_are_wrong_on_purpose(event_files):
    for name, line in (("incompatible_colour.trf", 2), ("missing_result.trf", 2)):
        with pytest.raises(TrfError) as refused:
            read_trf((event_files / "odd" / name).read_bytes(), name=name)
        assert refused.value.line == line
