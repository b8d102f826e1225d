"""`manage.py pair`: output, exit statuses and error messages, as scripts rely on them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pairing.engine.systems import SWISS_SYSTEMS
from tests.pairing.cli.conftest import Run, write
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player

BLOCKED = (
    player(1, "   2 w =", "   3 b =", "   4 w ="),
    player(2, "   1 b =", "   4 w =", "   3 b ="),
    player(3, "   4 w =", "   1 w =", "   2 w ="),
    player(4, "   3 b =", "   2 b =", "   1 b ="),
)


# -- What is refused -----------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there(run: Run, tmp_path: Path):
    ended = run("pair", "--system", "fide-1989", tmp_path / "no.trf")
    assert (ended.status, ended.out) == (2, "")
    assert f"{tmp_path / 'no.trf'}: can't be read" in ended.err


def test_a_folder_in_place_of_a_file(run: Run, tmp_path: Path):
    assert run("pair", "--system", "fide-1989", tmp_path).status == 2


def test_a_malformed_line_is_named_with_file_line_column_and_what_was_expected(run: Run, tmp_path: Path):
    bad = write(tmp_path / "bad.trf", *FOUR_AFTER_TWO_ROUNDS[:3], FOUR_AFTER_TWO_ROUNDS[3].replace(" w 0", " w ?"))
    ended = run("pair", "--system", "fide-1989", bad)
    assert (ended.status, ended.out) == (2, "")
    assert f"{bad}: line 4, column 99: expected a result: 1 = 0 W D L + - H F Z U, found '?'" in ended.err


def test_a_round_with_open_games(run: Run, tmp_path: Path):
    ended = run("pair", "--system", "jahr", write(tmp_path / "x.trf", player(1, "   2 w  "), player(2, "   1 b  ")))
    assert ended.status == 2
    assert "line 1, column 99: expected a result of round 1" in ended.err


@pytest.mark.parametrize("system", sorted(SWISS_SYSTEMS))
def test_no_legal_round_names_the_players_who_block_it(run: Run, tmp_path: Path, system: str):
    blocked = write(tmp_path / "blocked.trf", *BLOCKED)
    ended = run("pair", "--system", system, blocked)
    assert (ended.status, ended.out) == (3, "")
    assert f"{blocked}: no legal pairing" in ended.err
    assert "players 1, 2, 3, 4 can't all be paired with each other and have no other possible opponents" in ended.err
    assert "bye" not in ended.err


@pytest.mark.parametrize("system", sorted(SWISS_SYSTEMS))
def test_no_legal_round_says_on_whom_too_many_depend_and_that_no_bye_helps(run: Run, tmp_path: Path, system: str):
    lines = (player(1, "   2 w 1", "0000 - U"), player(2, "   1 b 0", "0000 - U"), player(3, "0000 - U", "0000 - U"))
    ended = run("pair", "--system", system, write(tmp_path / "x.trf", *lines))
    assert ended.status == 3
    assert "players 1, 2 can't all be paired, because too many of them depend on players 3" in ended.err
    assert "no permitted bye helps" in ended.err


def test_a_team_event_is_not_paired_as_if_its_players_played_for_themselves(run: Run, tmp_path: Path):
    lines = ("310   1 Wieże                                        1    2", player(1), player(2))
    ended = run("pair", "--system", "jahr", write(tmp_path / "x.trf", *lines))
    assert (ended.status, ended.out) == (2, "")
    assert "line 1, column 1: expected an individual event: this is a team event" in ended.err


def test_several_byes_in_a_round_and_points_that_are_not_the_sum_are_said(run: Run, tmp_path: Path):
    lines = (player(1, "   2 w 1", points="2.0"), player(2, "   1 b 0"), player(3, "0000 - U"), player(4, "0000 - U"))
    ended = run("pair", "--system", "fide-1989", write(tmp_path / "x.trf", *lines))
    assert ended.status == 0
    assert "warning: line 4, column 99: round 1 has 2 pairing-allocated byes" in ended.err
    assert "warning: line 1, column 81: points 2.0 stated, 1.0 found" in ended.err


def test_a_round_for_nobody(run: Run, tmp_path: Path):
    ended = run(
        "pair", "--system", "fide-1989", write(tmp_path / "x.trf", player(1, "0000 - H"), player(2, "0000 - Z"))
    )
    assert ended.status == 2
    assert "no players to pair in round 1" in ended.err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--system", "berger"), "invalid choice: 'berger'"),
        ((), "--system"),
        (("--system", "fide-1989", "--rounds", "0"), "expected a whole number from 1"),
        (("--system", "fide-1989", "--groups", "2000"), "expected 2 ratings such as 2000,1600, or auto"),
        (("--system", "fide-1989", "--groups", "1600,2000"), "the higher one first"),
        (("--system", "fide-1989", "--groups", "1800,1800"), "the higher one first"),
        (("--system", "fide-1989", "--groups", "2000,1600"), "use --groups only with --acceleration progressive"),
        (("--system", "fide-1989", "--procedure", "fide-1989"), "use --procedure only with --system jahr"),
        (("--system", "fide-1989", "--acceleration", "lunar"), "invalid choice: 'lunar'"),
    ],
)
def test_options_that_cannot_be(run: Run, evening: Path, arguments: tuple[str, ...], text: str):
    ended = run("pair", *arguments, evening)
    assert (ended.status, ended.out) == (2, "")
    assert text in ended.err


def test_an_acceleration_needs_the_number_of_rounds(run: Run, tmp_path: Path):
    start = write(tmp_path / "start.trf", *(player(tpn, rating=2200 - 100 * tpn) for tpn in range(1, 9)))
    assert run("pair", "--system", "fide-1989", "--acceleration", "baku", start).status == 2
    assert run("pair", "--system", "fide-1989", "--acceleration", "baku", "--rounds", "5", start).status == 0


def test_groups_that_break_the_shares_are_refused_with_the_nearest_that_fit(run: Run, tmp_path: Path):
    start = write(tmp_path / "start.trf", "XXR 5", *(player(tpn, rating=1900 - 50 * tpn) for tpn in range(1, 9)))
    ended = run("pair", "--system", "fide-1989", "--acceleration", "progressive", start)
    assert ended.status == 2
    assert "A 0 of 8 (0.0%)" in ended.err
    assert "the nearest limits that fit are" in ended.err
    assert run("pair", "--system", "fide-1989", "--acceleration", "progressive", "--groups", "auto", start).status == 0


def test_no_groups_fit_a_field_of_equals(run: Run, tmp_path: Path):
    start = write(tmp_path / "start.trf", "XXR 5", *(player(tpn, rating=1800) for tpn in range(1, 9)))
    ended = run("pair", "--system", "fide-1989", "--acceleration", "progressive", "--groups", "auto", start)
    assert ended.status == 2
    assert "no limits fit" in ended.err


# -- What is printed -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["fide-1989", "jahr"])
def test_one_file_prints_the_number_of_pairs_and_a_line_a_board(run: Run, evening: Path, system: str):
    ended = run("pair", "--system", system, evening)
    assert (ended.status, ended.err) == (0, "")
    # Only these pairs have not met. 1 and 2 have the same score, so the sum of both players' scores puts 2-3 first.
    first, *boards = ended.out.splitlines()
    assert first == "2"
    assert [set(map(int, board.split())) for board in boards] == [{2, 3}, {1, 4}]


def test_the_bye_is_a_pair_with_0_and_stands_last(run: Run, tmp_path: Path):
    three = write(tmp_path / "x.trf", player(1), player(2), player(3))
    assert run("pair", "--system", "fide-1989", three).out == "2\n1 2\n3 0\n"


def test_the_first_colour_of_the_file(run: Run, tmp_path: Path):
    four = (player(1), player(2), player(3), player(4))
    assert run("pair", "--system", "fide-1989", write(tmp_path / "w.trf", *four)).out == "2\n1 3\n4 2\n"
    assert run("pair", "--system", "fide-1989", write(tmp_path / "b.trf", "XXC black1", *four)).out == "2\n3 1\n2 4\n"


def test_who_has_an_entry_for_the_round_is_not_paired(run: Run, tmp_path: Path):
    field = (player(1), player(2, "0000 - H"), player(3), player(4), player(5, "0000 - -"))
    assert run("pair", "--system", "fide-1989", write(tmp_path / "x.trf", *field)).out == "2\n1 3\n4 0\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1250"])
def test_every_encoding_and_line_end_gives_the_same(run: Run, tmp_path: Path, newline: str, encoding: str):
    lines = [line.replace("Player 1", "Żółć, Ł.") for line in FOUR_AFTER_TWO_ROUNDS]
    path = tmp_path / "x.trf"
    path.write_bytes(newline.join((*lines, "XXR 3", "")).encode(encoding))
    ended = run("pair", "--system", "fide-1989", "--explain", path)
    assert ended.status == 0
    assert "Żółć, Ł. (1)" in ended.out


def test_explanations_stand_under_each_pair_with_their_articles(run: Run, evening: Path):
    out = run("pair", "--system", "fide-1989", "--explain", evening).out
    lines = out.splitlines()
    boards = [place for place, line in enumerate(lines) if place and line[0].isdigit()]
    assert len(boards) == 2
    for start, end in zip(boards, [*boards[1:], len(lines)], strict=True):
        summary, *reasons = lines[start + 1 : end]
        assert " list" in summary
        assert " has White against " in summary
        assert reasons
        assert all(line.startswith("    fide-1989 art. ") and line.endswith(".") for line in reasons)


def test_explanations_say_who_of_the_group_is_paired_floats_or_has_the_bye(run: Run, tmp_path: Path):
    event = write(
        tmp_path / "x.trf",
        "XXR 5",
        player(1, "   3 w 1"),
        player(2, "   4 b 1"),
        player(3, "   1 b 0"),
        player(4, "   2 w 0"),
        player(5, "0000 - U"),
    )
    out = run("pair", "--system", "fide-1989", "--explain", event).out
    top, both, bye = (line for line in out.splitlines() if "art. 9.2" in line or "art. 8.1" in line)
    # 2 floats down and 3 floats up to the median group. 4 of the lowest group has the bye.
    assert top.endswith(" above the median. Not paired in this group: Player 2 (2) (to score group ½).")
    assert both.endswith(
        " Floated into this group: Player 2 (2) (from score group 1); Player 3 (3) (from score group 0)."
    )
    assert bye.endswith(" Not paired in this group: Player 3 (3) (to score group ½).")


def test_without_explain_nothing_stands_between_the_pairs(run: Run, evening: Path):
    assert all(len(line.split()) == 2 for line in run("pair", "--system", "jahr", evening).out.splitlines()[1:])


def test_json_holds_the_round_as_data(run: Run, tmp_path: Path):
    event = write(tmp_path / "x.trf", "XXR 5", player(1, "   2 w 1"), player(2, "   1 b 0"), player(3, "0000 - U"))
    answer = json.loads(run("pair", "--system", "fide-1989", "--format", "json", event).out)
    assert {"system", "acceleration", "round", "boards", "bye", "players"} <= set(answer)
    assert (answer["system"], answer["acceleration"], answer["round"], answer["bye"]) == ("fide-1989", "none", 2, 2)
    (board,) = answer["boards"]
    assert (board["board"], {board["white"], board["black"]}) == (1, {1, 3})
    assert board["reasons"]
    assert all({"article", "kind", "players", "facts"} == set(why) for why in board["reasons"])
    assert answer["players"] == [
        {"tpn": tpn, "score": score, "fictitious": 0.0, "pairing_score": score}
        for tpn, score in ((1, 1.0), (2, 0.0), (3, 1.0))
    ]


def test_json_without_a_bye_says_null(run: Run, evening: Path):
    assert json.loads(run("pair", "--system", "jahr", "--format", "json", evening).out)["bye"] is None


def test_json_holds_fictitious_points(run: Run, tmp_path: Path):
    start = write(tmp_path / "x.trf", "XXR 5", *(player(tpn) for tpn in range(1, 5)), "XXA    1  1.0")
    first = json.loads(run("pair", "--system", "fide-1989", "--format", "json", start).out)["players"][0]
    assert first == {"tpn": 1, "score": 0.0, "fictitious": 1.0, "pairing_score": 1.0}


def test_a_warning_is_said_beside_the_answer(run: Run, tmp_path: Path):
    lines = [line.replace(" 0.0 ", " 7.0 ") for line in FOUR_AFTER_TWO_ROUNDS]
    ended = run("pair", "--system", "fide-1989", write(tmp_path / "x.trf", *lines))
    assert ended.status == 0
    assert ended.out.startswith("2\n")
    assert "warning: line 4, column 81: points 7.0 stated, 0.0 found" in ended.err


def test_a_round_beyond_those_announced_is_a_warning(run: Run, tmp_path: Path):
    ended = run("pair", "--system", "fide-1989", write(tmp_path / "x.trf", "XXR 2", *FOUR_AFTER_TWO_ROUNDS))
    assert ended.status == 0
    assert "warning: round 3 will be paired, but the file states only 2 rounds" in ended.err


# -- Several files -------------------------------------------------------------------------------------------------


def test_several_files_are_answered_into_a_folder(run: Run, tmp_path: Path, evening: Path):
    other = write(tmp_path / "other.trf", player(1), player(2))
    ended = run("pair", "--system", "jahr", "--output-dir", tmp_path / "new" / "answers", evening, other)
    assert (ended.status, ended.out) == (0, "")
    answers = tmp_path / "new" / "answers"
    assert sorted(path.name for path in answers.iterdir()) == ["evening.trf.pairs", "other.trf.pairs"]
    assert (answers / "other.trf.pairs").read_text() == "1\n1 2\n"


def test_failing_files_are_named_the_rest_is_paired_and_the_worst_status_counts(
    run: Run, tmp_path: Path, evening: Path
):
    bad = write(tmp_path / "bad.trf", "001 nonsense")
    blocked = write(tmp_path / "blocked.trf", *BLOCKED)
    answers = tmp_path / "answers"
    ended = run("pair", "--system", "jahr", "--output-dir", answers, bad, blocked, evening)
    assert ended.status == 3
    assert f"{bad}: line 1, column 5" in ended.err
    assert f"{blocked}: no legal pairing" in ended.err
    assert [path.name for path in answers.iterdir()] == ["evening.trf.pairs"]
    assert run("pair", "--system", "jahr", "--output-dir", answers, bad, evening).status == 2


def test_several_files_without_a_folder_are_told_apart_by_their_names(run: Run, tmp_path: Path):
    one, two = (write(tmp_path / name, player(1), player(2)) for name in ("one.trf", "two.trf"))
    assert run("pair", "--system", "jahr", one, two).out == f"{one}:\n1\n1 2\n{two}:\n1\n1 2\n"


def test_several_files_as_json_are_one_object_each(run: Run, tmp_path: Path, evening: Path):
    other = write(tmp_path / "other.trf", player(1), player(2))
    lines = run("pair", "--system", "jahr", "--format", "json", evening, other).out.splitlines()
    assert [json.loads(line)["round"] for line in lines] == [3, 1]


@pytest.mark.parametrize("spoilt", ["a folder", "a full disk"])
def test_an_answer_that_cannot_be_written_does_not_keep_the_others_from_it(
    run: Run, tmp_path: Path, evening: Path, spoilt: str
):
    other = write(tmp_path / "other.trf", player(1), player(2))
    answers = tmp_path / "answers"
    answers.mkdir()
    answer = answers / "evening.trf.pairs"
    answer.mkdir() if spoilt == "a folder" else answer.symlink_to("/dev/full")
    ended = run("pair", "--system", "jahr", "--output-dir", answers, evening, other)
    assert ended.status == 2
    assert f"{answer}: can't be written: " in ended.err
    assert (answers / "other.trf.pairs").read_text() == "1\n1 2\n"


def test_two_files_of_one_name_would_overwrite_each_other(run: Run, tmp_path: Path, evening: Path):
    (tmp_path / "more").mkdir()
    twin = write(tmp_path / "more" / "evening.trf", player(1), player(2))
    ended = run("pair", "--system", "jahr", "--output-dir", tmp_path / "answers", evening, twin)
    assert ended.status == 2
    assert "these files have the same name: evening.trf" in ended.err
    assert not (tmp_path / "answers").exists()


# -- As a process --------------------------------------------------------------------------------------------------


def test_a_process_needs_no_database_and_loads_nothing_it_does_not_use(evening: Path, tmp_path: Path):
    code = (
        "import os, sys\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'\n"
        "from django.core.management import execute_from_command_line\n"
        f"execute_from_command_line(['manage.py', 'pair', '--system', 'jahr', {str(evening)!r}])\n"
        "heavy = {'celery', 'weasyprint', 'redis', 'pypdf', 'segno'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[3],
        env={"PATH": "/usr/bin:/bin", "CLUBNIGHT_DATABASE": str(tmp_path / "no-such-database.sqlite3")},
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("2\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command", [("pair", "--system", "jahr"), ("check_pairings", "--system", "jahr"), ("standings",)]
)
def test_an_output_that_cannot_be_written_is_said_in_one_line(command: tuple[str, ...], unbuffered: str, evening: Path):
    """As `pair ... > answer` on a full disk."""
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "manage.py", *command, str(evening)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).resolve().parents[3],
            env={"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (
        2,
        "CommandError: can't write the output: No space left on device\n",
    )


@pytest.mark.parametrize("command", [("pair", "--system", "jahr", "--explain"), ("standings",)])
def test_a_name_that_the_output_has_no_letters_for_is_no_error(command: tuple[str, ...], tmp_path: Path):
    file = write(tmp_path / "x.trf", player(1, name="Измислен, Петър"), player(2))
    ended = subprocess.run(
        [sys.executable, "manage.py", *command, str(file)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[3],
        env={"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "iso8859-2"},
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\\u0418\\u0437" in ended.stdout


# -- Real files ----------------------------------------------------------------------------------------------------


def test_the_difficult_files(run: Run, event_files: Path):
    statuses = {
        "comments.trf": 0,
        "incompatible_colour.trf": 2,
        "incorrect_points.trf": 0,
        "cr_180.trf": 0,
        "cr_60.trf": 0,
        "absent_52.trf": 0,
        "missing_result.trf": 2,
        "no_legal_pairing.trf": 3,
    }
    ended = {name: run("pair", "--system", "fide-1989", event_files / "odd" / name).status for name in statuses}
    assert ended == statuses


@pytest.mark.parametrize("system", ["fide-1989", "jahr"])
def test_real_events_are_paired_legally(run: Run, event_files: Path, system: str):
    for path in sorted(event_files.glob("*_r0[59].trf")):
        ended = run("pair", "--system", system, path)
        assert ended.status == 0
        count, *boards = ended.out.splitlines()
        assert int(count) == len(boards)
        players = [int(tpn) for board in boards for tpn in board.split() if tpn != "0"]
        assert len(players) == len(set(players))
