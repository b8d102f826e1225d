"""Rule interpretations: what cannot be chosen, where they appear, and that the page agrees with the code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pairing.cli.trf_files import merge_interpretation_options
from pairing.engine.rule_interpretations import (
    RULE_INTERPRETATIONS,
    InvalidInterpretation,
    non_default_interpretations,
    parse_interpretation,
)
from pairing.engine.snapshot import InvalidSnapshot
from pairing.engine.systems.jahr import jahr_values
from pairing.engine.trf import TrfError, TrfHeader, read_trf, snapshot_from_trf, trf_from_snapshot, write_trf
from tests.pairing.builders import event
from tests.pairing.cli.conftest import Run, run, write  # noqa: F401 - a fixture
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, report

PAGE = Path(__file__).resolve().parents[3] / "docs" / "arbiter" / "rule-interpretations.md"


@pytest.mark.parametrize(
    "text", ["fide-1989:8.2", "fide-1989:8.2=", "fide-1989:8.2=never", "fide-1989:9=event", "=event", ""]
)
def test_what_is_no_reading(text: str):
    with pytest.raises(InvalidInterpretation):
        parse_interpretation(text)


def test_an_event_cannot_have_an_unknown_reading():
    snapshot = event("fide-1989\n1 0\n2 0")
    with pytest.raises(InvalidSnapshot, match="no reading"):
        replace(snapshot, interpretations=(("fide-1989:99", "x"),)).check_consistency()


def test_defaults_need_not_be_said_and_the_last_word_counts():
    pairs = [("jahr:6", "unrounded"), ("fide-1989:8.2", "event"), ("jahr:6", "rounded"), ("dubov-1997:5", "number")]
    assert non_default_interpretations(pairs) == (("dubov-1997:5", "number"),)
    assert event("jahr\n1 0\n2 0").chosen_interpretation("jahr:6") == "rounded"


def test_a_reading_of_another_system_is_refused():
    with pytest.raises(InvalidInterpretation, match="not used in events of the system dutch-1992"):
        merge_interpretation_options((), [("fide-1989:8.2", "next-round")], system="dutch-1992", procedure=None)
    asked = [("fide-1989:8.2", "next-round"), ("jahr:6", "unrounded")]
    assert merge_interpretation_options((), asked, system="jahr", procedure=None) == tuple(asked)
    with pytest.raises(InvalidInterpretation):
        merge_interpretation_options((), asked, system="jahr", procedure="dutch-1992")


def test_a_file_keeps_readings_in_comments_that_others_pass_over():
    snapshot = event("dubov-1997 rounds=5 reading=dubov-1997:7.1=next-group\n1 0\n2 0")
    trf = trf_from_snapshot(snapshot, header=TrfHeader(tournament="x"), ranks={1: 1, 2: 2})
    text = write_trf(trf)
    assert b"\r\n### Clubnight reading dubov-1997:7.1=next-group\r\n" in text
    assert snapshot_from_trf(read_trf(text, name="x"), system="dubov-1997").interpretations == snapshot.interpretations


@pytest.mark.parametrize("line", ["### Clubnight reading fide-1989:8.2=perhaps", "###clubnight  reading x"])
def test_a_file_with_an_unknown_reading_is_refused_with_its_place(line: str):
    with pytest.raises(TrfError, match="line 1, column"):
        read_trf(report(line, *FOUR_AFTER_TWO_ROUNDS), name="x.trf")


def test_other_comments_are_none_of_our_business():
    read_trf(report("### reading is good for you", "# Clubnight", *FOUR_AFTER_TWO_ROUNDS), name="x.trf")


BYE_AFTER_FORFEIT = (
    "001    1      Alfa                              2200                             2.0    1     2 w 1     3 b 1",
    "001    2      Beta                              2100                             0.0    2     1 b 0     4 w 0",
    "001    3      Gamma                             2000                             0.0    3     5 w -     1 w 0",
    "001    4      Delta                             1900                             2.0    4  0000 - U     2 b 1",
    "001    5      Epsilon                           1800                             1.5    5     3 b +  0000 - H",
)


def test_the_command_line_goes_before_the_file(run: Run, tmp_path: Path):  # noqa: F811
    """5 won by forfeit in round 1: by default 5 gets no bye, in the other interpretation 5 is the last of the group."""
    lines = BYE_AFTER_FORFEIT
    alone = write(tmp_path / "alone.trf", "XXR 9", *lines)
    said = write(tmp_path / "said.trf", "XXR 9", "### Clubnight reading fide-1989:8.2=next-round", *lines)
    default = run("pair", "--system", "fide-1989", alone).out
    other = run("pair", "--system", "fide-1989", "--reading", "fide-1989:8.2=next-round", alone).out
    assert run("pair", "--system", "fide-1989", said).out == other
    assert run("pair", "--system", "fide-1989", "--reading", "fide-1989:8.2=event", said).out == default


@pytest.mark.parametrize("reading", ["fide-1989:8.2", "fide-1989:8.2=x", "dubov-1997:5=number"])
def test_the_command_refuses_what_is_not_asked(run: Run, tmp_path: Path, reading: str):  # noqa: F811
    path = write(tmp_path / "x.trf", *FOUR_AFTER_TWO_ROUNDS)
    ended = run("pair", "--system", "fide-1989", "--reading", reading, path)
    assert ended.status == 2
    assert reading.partition("=")[0] in ended.err


def test_the_list_of_readings_is_the_page(run: Run):  # noqa: F811
    ended = run("pair", "--readings")
    assert ended.status == 0
    page = PAGE.read_text(encoding="utf-8")
    for reading in RULE_INTERPRETATIONS.values():
        for text in (
            reading.id,
            reading.article_text,
            reading.default_rationale,
            *(choice.value for choice in reading.options),
        ):
            assert text in ended.out
            assert text in page
        for choice in reading.options:
            assert choice.meaning in page


def test_tenths_never_rounded():
    """1.55 against an opponent on 1.55 adds 0.155, which is 0.16 on the card."""
    text = "jahr rounds=9{}\n1 0 2w1 3b=\n2 0 1b0 4w=\n3 0 4w0 1w=\n4 0 3b1 2b="
    rounded = jahr_values(event(text.format("")))
    other = jahr_values(event(text.format(" reading=jahr:6=unrounded")))
    assert {tpn: value.total_points for tpn, value in rounded.items()} == {
        tpn: value.total_points for tpn, value in other.items()
    }
    assert (rounded[1].exact_decimals, other[1].exact_decimals) == (2, 4)
    assert {tpn: 100 * value.exact_value for tpn, value in rounded.items()} == {
        tpn: value.exact_value for tpn, value in other.items()
    }
