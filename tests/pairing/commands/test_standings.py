"""`manage.py standings`: tab-separated columns, or the same as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pairing.commands.conftest import Run, write
from tests.pairing.trf.lines import FOUR_AFTER_TWO_ROUNDS, player


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


def test_without_a_list_the_ties_are_broken_by_the_rules_of_1989(run: Run, evening: Path):
    """All are rated: 1 met 1900 and 2000, 2 met 1800 and 2100; without the lowest 2000 and 2100."""
    assert [line.split("\t")[1::3] for line in run("standings", evening).out.splitlines()] == [
        ["2", "2100"],
        ["1", "2000"],
        ["3", "2100"],
        ["4", "2000"],
    ]


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


def test_an_unreadable_file(run: Run, tmp_path: Path):
    ended = run("standings", write(tmp_path / "bad.trf", "001 nonsense"))
    assert (ended.status, ended.out) == (2, "")
    assert "bad.trf: line 1, column 5" in ended.err


def test_real_events_have_jahrs_ranks_without_gaps(run: Run, event_files: Path):
    for path in sorted(event_files.glob("*_r09.trf")):
        ranks = [int(line.split("\t")[0]) for line in run("standings", "--system", "jahr", path).out.splitlines()]
        assert ranks == list(range(1, len(ranks) + 1))
