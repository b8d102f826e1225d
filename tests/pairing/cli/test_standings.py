"""`manage.py standings`: tab-separated columns, or the same as JSON."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest

from pairing.engine.standings import TIE_BREAKS
from tests.pairing.cli.conftest import Run, write
from tests.pairing.engine.standings.exercises import ROUND_ROBIN_ROWS
from tests.pairing.engine.standings.rows import report_lines
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player


def test_jahrs_columns(run: Run, evening: Path):
    """By hand: round 1 brings 1 and 2 a point each; in round 2 they share, each with a tenth of the other's, and 3
    beats 4, both on nought before."""
    ended = run("standings", "--tiebreaks", "T,E", evening)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out == (
        "1\t1\tPlayer 1\t1.5\t1.60\t1.00\n"
        "2\t2\tPlayer 2\t1.5\t1.60\t1.00\n"
        "3\t3\tPlayer 3\t1.0\t1.00\t0.00\n"
        "4\t4\tPlayer 4\t0.0\t0.00\t0.00\n"
    )


@pytest.mark.parametrize("arguments", [("--tiebreaks", "JT,JE"), ("--tiebreaks", "t, e"), ("--system", "jahr")])
def test_other_ways_to_ask_for_them(run: Run, evening: Path, arguments: tuple[str, ...]):
    assert run("standings", *arguments, evening).out == run("standings", "--tiebreaks", "T,E", evening).out


def test_jahrs_columns_count_the_bye_as_half_a_point(run: Run, tmp_path: Path):
    event = write(tmp_path / "x.trf", player(1, "0000 - U"), player(2, "   3 w 1"), player(3, "   2 b 0"))
    assert run("standings", "--tiebreaks", "T", event).out.splitlines()[1] == "2\t1\tPlayer 1\t0.5\t0.50"
    assert run("standings", "--tiebreaks", "16B", event).out.splitlines()[0] == "1\t1\tPlayer 1\t1.0\t1.0"


def test_without_a_list_the_ties_are_broken_by_fides_usual_one(run: Run, evening: Path):
    """By hand: 1 met 3 and 2 with 1 and 1.5 points, 2 met 4 and 1 with 0 and 1.5; without the lowest both have 1.5."""
    assert [line.split("\t")[1:6:2] for line in run("standings", evening).out.splitlines()[:2]] == [
        ["1", "1.5", "2.5"],
        ["2", "1.5", "1.5"],
    ]


def test_a_system_has_the_list_of_its_document(run: Run, evening: Path):
    """All are rated: 1 met 1900 and 2000, 2 met 1800 and 2100; without the lowest 2000 and 2100."""
    table = run("standings", "--system", "fide-1989", evening).out.splitlines()
    assert [line.split("\t")[1::3] for line in table] == [["2", "2100"], ["1", "2000"], ["3", "2100"], ["4", "2000"]]


@pytest.mark.parametrize(
    ("line", "values"),
    [("202 WON,BH", ["1", "2.5"]), ("212 PTS,BH,WON", ["2.5", "1"]), ("202 T", ["1.60"]), ("192 FIDE_DUTCH_2026", [])],
)
def test_the_list_of_the_file_comes_first(run: Run, tmp_path: Path, line: str, values: list[str]):
    event = write(tmp_path / "x.trf", line, "XXR 3", *FOUR_AFTER_TWO_ROUNDS)
    ended = run("standings", event)
    assert ended.out.splitlines()[0].split("\t")[4:] == (values or ["1.5", "2.5", "0"])
    # The list of a system that is asked for comes before it.
    assert run("standings", "--system", "fide-1989", event).out.splitlines()[0].split("\t")[1::3] == ["2", "2100"]


def test_a_list_with_an_unknown_tie_break_is_left_out(run: Run, tmp_path: Path, evening: Path):
    ended = run("standings", write(tmp_path / "x.trf", "202 WON,LUCK", "XXR 3", *FOUR_AFTER_TWO_ROUNDS))
    assert ended.out == run("standings", evening).out
    assert "LUCK" in ended.err


def test_absent_players_stand_in_it_too(run: Run, tmp_path: Path):
    event = write(tmp_path / "x.trf", *FOUR_AFTER_TWO_ROUNDS, player(5, "0000 - Z", "0000 - Z", "0000 - Z"))
    assert len(run("standings", "--tiebreaks", "T,E", event).out.splitlines()) == 5


def test_json(run: Run, evening: Path):
    table = json.loads(run("standings", "--tiebreaks", "G,T,E", "--format", "json", evening).out)
    assert table[0] == {
        "rank": 1,
        "tpn": 1,
        "name": "Player 1",
        "points": 1.5,
        "tiebreaks": {"G": 1.5, "T": 1.6, "E": 1.0},
    }


def test_an_unknown_tie_break(run: Run, evening: Path):
    ended = run("standings", "--tiebreaks", "T,XYZ", evening)
    assert (ended.status, ended.out) == (2, "")
    assert "unknown tie-break 'XYZ'" in ended.err


def test_fides_codes_with_their_modifiers(run: Run, evening: Path):
    """1 met 3 and 2, with 1 and 1.5 points; cut by the lower it is 1.5."""
    ended = run("standings", "--tiebreaks", "bh, BH-C1, de/p", evening)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == "1\t1\tPlayer 1\t1.5\t2.5\t1.5\t0"


@pytest.mark.parametrize(
    ("day", "value"),
    [
        *[("2026/02/28", "2.5"), ("2026/03/01", "2.0"), ("26/02/28", "2.5"), ("26/03/01", "2.0")],
        *[("28/02/2026", "2.5"), ("01.03.2026", "2.0"), ("31.12.1999", "2.5"), ("in winter", "2.0")],
    ],
)
def test_the_edition_is_that_of_the_day_on_which_the_event_began(run: Run, tmp_path: Path, day: str, value: str):
    """The opponent has 1; the bye's dummy 1.5 as the player, since March 2026 at most a draw in each of two rounds."""
    lines = (f"042 {day}", player(1, "   2 w =", "0000 - U"), player(2, "   1 b =", "   3 w ="))
    event = write(tmp_path / "x.trf", *lines, player(3, "0000 - H", "   2 b ="))
    assert run("standings", "--tiebreaks", "BH", event).out.splitlines()[0].split("\t")[4] == value
    newer = run("standings", "--tiebreaks", "BH", "--edition", "2026", event)
    assert newer.out.splitlines()[0].split("\t")[4] == "2.0"


def test_lots_are_given_in(run: Run, tmp_path: Path):
    event = write(tmp_path / "x.trf", player(1, "0000 - H"), player(2, "0000 - U"), player(3, "0000 - H"))
    drawn = run("standings", "--tiebreaks", "LOT", "--lots", "3,1", event)
    assert [line.split("\t")[1] for line in drawn.out.splitlines()] == ["2", "3", "1"]
    assert [line.split("\t")[4] for line in drawn.out.splitlines()] == ["-", "1", "2"]


@pytest.mark.parametrize("lots", ["", "1,1", "1,x"])
def test_lots_that_are_none(run: Run, evening: Path, lots: str):
    assert run("standings", "--tiebreaks", "LOT", "--lots", lots, evening).status == 2


def test_a_value_that_there_is_not_is_null(run: Run, tmp_path: Path):
    event = write(tmp_path / "x.trf", player(1, "0000 - U"))
    assert json.loads(run("standings", "--tiebreaks", "ARO", "--format", "json", event).out)[0]["tiebreaks"] == {
        "ARO": None
    }


def test_real_events_have_every_tie_break(run: Run, event_files: Path):
    for path in sorted(event_files.glob("*.trf")):
        ended = run(
            "standings", "--system", "dutch-1992", "--tiebreaks", ",".join((*TIE_BREAKS, "BH/C1", "DE/P")), path
        )
        assert ended.status == 0, path.name
        assert all(": warning: " in line for line in ended.err.splitlines()), path.name
        widths = {line.count("\t") for line in ended.out.splitlines()}
        assert widths == {3 + len(TIE_BREAKS) + 2}, path.name


def test_an_unreadable_file(run: Run, tmp_path: Path):
    ended = run("standings", write(tmp_path / "bad.trf", "001 nonsense"))
    assert (ended.status, ended.out) == (2, "")
    assert "bad.trf: line 1, column 5" in ended.err


def test_real_events_have_jahrs_ranks_without_gaps(run: Run, event_files: Path):
    for path in sorted(event_files.glob("*_r09.trf")):
        ranks = [int(line.split("\t")[0]) for line in run("standings", "--system", "jahr", path).out.splitlines()]
        assert ranks == list(range(1, len(ranks) + 1))


@pytest.mark.parametrize("codes", ["BH", "XYZ"])
def test_garbage_is_collected_again_afterwards(run: Run, evening: Path, codes: str):
    run("standings", "--tiebreaks", codes, evening)
    assert gc.isenabled()


@pytest.mark.parametrize("line", ["192 FIDE_ROUNDROBIN", "092 Individual: Round-Robin"])
@pytest.mark.parametrize("codes", [(), ("--tiebreaks", "DE")])
def test_a_file_of_a_round_robin_counts_forfeits_as_games(run: Run, tmp_path: Path, line: str, codes: tuple[str, ...]):
    """C.07, 15.2: exercise 26 of the Technical Commission ends with 6, 5, 4."""
    event = write(tmp_path / "x.trf", line, *report_lines(ROUND_ROBIN_ROWS))
    table = [row.split("\t") for row in run("standings", *codes, event).out.splitlines()]
    assert [row[:2] for row in table[3:]] == [["4", "6"], ["5", "5"], ["6", "4"]]
