"""`manage.py simulate`: a random event as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.engine.simulator import SIMULATION_PRESETS
from pairing.engine.snapshot import Result, TournamentSnapshot
from pairing.engine.systems import SWISS_SYSTEMS
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.cli.conftest import Run

PLAN = ("--players", "15", "--rounds", "5", "--byes", "0.05", "--forfeits", "1/20", "--withdrawals", "0.02")


@pytest.mark.parametrize("system", ["fide-1989", "jahr"])
def test_the_file_is_what_the_system_itself_pairs(run: Run, tmp_path: Path, system: str):
    path = tmp_path / "event.trf"
    ended = run("simulate", *PLAN, "--system", system, "--seed", 1, "--output", path)
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    trf = read_trf(path.read_bytes(), name="event.trf")
    assert trf.warnings == ()
    event = snapshot_from_trf(trf, system=system)
    assert (len(event.cards), event.rounds_paired, event.rounds_announced) == (15, 5, 5)
    assert event.points.pairing_allocated_bye == (1 if system == "jahr" else 2)
    checked = run("check_pairings", "--system", system, path).out.splitlines()
    assert [line.rsplit(": ")[-1] for line in checked] == ["agrees"] * 5


def test_the_same_seed_gives_the_same_file(run: Run, tmp_path: Path):
    files = [tmp_path / name for name in ("a", "b", "c")]
    for path, seed in zip(files, (1, 1, 2), strict=True):
        run("simulate", *PLAN, "--system", "jahr", "--seed", seed, "--output", path)
    first, second, third = (path.read_bytes() for path in files)
    assert first == second != third


def test_a_batch_is_the_same_as_one_event_after_another(run: Run, tmp_path: Path):
    batch, one = tmp_path / "new" / "batch", tmp_path / "one.trf"
    way = (*PLAN, "--system", "jahr", "--seed", 7)
    ended = run("simulate", *way, "--events", 3, "--output-dir", batch)
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    assert sorted(path.name for path in batch.iterdir()) == ["7.trf", "8.trf", "9.trf"]
    run("simulate", *PLAN, "--system", "jahr", "--seed", 8, "--output", one)
    assert (batch / "8.trf").read_bytes() == one.read_bytes()
    assert run("check_pairings", "--system", "jahr", batch).status == 0


def test_an_event_that_cannot_be_played_does_not_stop_the_batch(run: Run, tmp_path: Path):
    way = ("simulate", "--players", 4, "--rounds", 3, "--system", "fide-1989", "--seed", 1)
    ended = run(*way, "--withdrawals", "0.3", "--events", 12, "--output-dir", tmp_path)
    written = {int(path.stem) for path in tmp_path.iterdir()}
    refused = {int(line.split()[1].strip(":")) for line in ended.err.splitlines() if line.startswith("seed ")}
    assert (ended.status, written | refused, written & refused) == (3, set(range(1, 13)), set())
    assert f"{len(refused)} of 12 events failed" in ended.err
    assert written
    assert refused


@pytest.mark.parametrize("where", [(), ("--output", "x", "--output-dir", "y"), ("--output", "x", "--events", "2")])
def test_one_file_or_one_folder(run: Run, where: tuple[str, ...]):
    ended = run("simulate", *PLAN, "--system", "jahr", "--seed", 1, *where)
    assert ended.status == 2
    assert "use either --output FILE, or --output-dir DIR" in ended.err


def test_an_event_too_small_for_its_rounds(run: Run, tmp_path: Path):
    path = tmp_path / "event.trf"
    ended = run("simulate", "--players", 2, "--rounds", 2, "--system", "jahr", "--seed", 1, "--output", path)
    assert ended.status == 3
    assert "no legal pairing" in ended.err
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
    assert "can't be written" in ended.err


@pytest.mark.parametrize("regime", SIMULATION_PRESETS)
@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_every_regime_gives_events_that_the_system_itself_pairs(run: Run, tmp_path: Path, system: str, regime: str):
    path = tmp_path / "event.trf"
    simulate(run, path, system, regime)
    checked = run("check_pairings", "--system", system, path)
    # The arbiter may have swapped the colours.
    expected = {"agrees"} if regime != "odd-colours" else {"agrees", "differs", "illegal"}
    assert {line.split(": ")[2] for line in checked.out.splitlines() if ": round " in line} <= expected
    if regime != "odd-colours":
        assert not checked.status


@pytest.mark.parametrize("regime", SIMULATION_PRESETS)
def test_every_regime_repeats_itself_by_its_seed(run: Run, tmp_path: Path, regime: str):
    paths = [tmp_path / "a.trf", tmp_path / "b.trf"]
    for path in paths:
        simulate(run, path, "fide-1989", regime)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def simulate(run: Run, path: Path, system: str, regime: str) -> None:
    arguments = ("--players", 12, "--rounds", 5, "--regime", regime)
    assert run("simulate", *arguments, "--system", system, "--seed", 4, "--output", path).status == 0


def event_of(run: Run, path: Path, *arguments: object) -> TournamentSnapshot:
    ended = run("simulate", "--system", "dutch-1992", "--seed", 4, "--output", path, *arguments)
    assert (ended.status, ended.err) == (0, "")
    return snapshot_from_trf(read_trf(path.read_bytes(), name="event.trf"), system="dutch-1992")


def test_what_the_regimes_are(run: Run, tmp_path: Path):
    path = tmp_path / "x.trf"
    plan = ("--players", 20, "--rounds", 6)
    assert len({card.rating for card in event_of(run, path, *plan, "--regime", "equal").cards}) == 1
    ratings = [card.rating for card in event_of(run, path, *plan, "--profile", "strong").cards]
    assert sum(rating >= 2400 for rating in ratings) == 2
    assert max(rating for rating in ratings if rating < 2400) < 1500
    forbidden = event_of(run, path, *plan, "--forbidden-pairs", 7)
    assert len(forbidden.forbidden_pairs) == 7
    met = {frozenset((card.tpn, each.opponent)) for card in forbidden.cards for each in card.records if each.opponent}
    assert not met & forbidden.forbidden_pairs
    late = event_of(run, path, *plan, "--late", "0.5")
    comers = [card for card in late.cards if card.records[0].result is Result.ABSENT]
    assert comers
    assert all(card.records[2].result is not Result.ABSENT for card in comers)
    unrated = event_of(run, path, *plan, "--unrated", 1)
    assert not any(each.result in (Result.WIN, Result.DRAW) for card in unrated.cards for each in card.records)


def test_near_a_round_robin_almost_everybody_meets(run: Run, tmp_path: Path):
    event = event_of(run, tmp_path / "x.trf", "--players", 10, "--regime", "near-round-robin")
    assert 5 <= event.rounds_paired <= 8
    assert event.rounds_announced == 8


def test_an_acceleration_is_written_as_points_that_every_program_reads(run: Run, tmp_path: Path):
    path = tmp_path / "x.trf"
    event = event_of(run, path, "--players", 20, "--rounds", 7, "--acceleration", "baku")
    assert {card.fictitious[:1] for card in event.cards} == {(), (2,)}
    assert run("check_pairings", "--system", "dutch-1992", path).status == 0


def test_rounds_are_needed(run: Run, tmp_path: Path):
    ended = run("simulate", "--players", 8, "--system", "jahr", "--seed", 1, "--output", tmp_path / "x")
    assert (ended.status, "--rounds is required" in ended.err) == (2, True)
