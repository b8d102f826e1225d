"""`manage.py check_pairings`: one line per round."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pairing.engine.acceleration.progressive import nearest_valid_limits
from pairing.engine.paired_round import PairedRound
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.snapshot import PointSystem, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from pairing.engine.trf import TrfHeader, trf_from_snapshot, write_trf
from tests.pairing.cli.conftest import Run, write
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player

ROOT = Path(__file__).resolve().parents[3]


def test_rounds_that_agree_and_rounds_that_differ(run: Run, tmp_path: Path):
    """Round 1 is top half against bottom half; in round 2 the winners should have met, and the losers."""
    path = write(
        tmp_path / "x.trf",
        player(1, "   3 w 1", "   4 b 1"),
        player(2, "   4 b 1", "   3 w 1"),
        player(3, "   1 b 0", "   2 b 0"),
        player(4, "   2 w 0", "   1 w 0"),
    )
    ended = run("check_pairings", "--system", "fide-1989", path)
    assert ended.status == 1
    first, second = ended.out.splitlines()
    assert first == f"{path}: round 1: agrees"
    assert second.startswith(f"{path}: round 2: differs: file 2-3 4-1; rebuilt ")


def test_a_bye_is_a_pair_with_0(run: Run, tmp_path: Path):
    path = write(tmp_path / "x.trf", player(1, "0000 - U"), player(2, "   3 w 1"), player(3, "   2 b 0"))
    ended = run("check_pairings", "--system", "jahr", path)
    assert ended.out == f"{path}: round 1: differs: file 1-0 2-3; rebuilt 1-2 3-0\n"


def test_a_round_no_system_could_have_made(run: Run, tmp_path: Path):
    """Two players cannot meet twice: the second round has no legal pairing at all."""
    path = write(tmp_path / "x.trf", player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0"))
    ended = run("check_pairings", "--system", "fide-1989", path)
    assert ended.status == 3
    illegal = "round 2: illegal: fide-1989 art. 2 (2 and 1 already met in round 1); file 2-1; rebuilt: no legal pairing"
    assert f"{path}: {illegal}" in ended.out


def test_the_same_as_json(run: Run, tmp_path: Path):
    path = write(tmp_path / "x.trf", player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0"))
    ended = run("check_pairings", "--system", "dutch-1992", "--format", "json", path)
    assert ended.status == 3
    told = json.loads(ended.out)
    assert (told["file"], told["system"]) == (str(path), "dutch-1992")
    first, second = told["rounds"]
    assert (first["round"], first["verdict"], first["breaches"]) == (1, "agrees", [])
    assert (second["verdict"], second["file"], second["rebuilt"]) == ("illegal", [[2, 1]], [])
    assert second["breaches"] == [{"article": "dutch-1992 B1", "kind": "met", "players": [2, 1], "round": 1}]
    assert "no legal pairing" in second["impossible"]


def test_the_worst_of_several_files_is_the_status(run: Run, tmp_path: Path, evening: Path):
    illegal = write(tmp_path / "x.trf", player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0"))
    bad = write(tmp_path / "bad.trf", "001 nonsense")
    assert run("check_pairings", "--system", "fide-1989", illegal, bad).status == 3
    assert run("check_pairings", "--system", "fide-1989", illegal, evening).status == 3


def test_a_folder_stands_for_its_report_files(run: Run, tmp_path: Path):
    folder = tmp_path / "batch"
    folder.mkdir()
    second = write(folder / "b.trf", "XXC white1", *FOUR_AFTER_TWO_ROUNDS)
    first = write(folder / "a.TRF", "XXC white1", player(1, "   2 w 1"), player(2, "   1 b 0"))
    write(folder / "notes.md", "not an event")
    ended = run("check_pairings", "--system", "fide-1989", folder)
    assert [line.partition(": round")[0] for line in ended.out.splitlines()] == [str(first), str(second), str(second)]
    assert ended.err.splitlines()[-1] == "2 files, 3 rounds: 3 agree, 0 differ, 0 illegal"
    assert ended.status == 0
    empty = tmp_path / "empty"
    empty.mkdir()
    ended = run("check_pairings", "--system", "fide-1989", empty)
    assert (ended.status, f"{empty}: no report files (.trf) in this folder" in ended.err) == (2, True)


def test_a_history_nobody_can_have_is_named(run: Run, tmp_path: Path):
    """The arbiter gave one player three byes, and a pair met twice."""
    path = write(
        tmp_path / "x.trf",
        player(1, "0000 - U", "0000 - U", "0000 - U"),
        player(2, "   3 w 1", "   3 b 1", "   3 w 1"),
        player(3, "   2 b 0", "   2 w 0", "   2 b 0"),
    )
    ended = run("check_pairings", "--system", "fide-1989", path)
    assert "1 can't have the bye after round 1" in ended.out.splitlines()[2]
    assert "3 and 2 already met in round 1" in ended.out.splitlines()[1]


def test_byes_asked_for_and_absences_stand_as_in_the_file(run: Run, tmp_path: Path):
    path = write(tmp_path / "x.trf", player(1, "   4 w 1"), player(2, "0000 - H"), player(3), player(4, "   1 b 0"))
    assert run("check_pairings", "--system", "fide-1989", path).out == f"{path}: round 1: agrees\n"


def test_without_a_colour_line_round_1_tells_the_initial_colour(run: Run, tmp_path: Path):
    """1 had Black in round 1. By 14.2 of 1989 the other odd numbers of the upper half then have Black, too."""
    lines = (
        player(1, "   4 b 1"),
        player(2, "   5 w 1"),
        player(3, "   6 b 1"),
        player(4, "   1 w 0"),
        player(5, "   2 b 0"),
        player(6, "   3 w 0"),
    )
    path = write(tmp_path / "x.trf", *lines)
    ended = run("check_pairings", "--system", "fide-1989", path)
    assert (ended.status, ended.out) == (0, f"{path}: round 1: agrees\n")
    assert f"{path}: the initial colour is missing, so it is taken from round 1: black" in ended.err
    told = json.loads(run("check_pairings", "--system", "fide-1989", "--format", "json", path).out)
    assert told["initial_colour"] == {"colour": "black", "from": "round 1"}
    stated = write(tmp_path / "y.trf", "XXC white1", *lines)
    ended = run("check_pairings", "--system", "fide-1989", stated)
    assert (ended.status, ended.err) == (1, "")
    told = json.loads(run("check_pairings", "--system", "fide-1989", "--format", "json", stated).out)
    assert told["initial_colour"] == {"colour": "white", "from": "file"}


def test_a_round_1_without_games_does_not_tell_the_initial_colour(run: Run, tmp_path: Path):
    path = write(tmp_path / "x.trf", player(1, "   2 - +"), player(2, "   1 - -"))
    ended = run("check_pairings", "--system", "fide-1989", path)
    assert f"{path}: the initial colour is missing, and round 1 doesn't show it: white is assumed" in ended.err


ONLY_THE_LAST_ROUND_MAY = (
    player(1, "   3 w 1", "   4 w 1", "   2 b ="),
    player(2, "   4 w 1", "   3 w 1", "   1 w ="),
    player(3, "   1 b 0", "   2 b 0", "   4 b ="),
    player(4, "   2 b 0", "   1 b 0", "   3 w ="),
)
"""1 and 2 had White twice, 3 and 4 Black: by article 13 of 1989 they may meet in the last round, and only then.

By 12.4 the smaller number gets the due colour above the median, so 1 has Black. Below it the larger one does, so 4 has
White.
"""


@pytest.mark.parametrize(("line", "said"), [("XXR 3", "agrees"), ("XXR 4", "illegal")])
def test_the_number_of_rounds_tells_the_last(run: Run, tmp_path: Path, line: str, said: str):
    path = write(tmp_path / "x.trf", line, "XXC white1", *ONLY_THE_LAST_ROUND_MAY)
    third = run("check_pairings", "--system", "fide-1989", path).out.splitlines()[2]
    assert third.startswith(f"{path}: round 3: {said}")
    assert "last round" not in third


def test_without_a_number_of_rounds_the_last_round_of_the_file_may_be_the_last(run: Run, tmp_path: Path):
    path = write(tmp_path / "x.trf", "XXC white1", *ONLY_THE_LAST_ROUND_MAY)
    third = run("check_pairings", "--system", "fide-1989", path).out.splitlines()[2]
    assert third == f"{path}: round 3: agrees if this was the last round"
    rounds = json.loads(run("check_pairings", "--system", "fide-1989", "--format", "json", path).out)["rounds"]
    assert [(each["verdict"] == "agrees", each["if_last"]) for each in rounds[2:]] == [(True, True)]
    turned = [line.replace("   2 b =", "   2 w =").replace("   1 w =", "   1 b =") for line in ONLY_THE_LAST_ROUND_MAY]
    other = write(tmp_path / "y.trf", "XXC white1", *turned)
    third = run("check_pairings", "--system", "fide-1989", other).out.splitlines()[2]
    assert third == f"{other}: round 3: differs (legal if this was the last round): file 1-2; rebuilt 2-1"


def test_standings_by_the_tie_breaks_of_the_file(run: Run, tmp_path: Path):
    """1 and 2 have 1½ points. 1 beat 3 (1 point) and 2 beat 4 (none), so 1 has the higher Sonneborn-Berger."""
    right = write(tmp_path / "x.trf", "212 PTS,SB", *FOUR_AFTER_TWO_ROUNDS)
    assert run("check_pairings", "--system", "fide-1989", right).out.splitlines()[-1] == f"{right}: standings: agree"
    one, two, *rest = FOUR_AFTER_TWO_ROUNDS
    wrong = write(tmp_path / "y.trf", "212 PTS,SB", one[:85] + "   2" + one[89:], two[:85] + "   1" + two[89:], *rest)
    ended = run("check_pairings", "--system", "fide-1989", wrong)
    assert ended.status == 1
    said = "standings: differ by PTS, SB: player 1 has rank 2 instead of 1; player 2 has rank 1 instead of 2"
    assert ended.out.splitlines()[-1] == f"{wrong}: {said}"
    told = json.loads(run("check_pairings", "--system", "fide-1989", "--format", "json", wrong).out)
    assert told["standings"]["tie_breaks"] == ["SB"]
    assert told["standings"]["differ"] == [
        {"player": 1, "file": 2, "expected": [1, 1]},
        {"player": 2, "file": 1, "expected": [2, 2]},
    ]


def test_tied_players_may_have_any_of_their_ranks(run: Run, tmp_path: Path):
    """By points alone 1 and 2 share ranks 1 and 2."""
    one, two, *rest = FOUR_AFTER_TWO_ROUNDS
    for first, second in ((1, 2), (2, 1), (1, 1)):
        lines = (one[:85] + f"{first:>4}" + one[89:], two[:85] + f"{second:>4}" + two[89:], *rest)
        path = write(tmp_path / "x.trf", "212 PTS", *lines)
        assert run("check_pairings", "--system", "fide-1989", path).out.splitlines()[-1] == f"{path}: standings: agree"
    path = write(tmp_path / "x.trf", "212 PTS", one[:85] + "   3" + one[89:], two, *rest)
    said = "standings: differ by PTS: player 1 has rank 3 instead of 1 to 2"
    assert run("check_pairings", "--system", "fide-1989", path).out.splitlines()[-1] == f"{path}: {said}"


def test_standings_are_checked_if_a_list_of_tie_breaks_is_known(run: Run, tmp_path: Path):
    path = write(tmp_path / "x.trf", *FOUR_AFTER_TWO_ROUNDS)
    assert ": standings: " not in run("check_pairings", "--system", "fide-1989", path).out
    asked = run("check_pairings", "--system", "fide-1989", "--tiebreaks", "SB", path)
    assert asked.out.splitlines()[-1] == f"{path}: standings: agree"
    unknown = write(tmp_path / "y.trf", "212 PTS,ABC", *FOUR_AFTER_TWO_ROUNDS)
    ended = run("check_pairings", "--system", "fide-1989", unknown)
    assert ": standings: " not in ended.out
    assert "standings aren't checked: there is no tie-break ABC" in ended.err
    assert run("check_pairings", "--system", "fide-1989", "--tiebreaks", "ABC", path).status == 2


def test_an_event_without_rounds_has_nothing_to_check(run: Run, tmp_path: Path):
    assert run("check_pairings", "--system", "fide-1989", write(tmp_path / "x.trf", player(1), player(2))).out == ""


def test_an_unreadable_file_does_not_keep_the_others_from_being_checked(run: Run, tmp_path: Path, evening: Path):
    bad = write(tmp_path / "bad.trf", "001 nonsense")
    ended = run("check_pairings", "--system", "fide-1989", bad, evening)
    assert ended.status == 2
    assert f"{bad}: line 1" in ended.err
    assert len(ended.out.splitlines()) == 2


WAYS = [
    *((system, "none", "") for system in SWISS_SYSTEMS),
    *((system, acceleration, "") for system in SWISS_SYSTEMS for acceleration in ("baku", "progressive")),
    ("jahr", "none", "dutch-1992"),
    ("jahr", "progressive", "dutch-1992"),
]


def played_by(folder: Path, system: str, acceleration: str, procedure: str) -> Path:
    """An event of 17 players and 5 rounds, paired in this way, as a file."""

    def pair(before: TournamentSnapshot) -> PairedRound:
        limits = nearest_valid_limits([card.rating for card in before.cards]) if acceleration == "progressive" else None
        way = replace(before, acceleration=acceleration, group_limits=limits, procedure=procedure or None)
        return PAIRING_SYSTEMS[system](way)

    worth = 1 if system == "jahr" else 2
    plan = SimulationPlan(
        players=17,
        rounds=5,
        system=system,
        seed=3,
        byes=Fraction(1, 20),
        points=PointSystem(pairing_allocated_bye=worth),
    )
    path = folder / "event.trf"
    event = simulate_event(plan, pair)
    ranks = {card.tpn: card.tpn for card in event.cards}
    path.write_bytes(write_trf(trf_from_snapshot(event, header=TrfHeader(tournament="Made up"), ranks=ranks)))
    return path


def options_for(system: str, acceleration: str, procedure: str) -> list[str]:
    options = ["--system", system, "--acceleration", acceleration]
    if acceleration == "progressive":
        options += ["--groups", "auto"]
    return options + (["--procedure", procedure] if procedure else [])


@pytest.mark.parametrize("way", WAYS)
def test_an_event_paired_in_any_way_agrees_when_checked_in_that_way(way, run: Run, tmp_path: Path):
    path = played_by(tmp_path, *way)
    ended = run("check_pairings", *options_for(*way), path)
    assert ended.out.splitlines() == [f"{path}: round {number}: agrees" for number in range(1, 6)]


@pytest.mark.parametrize(
    ("played", "checked"),
    [
        (("fide-1989", "none", ""), ("dubov-1997", "none", "")),
        (("fide-1989", "none", ""), ("fide-1989", "progressive", "")),
        (("dutch-1992", "baku", ""), ("dutch-1992", "none", "")),
        (("jahr", "none", "dutch-1992"), ("jahr", "none", "")),
    ],
)
def test_an_event_checked_in_another_way_differs(played, checked, run: Run, tmp_path: Path):
    path = played_by(tmp_path, *played)
    assert "differs: file " in run("check_pairings", *options_for(*checked), path).out


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path):
    """As `check_pairings ... | head -n 0`: no traceback, and the exit status of a closed pipe."""
    event = write(tmp_path / "event.trf", "XXC white1", *FOUR_AFTER_TWO_ROUNDS)
    command = [sys.executable, "manage.py", "check_pairings", "--system", "fide-1989", event]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)
