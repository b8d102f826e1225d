"""The type and time control in a file."""

from __future__ import annotations

import pytest

from pairing.engine.trf import (
    describe_event_kind,
    detect_rate_of_play,
    format_time_control,
    read_time_control,
    read_trf,
    stated_pairing_system,
    thinking_seconds_for_60_moves,
)
from tests.pairing.engine.trf.lines import player, report


def trf(*lines: str):
    return read_trf(report(*lines, player(1)), name="x")


@pytest.mark.parametrize(
    ("line", "rate"),
    [
        ("122 15 min + 10 s", "rapid"),
        ("122 3 min + 2 s", "blitz"),
        ("122 10 min", "blitz"),  # B.1: ten minutes or less
        ("122 10 min + 1 s", "rapid"),
        ("122 G/59", "rapid"),
        ("122 60", "standard"),
        ("122 50 min + 10 s", "standard"),
        ("122 40/20'+30\" + 10'+30\"", "standard"),
        ("122 30/20' + 10'", "rapid"),
        ("222 900+10", "rapid"),
        ("222 180+2", "blitz"),
        ("222 40/6000+30:900+30", "standard"),
        # The second period begins after move 60, so it does not count.
        ("222 60/3000:900", "rapid"),
        ("122 Szachy szybkie, Rapid", "rapid"),
        ("092 Individual: Swiss-System (Blitz)", "blitz"),
        ("122 jak zwykle", ""),
        ("122 0 min", ""),
        ("222 jak zwykle", ""),
    ],
)
def test_the_rate_is_that_of_the_time_for_60_moves(line, rate):
    assert detect_rate_of_play(trf(line)) == rate


def test_the_codes_are_believed_before_the_words():
    assert detect_rate_of_play(trf("122 90 min", "222 180+2")) == "blitz"
    assert detect_rate_of_play(trf("092 Individual: Blitz", "122 90 min + 30 s")) == "standard"


def test_periods_are_read_as_they_are_written_in_words():
    periods = read_time_control(trf("222 40/6000+30:900+30"))
    assert thinking_seconds_for_60_moves(periods) == 6000 + 900 + 60 * 30
    words = format_time_control(periods)
    assert detect_rate_of_play(trf(f"122 {words}")) == "standard"


@pytest.mark.parametrize(
    ("said", "expected"),
    [("Individual: Round-Robin", True), ("ROUND ROBIN", True), ("Individual: Swiss-System", False), ("Robin", False)],
)
def test_a_round_robin_is_called_so_in_the_text(said, expected):
    assert stated_pairing_system(trf(f"092 {said}")) == ("round-robin" if expected else "")


def test_what_is_written_is_read_again():
    for is_double in (False, True):
        said = describe_event_kind(is_round_robin=True, is_double=is_double)
        assert stated_pairing_system(trf(f"092 {said}")) == "round-robin"
    assert stated_pairing_system(trf(f"092 {describe_event_kind(is_round_robin=False)}")) == ""
