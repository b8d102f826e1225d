"""Report files, field by field and line by line."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pairing.engine.snapshot import Colour, Result
from pairing.engine.trf import (
    TeamEventError,
    TrfError,
    TrfRound,
    TrfWarningKind,
    format_time_control_line,
    read_tie_break_codes,
    read_trf,
    snapshot_from_trf,
    stated_pairing_system,
)
from pairing.engine.trf.event_directives import read_directives
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player, report


def test_a_players_line_is_taken_apart():
    line = player(
        7,
        "  12 w 1",
        name="Wymyślony, Stanisław",
        sex="m",
        title="g",
        rating=2345,
        federation="POL",
        fide_number="1100001",
        birth_date="1990/02/03",
        points="1.0",
        rank=3,
    )
    one = read_trf(report(line, player(12, "   7 b 0")), name="x.trf").players[0]
    assert (one.tpn, one.name, one.sex, one.title, one.fide_title) == (7, "Wymyślony, Stanisław", "m", "g", "GM")
    assert (one.rating, one.federation, one.fide_number) == (2345, "POL", "1100001")
    assert (one.birth_date, one.points, one.rank) == ("1990/02/03", Decimal("1.0"), 3)
    assert one.rounds == (TrfRound(opponent=12, colour=Colour.WHITE, result=Result.WIN),)


@pytest.mark.parametrize(
    ("block", "opponent", "result"),
    [
        ("   2 w 1", 2, Result.WIN),
        ("   2 w =", 2, Result.DRAW),
        ("   2 w 0", 2, Result.LOSS),
        ("   2 w W", 2, Result.UNRATED_WIN),
        ("   2 w d", 2, Result.UNRATED_DRAW),
        ("   2 w L", 2, Result.UNRATED_LOSS),
        ("   2 w +", 2, Result.FORFEIT_WIN),
        ("   2 - -", 2, Result.FORFEIT_LOSS),
        ("0000 - U", None, Result.PAIRING_ALLOCATED_BYE),
        ("       H", None, Result.HALF_POINT_BYE),
        ("0000 - f", None, Result.FULL_POINT_BYE),
        ("0000 - Z", None, Result.ZERO_POINT_BYE),
        ("0000 - +", None, Result.FORFEIT_WIN),
        ("0000 - -", None, Result.ABSENT),
        ("       -", None, Result.ABSENT),
        ("0000    ", None, Result.ABSENT),
        ("        ", None, None),
    ],
)
def test_each_kind_of_block(block: str, opponent: int | None, result: Result | None):
    answers = {"1": "0", "=": "=", "0": "1", "W": "L", "d": "D", "L": "W", "+": "-", "-": "+"}
    second = f"   1 b {answers[block[7]]}" if opponent else "        "
    # Round 2 is played, so that round 1 stays on the line in any case.
    lines = (player(1, block, "   2 w ="), player(2, second, "   1 b ="))
    one = read_trf(report(*lines), name="x.trf").players[0].get_round(1)
    assert (one.opponent, one.result) == (opponent, result)


def test_a_game_without_a_result_is_not_in_yet():
    one = read_trf(report(player(1, "   2 w  "), player(2, "   1 b  ")), name="x.trf").players[0]
    assert one.get_round(1) == TrfRound(opponent=2, colour=Colour.WHITE)
    assert one.get_round(1).is_from_pairing


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(newline: str):
    data = newline.join((*FOUR_AFTER_TWO_ROUNDS, "XXR 5", "")).encode()
    trf = read_trf(data, name="x.trf")
    assert len(trf.players) == 4
    assert trf.first_value_for_code("XXR") == "5"
    assert trf.newline == newline


def test_the_last_line_needs_no_end():
    assert len(read_trf("\n".join(FOUR_AFTER_TWO_ROUNDS).encode(), name="x.trf").players) == 4


def test_letters_that_end_lines_elsewhere_do_not_end_them_here():
    """U+2028 and U+0085 are ordinary characters in a name; only CR and LF end a line."""
    trf = read_trf(report(player(1, name="A\u2028B\u0085C"), player(2)), name="x.trf")
    assert [one.tpn for one in trf.players] == [1, 2]


def test_every_other_line_is_kept():
    lines = (
        "012 Autumn event",
        "### a remark",
        "# another",
        "",
        "132",
        "ABC any text",
        "092 Individual",
        "013 A      1    2",
    )
    trf = read_trf(report(*lines, *FOUR_AFTER_TWO_ROUNDS), name="x.trf")
    assert tuple(record.text for _, record in trf.records_with_line_numbers()) == lines
    assert trf.first_value_for_code("012") == "Autumn event"


@pytest.mark.parametrize(
    ("lines", "line", "column", "found"),
    [
        (("012 Autumn event", "310   1 Castles"), 2, 1, "310"),
        (("012 Autumn event", "013 Castles   1    2"), 2, 1, "013"),
        (("013 Castles   1    2", "012 Autumn event"), 1, 1, "013"),
        (("012 Autumn event", "092 Team Swiss"), 2, 5, "Team Swiss"),
    ],
)
def test_a_team_event_is_read_as_far_as_its_players_go_and_never_paired(lines, line, column, found):
    trf = read_trf(report(*lines, *FOUR_AFTER_TWO_ROUNDS), name="x.trf")
    assert [(each.kind, each.line, each.column, each.stated) for each in trf.warnings] == [
        (TrfWarningKind.TEAM_EVENT, line, column, found)
    ]
    event = snapshot_from_trf(trf, system="dutch-2026", is_for_pairing=False)
    alone = read_trf(report("012 Autumn event", *FOUR_AFTER_TWO_ROUNDS), name="x.trf")
    assert event == snapshot_from_trf(alone, system="dutch-2026")
    with pytest.raises(TeamEventError) as refused:
        snapshot_from_trf(trf, system="dutch-2026")
    assert (refused.value.line, refused.value.column, refused.value.found) == (line, column, found)


def test_what_may_be_about_teams_is_not_taken_for_the_players():
    teams = (
        "240 H   3    1    2",
        "250  2.0   1   3    1    4",
        "260   1   3    1    2",
        "299 -   1.0",
        "XXZ 1",
        "XXP 1 2",
    )
    rules = ("092 Team Swiss-System", "162  W 3.0    D 1.0    P 5.0", "212 PTS,BH,SB", "202 nonsense")
    trf = read_trf(report("310   1 Castles", *rules, *teams, *FOUR_AFTER_TWO_ROUNDS), name="x.trf")
    said = read_directives(trf)
    assert (said.byes, said.fictitious, said.forbidden, said.abnormal_points) == ((), {}, (), None)
    assert (said.result_points["WW"], said.result_points["PAB"]) == (3, 3)
    assert (read_tie_break_codes(trf), stated_pairing_system(trf)) == ((), "")


@pytest.mark.parametrize(
    ("one", "other", "worth"), [("1.0", "1.0", 0), ("2.0", "2.0", 1), ("2.0", "1.0", 1), ("5.0", "5.0", 1), ("", "", 1)]
)
def test_a_teams_bye_is_worth_what_the_files_own_points_say(one: str, other: str, worth: int):
    """Programs differ: with some, a player of the team without a match gets a point, with others none."""
    lines = [
        player(1, "   2 w 1", "0000 - U", points=one or "    "),
        player(2, "   1 b 0", "   3 w 1"),
        player(3, "   4 w 1", "   2 b 0"),
        player(4, "   3 b 0", "0000 - U", points={"": "    ", "1.0": "0.0", "2.0": "1.0"}.get(other, other)),
    ]
    assert read_directives(read_trf(report("310   1 Castles", *lines), name="x.trf")).result_points["PAB"] == worth
    alone = read_trf(report(*lines), name="x.trf")
    assert read_directives(alone).result_points["PAB"] == 1


def test_a_ruler_of_columns_is_a_remark():
    rulers = ("".join(f"{number:10}" for number in range(1, 13)), "1234567890" * 12 + "123")
    trf = read_trf(report(*rulers, *FOUR_AFTER_TWO_ROUNDS), name="x.trf")
    assert len(trf.players) == 4
    with pytest.raises(TrfError):
        read_trf(report("         1         3", "2345678901", *FOUR_AFTER_TWO_ROUNDS), name="x.trf")


def test_a_number_of_five_digits_takes_the_blank_before_its_field():
    first = player(1, "   2 w 1").replace("     2 w 1", " 10000 w 1")
    second = player(2, "   1 b 0").replace("001    2", "00110000", 1)
    players = read_trf(report(first, second), name="x.trf").players
    assert players[1].tpn == 10000
    assert players[0].get_round(1).opponent == 10000


def test_points_that_are_not_the_sum_of_the_results_are_a_warning():
    lines = [*FOUR_AFTER_TWO_ROUNDS[:3], FOUR_AFTER_TWO_ROUNDS[3].replace(" 0.0 ", " 2.5 ")]
    (warning,) = read_trf(report("012 x", *lines), name="x.trf").warnings
    assert (warning.kind, warning.line, warning.column) == (TrfWarningKind.POINTS_DIFFER, 5, 81)
    assert (warning.stated, warning.computed) == ("2.5", "0.0")


@pytest.mark.parametrize("points", ["0.0", "0.5"])
def test_points_may_or_may_not_hold_a_bye_of_the_coming_round(points: str):
    lines = (player(1, "0000 - H", points=points), player(2, points="0.0"))
    assert read_trf(report(*lines), name="x.trf").warnings == ()


def test_a_wrong_number_of_players_is_a_warning():
    (warning,) = read_trf(report("062 5", *FOUR_AFTER_TWO_ROUNDS), name="x.trf").warnings
    assert warning.kind is TrfWarningKind.PLAYER_COUNT_DIFFERS


@pytest.mark.parametrize("number", ["²", "٤", "9" * 5000])
def test_a_number_of_players_that_is_none_is_a_warning(number: str):
    (warning,) = read_trf(report(f"062 {number}", *FOUR_AFTER_TWO_ROUNDS), name="x.trf").warnings
    assert (warning.kind, warning.computed) == (TrfWarningKind.PLAYER_COUNT_DIFFERS, "4")


def test_a_number_of_players_may_be_filled_up_with_noughts():
    assert read_trf(report("062 0004", *FOUR_AFTER_TWO_ROUNDS), name="x.trf").warnings == ()


def test_ranks_that_points_contradict_are_a_warning_and_starting_ranks_are_none():
    lines = (player(1, "   2 w 0", points="0.0", rank="2"), player(2, "   1 b 1", points="1.0", rank="1"))
    assert read_trf(report(*lines), name="x.trf").warnings == ()
    turned = (player(1, "   2 w 1", points="1.0", rank="2"), player(2, "   1 b 0", points="0.0", rank="1"))
    (warning,) = read_trf(report(*turned), name="x.trf").warnings
    assert (warning.kind, warning.stated, warning.computed) == (TrfWarningKind.RANKS_DIFFER, "1, 2", "0.0, 1.0")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("192 FIDE_LIM", TrfWarningKind.TYPE_UNKNOWN),
        ("202 BH,QQ/C1", TrfWarningKind.TIE_BREAKS_UNKNOWN),
        ("212 PTS,QQ", TrfWarningKind.TIE_BREAKS_UNKNOWN),
        ("222 as usual", TrfWarningKind.TIME_CONTROL_UNKNOWN),
    ],
)
def test_regulations_that_are_not_understood_are_a_warning(line: str, kind: TrfWarningKind):
    (warning,) = read_trf(report(line, *FOUR_AFTER_TWO_ROUNDS), name="x.trf").warnings
    assert (warning.kind, warning.line) == (kind, 1)


@pytest.mark.parametrize("line", ["192 FIDE_DUTCH_2026_BAKU", "202 BH/C1,SB", "212 PTS,BH", "222 40/6000+30:900+30"])
def test_regulations_that_are_understood_are_none(line: str):
    assert read_trf(report(line, *FOUR_AFTER_TWO_ROUNDS), name="x.trf").warnings == ()


@pytest.mark.parametrize(
    ("words", "line"),
    [("90+30", "222 5400+30"), ("90 min + 30 s", "222 5400+30"), ("G/60", "222 3600"), ("15' + 10\"", "222 900+10")],
)
def test_a_time_control_in_fides_code(words: str, line: str):
    assert format_time_control_line(words) == line


@pytest.mark.parametrize("words", ["", "0", "as usual", "90/40 + 30", "1000+30", "2 h"])
def test_no_time_control_is_guessed(words: str):
    assert format_time_control_line(words) == ""


def test_points_are_counted_in_the_files_own_system():
    lines = [line.replace(" 1.5 ", " 4.0 ").replace(" 1.0 ", " 3.0 ") for line in FOUR_AFTER_TWO_ROUNDS]
    assert read_trf(report("XXS W=3 D=1", *lines), name="x.trf").warnings == ()


def test_points_of_white_and_of_black_are_counted_apart():
    """Player 1 wins with White and draws with Black, player 2 the other way round."""
    worth = "XXS WW=4.0 BW=3.0 WD=1.5 BD=1.0 WL=0.5 BL=0.0"
    points = ("5.0", "4.5", "4.0", "0.5")
    lines = [f"{line[:80]}{stated:>4}{line[84:]}" for line, stated in zip(FOUR_AFTER_TWO_ROUNDS, points, strict=True)]
    assert read_trf(report(worth, *lines), name="x.trf").warnings == ()
    swapped = worth.replace("WW", "xx").replace("BW", "WW").replace("xx", "BW")
    warned = read_trf(report(swapped, *lines), name="x.trf").warnings
    assert {warning.line for warning in warned} >= {2, 3}


def test_the_real_files_are_read(event_files):
    for path in sorted(event_files.glob("*.trf")):
        trf = read_trf(path.read_bytes(), name=path.name)
        assert len(trf.players) == sum(line.startswith(b"001") for line in path.read_bytes().splitlines())
