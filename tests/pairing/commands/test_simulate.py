"""`manage.py simulate`: a random event as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.engine.trf import read_trf, to_snapshot
from tests.pairing.commands.conftest import Run

PLAN = ("--players", "15", "--rounds", "5", "--byes", "0.05", "--forfeits", "1/20", "--withdrawals", "0.02")


@pytest.mark.parametrize("system", ["fide-1989", "jahr"])
def test_the_file_is_what_the_system_itself_pairs(run: Run, tmp_path: Path, system: str):
    path = tmp_path / "event.trf"
    ended = run("simulate", *PLAN, "--system", system, "--seed", 1, "--output", path)
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    trf = read_trf(path.read_bytes(), name="event.trf")
    assert trf.warnings == ()
    event = to_snapshot(trf, system=system)
    assert (len(event.cards), event.rounds_paired, event.rounds_announced) == (15, 5, 5)
    assert event.pairing_allocated_bye == (1 if system == "jahr" else 2)
    checked = run("check_pairings", "--system", system, path).out.splitlines()
    assert [line.rsplit(": ")[-1] for line in checked] == ["agrees"] * 5


def test_the_same_seed_gives_the_same_file(run: Run, tmp_path: Path):
    files = [tmp_path / name for name in ("a", "b", "c")]
    for path, seed in zip(files, (1, 1, 2), strict=True):
        run("simulate", *PLAN, "--system", "jahr", "--seed", seed, "--output", path)
    first, second, third = (path.read_bytes() for path in files)
    assert first == second != third


def test_an_event_too_small_for_its_rounds(run: Run, tmp_path: Path):
    path = tmp_path / "event.trf"
    ended = run("simulate", "--players", 2, "--rounds", 2, "--system", "jahr", "--seed", 1, "--output", path)
    assert ended.status == 3
    assert "no legal round" in ended.err
    assert not path.exists()


def test_more_players_than_a_file_has_numbers_for(run: Run, tmp_path: Path):
    arguments = ("--rounds", 1, "--system", "jahr", "--seed", 1, "--output", tmp_path / "x")
    ended = run("simulate", "--players", 100_000, *arguments)
    assert ended.status == 2
    assert "expected at most 99999 players" in ended.err


@pytest.mark.parametrize("share", ["1.5", "-0.1", "often", "1/0"])
def test_a_share_is_from_0_to_1(run: Run, tmp_path: Path, share: str):
    arguments = ("--players", 4, "--rounds", 2, "--system", "jahr", "--seed", 1, "--output", tmp_path / "x")
    ended = run("simulate", *arguments, f"--draws={share}")
    assert ended.status == 2
    assert "expected a share from 0 to 1" in ended.err


def test_a_file_that_cannot_be_written(run: Run, tmp_path: Path):
    arguments = ("--players", 4, "--rounds", 2, "--system", "jahr", "--seed", 1)
    ended = run("simulate", *arguments, "--output", tmp_path / "no" / "such" / "folder.trf")
    assert ended.status == 2
    assert "cannot be written" in ended.err
