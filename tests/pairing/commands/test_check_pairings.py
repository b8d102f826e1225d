"""`manage.py check_pairings`: one line a round."""

from __future__ import annotations

from pathlib import Path

from tests.pairing.commands.conftest import Run, write
from tests.pairing.trf.lines import player


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
    assert ended.status == 0
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
    assert ended.status == 0
    assert "round 2: differs: file 2-1; rebuilt: no legal round" in ended.out


def test_byes_asked_for_and_absences_stand_as_in_the_file(run: Run, tmp_path: Path):
    path = write(tmp_path / "x.trf", player(1, "   4 w 1"), player(2, "0000 - H"), player(3), player(4, "   1 b 0"))
    assert run("check_pairings", "--system", "fide-1989", path).out == f"{path}: round 1: agrees\n"


def test_an_event_without_rounds_has_nothing_to_check(run: Run, tmp_path: Path):
    assert run("check_pairings", "--system", "fide-1989", write(tmp_path / "x.trf", player(1), player(2))).out == ""


def test_an_unreadable_file_does_not_keep_the_others_from_being_checked(run: Run, tmp_path: Path, evening: Path):
    bad = write(tmp_path / "bad.trf", "001 nonsense")
    ended = run("check_pairings", "--system", "fide-1989", bad, evening)
    assert ended.status == 2
    assert f"{bad}: line 1" in ended.err
    assert len(ended.out.splitlines()) == 2
