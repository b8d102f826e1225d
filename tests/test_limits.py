"""No request makes the server hang or crash: limits come before the work, and a message instead of a 500."""

from __future__ import annotations

import errno
import io
import re
import sqlite3
import zipfile

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook, load_workbook

from clubs.models import Member
from common.tabular.file_responses import render_csv, render_xlsx
from common.tabular.spreadsheets import read_table
from tests.factories import make_user, published, seen
from tests.scenario import Cast, make_cast
from tournaments.entries.enrolment import preview_pasted_list
from tournaments.events.acceleration_groups import describe_maxi_event_rules
from tournaments.import_export.file_import import read_player_table
from tournaments.models import Game

pytestmark = pytest.mark.every_database

MUCH = "9" * 5000


@pytest.fixture
def cast(db) -> Cast:
    return make_cast()


def at(cast: Cast, name: str, *more: object) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug, *more])


# -- Numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", ["999999999999", MUCH, "100", "0", "-1", "x", "٣"])
def test_rounds_beyond_all_measure(rounds, cast):
    answer = cast.browser("arbiter").post(at(cast, "tournament_edit"), {"name": "X", "rounds_announced": rounds})
    assert answer.status_code == 422


def test_the_note_on_maxi_events_reckons_with_no_more_rounds_than_there_are():
    assert "at most 99 rounds" in describe_maxi_event_rules(5, 999_999_999_999)
    assert "more than 1024" in describe_maxi_event_rules(1025, 10)


@pytest.mark.parametrize("limits", [MUCH + ",1", "1," + MUCH, MUCH])
def test_limits_of_groups_beyond_all_measure(limits, cast):
    sent = {"name": "X", "rounds_announced": "5", "take_limits": limits, "group_limit_a": MUCH, "group_limit_c": MUCH}
    assert cast.browser("arbiter").post(at(cast, "tournament_edit"), sent).status_code == 422


def test_tie_breaks_without_end(cast):
    sent = {"name": "X", "rounds_announced": "5", "tie_breaks": "BH," * 33_333}
    answer = cast.browser("arbiter").post(at(cast, "tournament_edit"), sent)
    assert answer.status_code == 422
    assert "At most 10 tie-breaks" in answer.text


def test_digits_by_the_thousand(cast):
    this_round = published(cast.event, 1)
    browser = cast.browser("arbiter")
    posts = {
        at(cast, "board_result", 1, 1): {"result-1": "1-0", "seen-1": f"{MUCH}.0 "},
        at(cast, "round_results", 1): {"result-1": "1-0", "seen-1": f"1.{MUCH} "},
        at(cast, "round_unpublish", 1): {"version": MUCH, "reason": "x"},
        at(cast, "round_publish", 1): {"version": MUCH},
        at(cast, "round_undo", 1): {"version": MUCH},
        at(cast, "proposal_create", 1): {"absent": MUCH, "present": MUCH},
        at(cast, "round_check_in", 2): {"entry": MUCH, "mark": "here"},
    }
    for address, sent in posts.items():
        assert browser.post(address, sent).status_code < 500, address
    for address, query in {
        at(cast, "round_check_in", 2): {"since": MUCH[:1900]},
        at(cast, "standings"): {"best": MUCH[:1900], "page": MUCH[:1900]},
        at(cast, "round", 1): {"page": MUCH[:1900]},
    }.items():
        assert browser.get(address, query, headers={"HX-Request": "true"}).status_code < 500, address
    live = {"HX-Request": "true", "HX-Target": "live", "Live-Version": MUCH}
    assert Client().get(at(cast, "round", 1), headers=live).status_code == 200
    assert this_round.games.get(board=1).result == ""


# -- Texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x" * 256, "x" * 100_000])
@pytest.mark.django_db
def test_a_user_name_longer_than_any(name):
    for password in ("y", "y" * 100_000):
        answer = Client().post(reverse("account_login"), {"login": name, "password": password})
        assert answer.status_code == 200
        assert "at most 254 characters" in answer.text


@pytest.mark.django_db
def test_a_password_longer_than_any_is_not_hashed(monkeypatch):
    user = get_user_model().objects.create_user("secretary", password="secretary")
    monkeypatch.setattr(type(user), "check_password", lambda *_arguments: pytest.fail("hashed"))
    answer = Client().post(reverse("account_login"), {"login": "secretary", "password": "y" * 100_000})
    assert "at most 4096 characters" in answer.text


def test_a_zero_byte_in_a_search_or_a_form(cast):
    arbiter = cast.browser("arbiter")
    for name in ("entries", "standings", "entries_add_members", "personal_links"):
        answer = arbiter.get(at(cast, name), {"q": "a\0b", "name": "a\0b"})
        assert answer.status_code == 400
        assert "The address or form contains text that is too long or has invalid characters" in answer.text
    assert cast.browser("visitor").get(reverse("home"), {"a\0": "b"}).status_code == 400
    secretary = cast.browser("secretary")
    assert secretary.get(reverse("member_list", args=[cast.club.slug]), {"q": "\0"}).status_code == 400
    published(cast.event, 1)
    assert arbiter.post(at(cast, "round_unpublish", 1), {"reason": "a\0b", "version": 1}).status_code == 400
    assert cast.event.rounds.get(number=1).is_public


def test_a_search_longer_than_any(cast):
    assert cast.browser("arbiter").get(at(cast, "entries"), {"q": "x" * 10_001}).status_code == 400
    assert cast.browser("arbiter").get(at(cast, "entries"), {"q": "x" * 10_000}).status_code == 200


# -- Files -----------------------------------------------------------------------------------------------------------


def workbook(rows: bytes) -> bytes:
    """An XLSX file with these rows in its sheet."""
    empty, made = io.BytesIO(), io.BytesIO()
    Workbook().save(empty)
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%b</sheetData></worksheet>'
    with zipfile.ZipFile(empty) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, sheet % rows if name.startswith("xl/worksheets/") else old.read(name))
    return made.getvalue()


def cell(place: str) -> bytes:
    return b'<c r="%b" t="inlineStr"><is><t>name</t></is></c>' % place.encode()


@pytest.fixture
def no_library(monkeypatch):
    """The library that creates an object for each cell is not called."""
    monkeypatch.setattr("openpyxl.load_workbook", lambda *_arguments, **_more: pytest.fail("read"))


def test_a_cell_in_the_last_column(no_library):
    table = read_table(workbook(b'<row r="1">%b</row><row r="7">%b</row>' % (cell("A1"), cell("XFD7"))))
    assert [str(problem) for problem in table.problems] == ["row 7: The table has more than 200 columns."]


def test_rows_by_the_hundred_thousand(no_library):
    rows = b"".join(b'<row r="%d">%b</row>' % (number, cell(f"A{number}")) for number in range(1, 25_001))
    assert [str(problem) for problem in read_table(workbook(rows)).problems] == ["The table has more than 20000 rows."]


def test_a_cell_in_the_last_row():
    table = read_table(workbook(b'<row r="1">%b</row><row r="1048576">%b</row>' % (cell("A1"), cell("A1048576"))))
    assert "more than 20000 rows" in str(table.problems[0])


def test_a_table_in_the_two_hundredth_column_is_read():
    assert read_table(workbook(b'<row r="1">%b%b</row>' % (cell("A1"), cell("GR1")))).headings[199] == "name"


@pytest.mark.parametrize("line", [b"Nikt, Jan;1500;", b'"', b"x", "ą".encode("utf-16")])
def test_five_megabytes_on_one_line(line):
    data = b"name;rating\n" + line * (5 * 1024 * 1024 // len(line) - 1)
    assert "row 2: This line has more than 20000 characters" in str(read_table(data).problems[0])
    problems = read_player_table(data).problems
    assert "This line has more than 20000 characters" in str(problems[0])


def test_fields_by_the_thousand(cast):
    assert "more than 200 columns" in str(read_player_table(b"Nikt, Jan;" + b"a;" * 9000).problems[0])
    (row,) = read_player_table(b"Nikt, Jan;" + b"1500;" * 21).rows
    assert "too many fields" in str(row.problems[-1]) or len(row.problems) == 5
    assert preview_pasted_list(cast.event, "Nikt, Jan;" + "1;" * 90_000).problems


# -- Formulas --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "\u00a0=1+1",
        " =1+1",
        "\u3000@x",
        "＝1+1",
        "＠x",
        "＋cmd",
        "－cmd",
        "−cmd",
        "\u200b=1",
        "\ufeff=1",
        "\n=1",
    ],
)
def test_what_a_spreadsheet_would_reckon_is_guarded(text):
    line = render_csv(["h"], [[text]]).decode("utf-8-sig").partition("h\r\n")[2].strip()
    assert line.lstrip('"').startswith("'")


@pytest.mark.parametrize("text", ["Nikt, Jan", "+48 600 100 200", "-5", "a=b", "\u00a0Jan", "½"])
def test_what_is_no_formula_stays_as_it_is(text):
    assert render_csv(["h"], [[text]]).decode("utf-8-sig") == f"h\r\n{text}\r\n"


def test_headings_are_no_formulas_either():
    assert render_csv(["=1+1"], []).decode("utf-8-sig") == "'=1+1\r\n"
    book = load_workbook(io.BytesIO(render_xlsx(["=1+1"], [["=2"]], title="x")))
    assert [cell.data_type for (cell,) in book.active.rows] == ["s", "s"]


# -- A database that does not answer ---------------------------------------------------------------------------------


def test_a_write_that_waited_in_vain_comes_back_to_be_sent_again(cast, monkeypatch):
    this_round = published(cast.event, 1)
    sent = {"result-1": "1-0", "seen-1": seen(this_round, 1), "note": "<b>"}

    def locked(*_arguments: object, **_more: object) -> None:
        raise OperationalError("database is locked")

    browser = cast.browser("arbiter")
    with monkeypatch.context() as patch:
        patch.setattr("pairing.rounds.proposals.result_entry.enter_result", locked)
        answer = browser.post(at(cast, "board_result", 1, 1), sent)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert "no-store" in answer.headers["Cache-Control"]
    assert "Nothing has been saved yet" in answer.text
    assert f'action="{at(cast, "board_result", 1, 1)}"' in answer.text
    assert 'name="result-1" value="1-0"' in answer.text
    assert "&lt;b&gt;" in answer.text
    browser.post(at(cast, "board_result", 1, 1), sent)
    assert Game.objects.get(round=this_round, board=1).result == "1-0"


@pytest.mark.django_db(transaction=True)
def test_somebody_else_holds_sqlites_only_writer():
    """A real case: another connection writes for longer than the time limit (here a tenth of a second)."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has many writers")
    cast = make_cast()
    this_round = published(cast.event, 1)
    browser = cast.browser("arbiter")
    sent = {"result-1": "1-0", "seen-1": seen(this_round, 1)}
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    other.execute("BEGIN IMMEDIATE")
    try:
        answer = browser.post(at(cast, "board_result", 1, 1), sent)
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert answer.status_code == 503
    assert "Nothing has been saved yet" in answer.text
    again = dict(re.findall(r'<input type="hidden" name="((?:seen|result)-1)" value="([^"]*)">', answer.text))
    assert again == sent
    assert browser.post(at(cast, "board_result", 1, 1), again).status_code == 302
    assert Game.objects.get(round=this_round, board=1).result == "1-0"
    connection.close()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="elsewhere writers wait for rows, not for the database")
@pytest.mark.django_db(transaction=True)
def test_a_session_that_cannot_be_saved_is_a_sentence(settings):
    """The view is done, but its session data must wait for another connection that writes for too long."""
    user = make_user("secretary")
    signing_in = {"login": "secretary", "password": "secretary"}
    browser, stranger = Client(), Client()
    browser.force_login(user)
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    other.execute("BEGIN IMMEDIATE")
    try:
        signed_in = stranger.post(reverse("account_login"), signing_in)
        settings.SESSION_SAVE_EVERY_REQUEST = True
        read = browser.get("/")
        done = browser.post(reverse("language_set"), {"language": "pl", "next": "/help/"})
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert [answer.status_code for answer in (signed_in, read, done)] == [503, 503, 503]
    assert "load the page" in read.text
    assert 'href="/help/"' in done.text
    connection.close()


def test_passwords_are_not_sent_back(db, monkeypatch):
    def locked(*_arguments: object, **_more: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("clubs.membership.accounts.forms.SignInForm.clean", locked)
    sent = {"login": "secretary", "password": "quite-secret", "password2": "quite-secret"}
    answer = Client().post(reverse("account_login"), sent)
    assert answer.status_code == 503
    assert "quite-secret" not in answer.text


class _OfPostgresql(psycopg.OperationalError):
    def __init__(self, words: str, state: str | None) -> None:
        super().__init__(words)
        self.sqlstate = state


FULL, AWAY = "disk is full or read-only", "database isn"


@pytest.mark.parametrize(
    ("error", "cause", "words"),
    [
        (OperationalError("database or disk is full"), None, FULL),
        (OperationalError("attempt to write a readonly database"), None, FULL),
        (OperationalError("could not extend file"), _OfPostgresql("could not extend file", "53100"), FULL),
        (OSError(errno.ENOSPC, "No space left on device"), None, FULL),
        (OperationalError("shutting down"), _OfPostgresql("shutting down", "57P01"), AWAY),
        (OperationalError("connection refused"), _OfPostgresql("connection refused", None), AWAY),
        (InterfaceError("connection already closed"), psycopg.InterfaceError("connection already closed"), AWAY),
    ],
)
@pytest.mark.one_database
def test_what_cannot_be_saved_is_a_sentence_and_not_lost(error, cause, words, cast, monkeypatch):
    def broken(*_arguments: object, **_more: object) -> None:
        raise error from cause

    monkeypatch.setattr("pairing.rounds.proposals.result_entry.enter_result", broken)
    this_round = published(cast.event, 1)
    sent = {"result-1": "1-0", "seen-1": seen(this_round, 1)}
    answer = cast.browser("arbiter").post(at(cast, "board_result", 1, 1), sent)
    assert answer.status_code == 503
    assert words in answer.text
    assert ("whether your last changes were saved" in answer.text) is (words == AWAY)
    assert 'name="result-1" value="1-0"' in answer.text
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.one_database
def test_a_database_that_is_away_before_anybody_is_known(cast, monkeypatch, settings):
    """The signed-in user cannot be queried, and the error page must not try."""
    settings.DEBUG = False

    def broken(*_arguments: object, **_more: object) -> None:
        raise OperationalError("connection refused") from _OfPostgresql("connection refused", None)

    browser = cast.browser("arbiter")
    browser.raise_request_exception = False
    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore._get_session_from_db", broken)
    answer = browser.get(at(cast, "entries_add"))
    assert (answer.status_code, "database isn" in answer.text) == (503, True)
    assert not answer.cookies, "it would sign everybody out"


def test_other_mistakes_of_the_database_are_ours(cast, monkeypatch):
    def broken(*_arguments: object, **_more: object) -> None:
        raise OperationalError("no such table: tournaments_game")

    monkeypatch.setattr("pairing.rounds.proposals.result_entry.enter_result", broken)
    this_round = published(cast.event, 1)
    with pytest.raises(OperationalError, match="no such table"):
        cast.browser("arbiter").post(at(cast, "board_result", 1, 1), {"result-1": "1-0", "seen-1": seen(this_round, 1)})
    assert Member.objects.exists()


# -- Pages for those who are signed in -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["member_list", "member_detail", "dues_overview", "member_dues_account", "home"])
def test_no_cache_keeps_what_members_see(name, cast):
    more = [cast.members[0].pk] if name in ("member_detail", "member_dues_account") else []
    address = reverse(name, args=[] if name == "home" else [cast.club.slug, *more])
    answer = cast.browser("secretary").get(address)
    assert answer.status_code == 200
    assert set(answer.headers["Cache-Control"].split(", ")) == {"private", "no-store"}


def test_public_pages_of_visitors_may_be_kept(cast):
    assert "no-store" not in cast.browser("visitor").get(reverse("home")).headers["Cache-Control"]
    published(cast.event, 1)
    assert "no-store" not in cast.browser("arbiter").get(at(cast, "round", 1)).headers["Cache-Control"]
