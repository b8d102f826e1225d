"""Pasted lists and imported files on the pages: a preview first, then all or nothing."""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import Member
from common.file_store.upload_limits import MAX_UPLOAD_BYTES
from common.file_store.uploads import UPLOAD_LIFETIME_SECONDS
from tests.factories import make_club, make_event, make_member
from tests.module_fixtures import make_module_fixtures
from tests.pairing.engine.trf.lines import player, report
from tests.scenario import NAMES, SIGN_IN_FIRST, Cast, make_cast
from tournaments.import_export.trf_export import export_trf
from tournaments.models import PairingSystem, Tournament

pytestmark = pytest.mark.django_db

TABLE = "Name;Rating;Federation\nGość, Anna;1700;POL\nГостов, Иван;1650;BUL\n".encode()
BROKEN_TABLE = b"Name;Rating\nGosc, Anna;1700\nGostov, Ivan;99999999999999\n"


@pytest.fixture(autouse=True)
def var(settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


made_once, cast = make_module_fixtures(make_cast)


def page(cast: Cast, name: str) -> str:
    club_pages = ("tournament_import",)
    return reverse(name, args=[cast.club.slug] if name in club_pages else [cast.club.slug, cast.event.slug])


def file(data: bytes, name: str = "players.csv") -> dict[str, SimpleUploadedFile]:
    return {"file": SimpleUploadedFile(name, data)}


def token_in(text: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', text)
    assert found
    return found[1]


def uploads(var: Path) -> list[Path]:
    return sorted((var / "uploads").iterdir()) if (var / "uploads").exists() else []


# -- Pasting -------------------------------------------------------------------------------------------------------


def test_an_empty_list_says_what_to_do(cast):
    answer = cast.browser("secretary").post(page(cast, "entries_paste"), {"text": "", "from_round": 1})
    assert answer.status_code == 422
    assert "The list is empty. Enter one player per line" in answer.text


def test_checking_a_list_enters_nobody(cast):
    sent = {"text": f"Gość, Anna; 1700\n{NAMES[5]}\n", "from_round": 1, "check": "1"}
    answer = cast.browser("secretary").post(page(cast, "entries_paste"), sent)
    assert answer.status_code == 200
    for verdict in ("guest", "already entered", "Enter 1 player"):
        assert verdict in answer.text
    assert cast.event.entries.count() == 6


@pytest.mark.parametrize("button", ["check", "enter"])
def test_a_list_with_an_unclear_line_enters_nobody_and_is_not_lost(cast, button):
    sent = {"text": "Gość, Anna; 1700\nInna, Ewa; 1700; 1800\n", "from_round": 1, button: "1"}
    answer = cast.browser("secretary").post(page(cast, "entries_paste"), sent)
    assert cast.event.entries.count() == 6
    assert "1 line needs your attention." in answer.text
    assert 'name="enter" value="1"' not in answer.text
    assert "Inna, Ewa; 1700; 1800" in answer.text


def sent_from(answer, **more: str) -> dict[str, str]:
    """The fields of the page's form as a browser sends them, without the buttons."""
    form = answer.text[answer.text.index('<form class="stack paste"') :]
    form = form[: form.index("</form>")]
    inputs = re.findall(r'<input[^>]*? name="([^"]+)" value="([^"]*)"', form)
    choices = re.findall(r'<select[^>]* name="([^"]+)">.*?<option value="([^"]*)" selected', form, re.DOTALL)
    (text,) = re.findall(r"<textarea[^>]*>\n?(.*?)</textarea>", form, re.DOTALL)
    return {name: unescape(value) for name, value in [*inputs, *choices]} | {"text": unescape(text)} | more


def test_clear_lines_are_entered_and_the_others_are_answered_in_place(cast):
    secretary, address = cast.browser("secretary"), page(cast, "entries_paste")
    text = "Gość, Anna (spóźni się) unrated\nInna, Ewa; 1700; 1800\nGostov, Ivan; 1650\nMała, Ola; 1500; wat"
    checked = secretary.post(address, {"text": text, "from_round": 1, "check": "1"})
    assert "2 lines need your attention" in checked.text
    assert re.findall(r'name="answer-(\d)" value="note"', checked.text) == ["2", "4"]
    rest = secretary.post(address, sent_from(checked, enter="clear"))
    assert "2 players entered" in rest.text
    assert sent_from(rest)["text"] == "Inna, Ewa; 1700; 1800\nMała, Ola; 1500; wat"
    assert cast.event.entries.get(name="Gość, Anna").remark == "spóźni się"
    answered = secretary.post(address, sent_from(rest, **{"rating-1": "1710", "answer-2": "skip"}))
    assert "need your attention" not in answered.text
    done = secretary.post(address, sent_from(answered, enter="1"), follow=True)
    assert "1 player entered" in done.text
    assert cast.event.entries.get(name="Inna, Ewa").rating == 1710
    assert cast.event.entries.count() == 9


def test_an_edited_row_that_was_not_shown_yet_is_not_entered(cast):
    secretary, address = cast.browser("secretary"), page(cast, "entries_paste")
    checked = secretary.post(address, {"text": "Gość, Anna\nInna, Ewa; 1700; wat", "from_round": 1, "check": "1"})
    answer = secretary.post(address, sent_from(checked, enter="clear", **{"name-2": "Inny, Adam"}))
    assert "The list or its columns have changed since you checked them" in answer.text
    assert cast.event.entries.count() == 6
    assert 'value="Inny, Adam"' in answer.text


def test_a_list_changed_after_the_check_drops_the_answers_to_its_lines(cast):
    secretary, address = cast.browser("secretary"), page(cast, "entries_paste")
    checked = secretary.post(address, {"text": "Gość, Anna\nInna, Ewa; 1700; wat", "from_round": 1, "check": "1"})
    changed = sent_from(checked, check="1", text="Inna, Ewa; 1700\nInna, Iza", **{"answer-2": "skip"})
    answer = secretary.post(address, changed)
    assert "Enter 2 players" in answer.text


def test_a_list_is_entered(cast):
    sent = {"text": "Gość, Anna; 1700\nГостов, Иван; 1650; BUL", "from_round": 2, "enter": "1"}
    answer = cast.browser("arbiter").post(page(cast, "entries_paste"), sent, follow=True)
    assert "2 players entered" in answer.text
    assert cast.event.entries.get(name="Гостов, Иван").entered_in_round == 2


# -- Importing -----------------------------------------------------------------------------------------------------


def test_no_file_says_what_to_do(cast):
    answer = cast.browser("secretary").post(page(cast, "entries_import"), {})
    assert answer.status_code == 422
    assert "Choose a file first" in answer.text


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "This file is empty. Choose another one"), (b"x" * (MAX_UPLOAD_BYTES + 1), "larger than 5 MB")],
)
def test_a_file_of_no_use_is_refused_and_not_kept(cast, var, data, said):
    answer = cast.browser("secretary").post(page(cast, "entries_import"), file(data))
    assert answer.status_code == 422
    assert said in answer.text
    assert uploads(var) == []


def test_a_table_with_an_error_is_refused_with_its_line(cast, var):
    answer = cast.browser("secretary").post(page(cast, "entries_import"), file(BROKEN_TABLE))
    assert answer.status_code == 422
    assert "Line 3" in answer.text
    assert ">Import</button>" not in answer.text
    again = cast.browser("secretary").post(page(cast, "entries_import"), {"token": token_in(answer.text)})
    assert again.status_code == 422
    assert cast.event.entries.count() == 6


def test_looking_at_a_file_writes_nothing(cast, var):
    answer = cast.browser("secretary").post(page(cast, "entries_import"), file(TABLE))
    assert answer.status_code == 200
    assert "Гостов, Иван" in answer.text
    assert cast.event.entries.count() == 6
    assert len(uploads(var)) == 1


def test_a_table_is_imported_after_the_word_to_go_on(cast, var):
    secretary = cast.browser("secretary")
    preview = secretary.post(page(cast, "entries_import"), file(TABLE))
    answer = secretary.post(page(cast, "entries_import"), {"token": token_in(preview.text)})
    assert answer.headers["Location"] == page(cast, "entries")
    assert cast.event.entries.filter(name="Гостов, Иван", rating=1650).exists()
    assert uploads(var) == []


def test_the_word_to_go_on_works_once(cast):
    secretary = cast.browser("secretary")
    token = token_in(secretary.post(page(cast, "entries_import"), file(TABLE)).text)
    secretary.post(page(cast, "entries_import"), {"token": token})
    again = secretary.post(page(cast, "entries_import"), {"token": token})
    assert again.status_code == 422
    assert "This file was already imported, or is no longer available." in again.text
    assert cast.event.entries.count() == 8


def test_nobody_goes_on_with_the_file_of_another(cast):
    token = token_in(cast.browser("secretary").post(page(cast, "entries_import"), file(TABLE)).text)
    answer = cast.browser("arbiter").post(page(cast, "entries_import"), {"token": token})
    assert answer.status_code == 422
    assert cast.event.entries.count() == 6


def test_a_file_kept_for_one_event_is_not_imported_into_another(cast):
    other = make_event(cast.club)
    secretary = cast.browser("secretary")
    token = token_in(secretary.post(page(cast, "entries_import"), file(TABLE)).text)
    secretary.post(reverse("entries_import", args=[cast.club.slug, other.slug]), {"token": token})
    assert not other.entries.exists()


@pytest.mark.parametrize("token", ["", "../../etc/passwd", "WyJ4Il0:1abc:forged"])
def test_a_forged_token_opens_nothing(cast, token):
    answer = cast.browser("secretary").post(page(cast, "entries_import"), {"token": token})
    assert answer.status_code == 422
    assert "no longer available" in answer.text


def test_files_nobody_came_back_for_are_cleared_away(cast, var):
    secretary = cast.browser("secretary")
    secretary.post(page(cast, "entries_import"), file(TABLE))
    (old,) = uploads(var)
    os.utime(old, (old.stat().st_atime, old.stat().st_mtime - UPLOAD_LIFETIME_SECONDS - 1))
    secretary.post(page(cast, "entries_import"), file(TABLE))
    assert len(uploads(var)) == 1
    assert old not in uploads(var)


def test_a_report_is_not_imported_over_players(cast):
    report = export_trf(make_event(make_club("source", "Source"), players=4))
    answer = cast.browser("secretary").post(page(cast, "entries_import"), file(report, "event.trf"))
    assert answer.status_code == 422
    assert cast.event.entries.count() == 6


@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)])
def test_making_an_event_from_a_file_is_closed_to_others(cast, who, status):
    assert cast.browser(who).get(page(cast, "tournament_import")).status_code == status
    assert cast.browser(who).post(page(cast, "tournament_import"), file(TABLE)).status_code == status


def test_an_event_is_made_from_a_report_file(cast):
    source = make_event(make_club("source", "Source"), players=6)
    secretary = cast.browser("arbiter")
    preview = secretary.post(page(cast, "tournament_import"), file(export_trf(source), "event.trf"))
    assert Tournament.objects.count() == 2
    sent = {"token": token_in(preview.text), "system": "dubov-1997"}
    assert "Pionek, Nr001" in secretary.post(page(cast, "tournament_import"), sent | {"check": "1"}).text
    assert Tournament.objects.count() == 2
    answer = secretary.post(page(cast, "tournament_import"), sent, follow=True)
    made = Tournament.objects.exclude(pk__in=[source.pk, cast.event.pk]).get()
    assert (made.club, made.system, made.entries.count()) == (cast.club, PairingSystem.DUBOV_1997, 6)
    assert "imported" in answer.text


def test_an_unknown_system_is_asked_for_again(cast):
    source = make_event(make_club("source", "Source"), players=6)
    secretary = cast.browser("secretary")
    preview = secretary.post(page(cast, "tournament_import"), file(export_trf(source), "event.trf"))
    answer = secretary.post(page(cast, "tournament_import"), {"token": token_in(preview.text), "system": "burstein"})
    assert answer.status_code == 422
    assert token_in(answer.text)
    assert Tournament.objects.count() == 2


def test_what_a_file_counts_for_and_whom_it_means_is_shown_and_said_before_anything_is_written(cast):
    for year in (1970, 2009):
        make_member(cast.club, "Nowak, Jan", birth_year=year)
    lines = ("012 Szybkie", "122 15 min + 10 s", "XXR 3", player(1, name="Nowak Jan"), player(2, name="Gość Ewa"))
    arbiter, address, events = cast.browser("arbiter"), page(cast, "tournament_import"), Tournament.objects.count()
    shown = arbiter.post(address, file(report(*lines), "x.trf")).text
    assert '<option value="rapid" selected>' in shown
    assert "Which member is it?" in shown
    key = Member.objects.get(birth_year=2009, family_name="Nowak").pk
    sent = {"token": token_in(shown), "system": "dutch-2026", "rated_as": "blitz"}
    unanswered = arbiter.post(address, sent)
    assert (unanswered.status_code, Tournament.objects.count()) == (422, events)
    assert "Choose the matching member for: Nowak Jan." in unanswered.text
    assert '<option value="blitz" selected>' in unanswered.text
    assert arbiter.post(address, sent | {"who-4": key}).status_code == 302
    made = Tournament.objects.get(name="Szybkie")
    assert (made.rated_as, made.entries.get(name="Nowak Jan").member_id) == ("blitz", key)
