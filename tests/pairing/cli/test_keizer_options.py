"""`pair` and `standings` for a Keizer season: the example of the document, and `--option`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pairing.cli.conftest import Run, write
from tests.pairing.engine.trf.lines import player

EXAMPLE = (player(1, "   2 w ="), player(2, "   1 b ="), player(3, "   4 b 0"), player(4, "   3 w 1"))
"""1 draws with 2, and 4 beats 3."""


@pytest.fixture
def season(tmp_path: Path) -> Path:
    return write(tmp_path / "season.trf", *EXAMPLE)


def test_the_worked_example(run: Run, season: Path):
    paired = run("pair", "--system", "keizer", season)
    assert (paired.status, paired.out) == (0, "2\n4 1\n2 3\n")
    assert run("standings", "--system", "keizer", season).out == (
        "1\t1\tPlayer 1\t0.5\t7.00\t5\t0.5\t1\n"
        "2\t2\tPlayer 2\t0.5\t6.50\t4\t0.5\t1\n"
        "3\t4\tPlayer 4\t1.0\t5.00\t3\t1.0\t1\n"
        "4\t3\tPlayer 3\t0.0\t2.00\t2\t0.0\t1\n"
    )
    assert run("standings", "--tiebreaks", "KT", season).out.splitlines()[0] == "1\t1\tPlayer 1\t0.5\t7.00"


def test_options(run: Run, season: Path):
    """By hand: 1 and 2 may meet at once and are due the other colour. Without their own value, 1 and 2 take turns."""
    assert run("pair", "--system", "keizer", "--option", "gap=1", season).out == "2\n2 1\n3 4\n"
    assert run("standings", "--system", "keizer", "--option", "self=off", season).out == (
        "1\t4\tPlayer 4\t1.0\t2.00\t5\t1.0\t1\n"
        "2\t1\tPlayer 1\t0.5\t1.75\t4\t0.5\t1\n"
        "3\t2\tPlayer 2\t0.5\t1.75\t3\t0.5\t1\n"
        "4\t3\tPlayer 3\t0.0\t0.00\t2\t0.0\t1\n"
    )


def test_every_reason_is_told(run: Run, season: Path):
    told = run("pair", "--system", "keizer", "--explain", season).out
    assert "    keizer 3.3: Player 1 (1) is number 1 in the ranking (value 5), and Player 4 (4) is number 3" in told
    assert "they met in round 1 and cannot play each other again before round 5" in told


@pytest.mark.parametrize(
    ("command", "option", "problem"),
    [
        (("pair", "--system", "dutch-2026"), "gap=6", "use --option only with --system keizer"),
        (("standings",), "gap=6", "use --option only with --system keizer"),
        (("pair", "--system", "keizer"), "gab=6", "there is no option 'gab'; there are bottom, step,"),
        (("standings", "--system", "keizer"), "bye=much", "bye must be a number such as 4, 0.5 or 2/3, not 'much'"),
    ],
)
def test_options_that_are_refused(run: Run, season: Path, command: tuple[str, ...], option: str, problem: str):
    ended = run(*command, "--option", option, season)
    assert (ended.status, ended.out) == (2, "")
    assert f"{season}: {problem}" in ended.err
