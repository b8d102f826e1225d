"""Rating list imports: killed and continued, changed from month to month, searched."""

from __future__ import annotations

import os
import random
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from clubs.models import RatingListImport, RatingListPlayer, RatingRegister
from clubs.rating.lists import list_import
from clubs.rating.lists.import_jobs import get_fide_register, rating_kind_from_filename, store_list_for_import
from clubs.rating.lists.player_search import find_listed_players
from common.jobs.queue import LOST_AFTER, cancel_job, run_job
from common.models import Job
from common.text.name_search import normalise_name
from lab.made_up_list import HEADER, lines, write_list
from lab.rating_lists import queries
from tests.clubs.rating.lists.test_reading import ONE_KIND, text_line

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def kept(*texts: str, filename: str = "players_list_foa.txt", kind: str = "") -> RatingListImport:
    data = "".join(f"{text}\r\n" for text in texts).encode("latin-1")
    return store_list_for_import(get_fide_register(), [data], filename, kind=kind, by=None)


def imported(*texts: str, **more: str) -> RatingListImport:
    listed = kept(*texts, **more)
    assert run_job(listed.job_id, list_import.run_list_import)
    listed.refresh_from_db()
    return listed


def everything() -> list:
    fields = ("number", "name", "searched", "federation", "sex", "birth_year", "standard", "rapid", "blitz")
    return list(RatingListPlayer.objects.order_by("number").values_list(*fields))


def numbers_found(query: str) -> list[str]:
    return [player.number for player in find_listed_players([get_fide_register()], query).players]


# -- Refused ---------------------------------------------------------------------------------------------------------


def test_what_is_no_list_fails_with_the_line(tmp_path):
    listed = imported("A letter to the editor")
    assert listed.job.state == Job.State.FAILED
    assert listed.job.error.startswith("Line 1: ")
    assert not RatingListPlayer.objects.exists()


def test_a_file_of_something_else_is_given_up(monkeypatch):
    monkeypatch.setattr(list_import, "MAX_PROBLEMS", 50)
    listed = imported(HEADER, *["rubbish"] * 400)
    assert listed.job.state == Job.State.FAILED
    assert len(listed.problems) == list_import.MAX_PROBLEMS_STORED


def test_the_command_says_what_is_missing(tmp_path):
    with pytest.raises(CommandError, match="File not found"):
        call_command("import_rating_list", str(tmp_path / "gone.txt"))
    with pytest.raises(CommandError, match="Enter the name of a file"):
        call_command("import_rating_list")
    kept(HEADER, text_line())
    write_list(tmp_path / "list.txt", 4)
    with pytest.raises(CommandError, match="Another file is being imported"):
        call_command("import_rating_list", str(tmp_path / "list.txt"))


def test_the_command_says_what_is_wrong_with_a_month_and_a_list(tmp_path):
    for name, options, why in (
        ("list.txt", ["--month", "soon"], "Enter the month like this: 2026-11"),
        ("letter.txt", [], "letter.txt: Line 1: "),
    ):
        (tmp_path / name).write_text("A letter to the editor\r\n")
        with pytest.raises(CommandError, match=why):
            call_command("import_rating_list", str(tmp_path / name), *options)
    assert not RatingListPlayer.objects.exists()


@pytest.mark.parametrize("query", ["1\x00", "\x00", "Nobody \x00"])
def test_a_query_that_no_database_takes_finds_nobody(query):
    assert numbers_found(query) == []


def test_a_job_is_done_once():
    listed = imported(HEADER, text_line())
    assert not run_job(listed.job_id, list_import.run_list_import)


def test_a_job_that_is_running_is_not_claimed_again():
    listed = kept(HEADER, text_line())
    Job.objects.update(state=Job.State.RUNNING, heartbeat_at=timezone.now())
    assert not run_job(listed.job_id, list_import.run_list_import)
    with pytest.raises(CommandError, match="Another process is importing this list"):
        call_command("import_rating_list")
    Job.objects.update(heartbeat_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    assert run_job(listed.job_id, list_import.run_list_import)


# -- Imported --------------------------------------------------------------------------------------------------------


def test_good_lines_are_imported_and_bad_ones_told():
    listed = imported(HEADER, text_line(number="1"), text_line(number="2", rating="x"), text_line(number="3"))
    assert (listed.job.state, listed.players, listed.skipped) == (Job.State.DONE, 2, 1)
    assert listed.problems[0][:2] == [3, "bad rating"]


class Killed(BaseException):
    """End like a killed process: no more of our code runs."""


@pytest.mark.parametrize("transactions", [1, 4])
def test_an_import_that_was_killed_goes_on_where_it_was(monkeypatch, tmp_path, transactions):
    """Nothing is read twice and nothing is left out: the register equals that of an undisturbed import."""
    made_up = [line.rstrip() for line in lines(900)]
    imported(HEADER, *made_up)
    undisturbed = everything()
    RatingListPlayer.objects.all().delete()

    done = []

    def killed_after_some(pace, seconds):
        done.append(seconds)
        if len(done) == transactions:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(list_import.BatchPacer, "adjust_batch_size_and_pause", killed_after_some)
        listed = kept(HEADER, *made_up)
        with pytest.raises(Killed):
            run_job(listed.job_id, list_import.run_list_import)
    listed.refresh_from_db()
    assert (listed.job.state, listed.line) == (Job.State.RUNNING, 1 + 100 * transactions)
    Job.objects.update(heartbeat_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    call_command("import_rating_list")
    listed.refresh_from_db()
    assert (listed.players, listed.skipped) == (900, 0)
    assert everything() == undisturbed


def test_a_killed_import_of_one_kind_leaves_the_other_kinds_alone(monkeypatch):
    """The kind of list is known from its first line, which is not read again."""
    numbers = range(100, 500)
    imported(HEADER, *(text_line(number=str(n), rating="1850") for n in numbers))
    blitz = [text_line(number=str(n), rating="1700", kind_columns=1) for n in numbers]

    def killed(_pace, _seconds):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(list_import.BatchPacer, "adjust_batch_size_and_pause", killed)
        listed = kept(ONE_KIND, *blitz, filename="blitz_rating_list.txt")
        with pytest.raises(Killed):
            run_job(listed.job_id, list_import.run_list_import)
    Job.objects.update(heartbeat_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    call_command("import_rating_list")
    listed.refresh_from_db()
    assert (listed.job.state, listed.players) == (Job.State.DONE, 400)
    assert set(RatingListPlayer.objects.values_list("standard", "rapid", "blitz")) == {(1850, 1850, 1700)}


def test_who_was_taken_for_dead_writes_nothing_more(monkeypatch):
    """Another import is further ahead: what this one would write is rolled back."""
    listed = kept(HEADER, *(line.rstrip() for line in lines(300)))

    def overtaken(_pace, _seconds):
        RatingListImport.objects.update(line=999)

    monkeypatch.setattr(list_import.BatchPacer, "adjust_batch_size_and_pause", overtaken)
    run_job(listed.job_id, list_import.run_list_import)
    listed.refresh_from_db()
    assert listed.line == 999
    assert listed.job.state == Job.State.CANCELLED
    assert RatingListPlayer.objects.count() == 100


def test_files_of_imports_that_came_to_nothing_are_removed(tmp_path):
    imported("A letter to the editor")
    cancelled = kept(HEADER, text_line())
    cancel_job(cancelled.job)
    kept(HEADER, text_line())
    assert len(list((tmp_path / "rating-lists").iterdir())) == 1


def test_the_next_months_list_changes_names_and_ratings():
    imported(HEADER, text_line(number="1", name="Panna, Ewa"), *(text_line(number=str(n)) for n in range(2, 30)))
    imported(
        HEADER, text_line(number="1", name="Mężatka, Ewa".replace("ę", "e").replace("ż", "z"), rating="1900"),
        *(text_line(number=str(n)) for n in range(2, 30)),
    )  # fmt: skip
    player = RatingListPlayer.objects.get(number="1")
    assert (player.name, player.standard) == ("Mezatka, Ewa", 1900)
    assert not numbers_found("panna")
    assert numbers_found("mezatka") == ["1"]


def test_a_list_of_one_kind_leaves_the_others_alone():
    imported(HEADER, text_line(rating="1850"))
    imported(ONE_KIND, text_line(rating="1700", kind_columns=1), filename="blitz_rating_list.txt")
    player = RatingListPlayer.objects.get()
    assert (player.standard, player.rapid, player.blitz) == (1850, 1850, 1700)


def test_players_gone_from_the_list_no_longer_have_a_rating():
    numbers = range(100, 130)
    imported(HEADER, *(text_line(number=str(n)) for n in numbers))
    imported(HEADER, *(text_line(number=str(n)) for n in numbers if n != 117))
    assert RatingListPlayer.objects.get(standard=0).number == "117"


def test_a_part_of_a_list_takes_nobodys_rating_away():
    imported(HEADER, *(text_line(number=str(n)) for n in range(100, 130)))
    imported(HEADER, text_line(number="100"))
    assert not RatingListPlayer.objects.filter(standard=0).exists()


def test_the_same_player_twice_in_one_list():
    imported(HEADER, text_line(name="Pionek, Jan"), text_line(name="Goniec, Jan"))
    assert RatingListPlayer.objects.get().name == "Goniec, Jan"
    assert not numbers_found("pionek")
    assert numbers_found("goniec") == ["1100"]


@pytest.mark.parametrize(
    ("filename", "kind"),
    [("rapid_rating_list_xml.zip", "rapid"), ("blitz_oct26frl.zip", "blitz"), ("list.txt", "standard")],
)
def test_the_files_name_says_the_kind(filename, kind):
    assert rating_kind_from_filename(filename) == kind


def test_the_command_imports(tmp_path, capsys):
    write_list(tmp_path / "list.txt", 40)
    call_command("import_rating_list", str(tmp_path / "list.txt"))
    assert "40 players, 0 lines" in capsys.readouterr().out
    assert list((tmp_path / "rating-lists").iterdir()) == []


def test_the_command_prints_bad_lines_and_takes_the_month_from_the_files_date(tmp_path, capsys):
    file = tmp_path / "list.txt"
    file.write_text("\r\n".join([HEADER, text_line(number="1"), text_line(number="2", rating="x"), ""]))
    day = datetime(2026, 10, 17, 12, tzinfo=UTC).timestamp()
    os.utime(file, (day, day))
    call_command("import_rating_list", str(file), "--month", "")
    assert "1 players, 1 lines skipped.\n  line 3: bad rating: " in capsys.readouterr().out
    assert RatingListImport.objects.get().month == date(2026, 10, 1)


@pytest.mark.postgresql_alone
def test_nothing_waits_beside_the_index_after_an_import():
    """SQLite's index has every row immediately."""
    imported(HEADER, text_line(number="1", name="Stastny, Bohumil", rating="2100"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('listed_player_parts')")
        assert cursor.fetchone() == (0,), "pages that a search would read whole"


# -- Found -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def listed():
    imported(
        HEADER,
        text_line(number="1", name="Stastny, Bohumil", rating="2100"),
        text_line(number="2", name="Stastna, Zofie", rating="1900"),
        text_line(number="3", name="Bohumilova, Stanislava", rating="1500"),
        text_line(number="17", name="Zhechev, Petar", rating="2200"),
    )


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("nobody", []),
        ("", []),
        ("s", []),
        ("99", []),
        ("17", ["17"]),
        ("Šťastný", ["1"]),
        ("stas", ["1", "2"]),
        ("boh sta", ["1", "3"]),
        ("bohumil", ["1", "3"]),
        ("ny", []),
        ("st nis", ["3"]),
        ("tastny", ["1"]),
        ("chev", ["17"]),
        ("hum sta", ["1", "3"]),
        ("zof stast", ["2"]),
        ("stastna z", ["2"]),
        ("stastna y", []),
        ("Stastny, Bohumil", ["1"]),
        ("Stastny, Karel", []),
        ("Жечев, Петър", ["17"]),
        ("жеч", ["17"]),
        ('" OR "sta', []),
        ("%", []),
    ],
)
@pytest.mark.usefixtures("listed")
def test_players_are_found_by_id_and_by_parts_of_their_names(query, numbers):
    assert numbers_found(query) == numbers
    assert find_listed_players([get_fide_register()], query).is_complete


def test_what_is_found_is_what_reading_all_names_finds():
    """Search texts of all kinds, from the names: whole words, beginnings, middles, two of them, single letters."""
    imported(HEADER, *(line.rstrip() for line in lines(600)))
    names = {
        player.number: sorted(normalise_name(player.name).replace(",", "").split())
        for player in RatingListPlayer.objects.all()
    }
    chance, compared = random.Random(4), 0
    for _ in range(120):
        parts = []
        for word in chance.choice(list(names.values())):
            start = chance.choice((0, 0, 1, 2))
            part = word[start : start + chance.choice((2, 3, 4, 6, 9))]
            parts.append(part if start == 0 or len(part) > 2 else word[:2])
        asked = chance.choice((parts, parts[:1], [parts[0], parts[1][:1]]))
        fitting = {
            number
            for number, words in names.items()
            if all(any(word.startswith(part) or (len(part) > 2 and part in word) for word in words) for part in asked)
        }
        found = find_listed_players([get_fide_register()], " ".join(asked))
        numbers = [player.number for player in found.players]
        if len(fitting) <= 30:
            assert fitting <= set(numbers), asked
            assert len(numbers) <= len(fitting) + 10, "and few whose names only sound so"
            assert found.is_complete
            compared += 1
    assert compared > 40


def test_whoever_the_bench_asks_for_is_found():
    """Twenty of the two hundred texts of each kind."""
    imported(HEADER, *(line.rstrip() for line in lines(2_000, with_spelt_names=True)))
    kinds = {name: asked[::10] for name, asked in queries().items()}
    assert not any(
        find_listed_players([get_fide_register()], query).players for query in kinds.pop("a name that is nobody's")
    )
    for name, asked in kinds.items():
        assert all(find_listed_players([get_fide_register()], query).players for query in asked), name


def test_the_best_matches_come_first_even_among_many():
    crowd = [text_line(number=str(n), name=f"Bohumilova{chr(97 + n % 26)}, Jan", rating="2400") for n in range(1, 200)]
    imported(
        HEADER,
        *crowd,
        text_line(number="901", name="Kral, Xbohumil", rating="2500"),
        text_line(number="902", name="Bohumil, Petr", rating="1500"),
        text_line(number="903", name="Bohumilek, Petr", rating="1600"),
        text_line(number="904", name="Kral, Bohumil", rating="1700"),
    )
    found = find_listed_players([get_fide_register()], "bohumil")
    assert [player.number for player in found.players[:2]] == ["904", "902"]
    assert not found.is_complete


def test_an_id_need_not_be_figures_alone(club):
    register = RatingRegister.objects.create(club=club, name="National")
    player = RatingListPlayer.objects.create(
        register=register, number="A-17", name="Pionek, Jan", searched=" jan pionek "
    )
    assert find_listed_players([register], " A-17 ").players == [player]
    assert find_listed_players([register], "ion").players == [player]
    assert not numbers_found("ion")


def test_the_index_follows_whatever_is_done_to_the_players():
    imported(HEADER, text_line(number="1", name="Panna, Ewa"), text_line(number="2", name="Wieza, Ewa"))
    RatingListPlayer.objects.filter(number="1").update(searched=" ewa zamezna ")
    RatingListPlayer.objects.filter(number="2").delete()
    assert numbers_found("ewa") == ["1"]
    assert numbers_found("panna") == []
    assert numbers_found("mezna") == ["1"]


@pytest.mark.usefixtures("listed")
def test_what_others_keep_is_not_found():
    assert not find_listed_players([], "stas").players
