"""The benchmark runs, and its arithmetic is correct. Times are not tested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lab import worst_cases
from lab.figures import growth_exponent, seconds_text, table
from lab.measuring import peer
from pairing.engine.trf import TrfHeader, read_trf, snapshot_from_trf, trf_from_snapshot, write_trf

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("costs", "exponent"),
    [
        ({1: 7, 10: 7, 100: 7}, 0),
        ({500: 1, 1000: 2, 2000: 4}, 1),
        ({3: 9, 5: 25, 10: 100}, 2),
        # Through 1, 4, 1: the best line is flat.
        ({1: 1, 2: 4, 4: 1}, 0),
    ],
)
def test_growth_exponent(costs, exponent):
    assert growth_exponent(costs) == pytest.approx(exponent)


@pytest.mark.parametrize("costs", [{}, {500: 1.0}, {500: 1.0, 1000: 0.0}])
def test_no_exponent_from_one_size(costs):
    assert growth_exponent(costs) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0004, "0.000"),
        (0.0994, "0.099"),
        (0.0996, "0.10"),
        (0.994, "0.99"),
        (3.14, "3.1"),
        (9.96, "10"),
        (42.4, "42"),
    ],
)
def test_seconds_have_two_figures(seconds, text):
    assert seconds_text(seconds) == text


def test_a_table_has_a_column_for_every_head():
    assert table(["a", "b"], [["x", "1"]]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_the_other_engine_may_have_arguments(monkeypatch):
    monkeypatch.setenv("CLUBNIGHT_PEER", "'/opt/some engine' --dutch")
    assert peer() == ["/opt/some engine", "--dutch"]
    monkeypatch.delenv("CLUBNIGHT_PEER")
    assert peer() == []


TAKE_LONG = {"last-of-36-rounds", "last-of-99-rounds", "club-of-350-nobody-beyond"}
"""Of the two clubs of 350 the one with twice the lines of the other."""
QUICKLY_MADE = sorted(set(worst_cases.WORST_CASES) - TAKE_LONG)


@pytest.mark.parametrize("name", QUICKLY_MADE)
def test_a_worst_case_survives_its_file(name):
    """The file contains the intended event and round."""
    event = worst_cases.WORST_CASES[name]()
    written = write_trf(
        trf_from_snapshot(event, header=TrfHeader(tournament=name), ranks={card.tpn: card.tpn for card in event.cards})
    )
    assert snapshot_from_trf(read_trf(written, name=name), system=event.system) == event


def test_in_a_nearly_complete_round_robin_everyone_has_met_all_but_one():
    cards = worst_cases.round_robin().cards
    assert {len({record.opponent for record in card.records}) for card in cards} == {58}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("section", "told"), [("worst", "no legal round"), ("around", "standings of 50 players"), ("peer", "| 20 | 2 |")]
)
def test_the_bench_runs(section, told, tmp_path):
    # The other engine of this test is Python, which takes -p FILE for options of a script and does nothing.
    other = tmp_path / "engine.py"
    other.write_text("import sys\nassert sys.argv[1] == '-p' and open(sys.argv[2]).read()\n")
    done = subprocess.run(
        [sys.executable, "-m", "lab", "--quick", "--only", section],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "CLUBNIGHT_PEER": f"{sys.executable} {other}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Reference: " in done.stdout
    assert told in done.stdout
