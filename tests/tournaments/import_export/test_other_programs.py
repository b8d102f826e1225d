"""Events of other programs, in files made from the descriptions of their formats: chess-results, Vega, Sharly Chess.

The tables of Sharly Chess are those of its public migrations, before and after they changed the columns read here.
"""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.membership.members.import_export import import_members
from clubs.models import Member
from common.tabular.file_responses import render_xlsx
from tests.factories import make_event, make_member, make_user
from tournaments.import_export.file_import import apply_import, preview_import
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Entry, Game, Tournament
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


def errors(club, data: bytes, name: str = "x", **more: Any) -> str:
    preview = preview_import(club, data, name, **more)
    if preview.errors:
        with pytest.raises(ArbiterProblem):
            apply_import(club, data, name, by=None, **more)
        assert not Tournament.objects.exists()
    return "\n".join(map(str, preview.errors))


def games(event: Tournament) -> set[tuple[int, str, str, str]]:
    found = event.rounds.values_list("number", "games__white__name", "games__black__name", "games__result")
    return {game for game in found if game[1]}


# -- chess-results and Swiss-Manager -------------------------------------------------------------------------------

CROSSTABLE = """From the Tournament-Database of Chess-Results https://chess-results.com
Example Open
Last update 13.02.2026 18:17:32
Ranking crosstable after Round 3
Rk.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;4.Rd;Pts. ;TB1;TB2
1;;Kot, Ala ;2020;POL;  4b1;  2w1;  3b ; ;2;5;0
2;WFM;Pies, Azor ;1971;CZE;  5b1;  1b0;  4w ; ;1;4.5;0
3;;Ryba, Iga ;1904;POL; -1;  5w½;  1w ; ;1.5;3.5;0
4;;Mysz, Jan ;1800;POL;  1w0; 0;  2b ; ;0;3.5;0
5;;Wilk, Ewa;1700;POL;  2w0;  3b½; -1; ;1.5;0;0
Annotation:
Tie Break1: Buchholz Tie-Breaks (variabel with parameter)
You find all details to this tournament under https://chess-results.com/tnr1.aspx?lan=1"""


def workbook(text: str = CROSSTABLE) -> bytes:
    lines = [[int(cell) if cell.strip().isdigit() else cell for cell in line.split(";")] for line in text.splitlines()]
    return render_xlsx([str(cell) for cell in lines[0]], lines[1:], title="x")


def saved_as_csv(text: str = CROSSTABLE) -> bytes:
    """As a spreadsheet program saves it: with as many commas in every line."""
    return "\n".join(
        f'"{line}"'.replace(";", '","') + "," * (11 - line.count(";")) for line in text.splitlines()
    ).encode()


@pytest.mark.parametrize("data", [workbook(), saved_as_csv()])
def test_a_crosstable_of_chess_results_is_an_event_with_its_name(club, data):
    preview = preview_import(club, data, "chessResultsList.xlsx")
    assert (preview.errors, preview.tournament_name, preview.rounds, preview.games) == ((), "Example Open", 3, 6)
    event = apply_import(club, data, "chessResultsList.xlsx", by=None, system="dutch-2026")
    assert event.name == "Example Open"
    assert (1, "Mysz, Jan", "Kot, Ala", "0-1") in games(event)
    assert Game.objects.filter(result=Game.Result.PENDING).count() == 2


def test_only_the_address_in_the_first_line_makes_the_second_the_name(club):
    for first in (
        "Club evening",
        "see https://chess-results.com/tnr1.aspx?lan=1 or ask",
        "https://example.org/chess-results.com",
    ):
        text = CROSSTABLE.replace(CROSSTABLE.splitlines()[0], first)
        assert preview_import(club, workbook(text), "x.xlsx").tournament_name == ""


def test_a_hostile_workbook_is_refused_with_words(club):
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook())) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                part = part.replace(b"</sheetData>", b" " * 50_000_000 + b"</sheetData>")
            new.writestr(name, part)
    assert len(packed.getvalue()) < 100_000
    assert "too large" in errors(club, packed.getvalue())
    assert "damaged" in errors(club, workbook()[:3000])
    assert "disagree" in errors(club, workbook(CROSSTABLE.replace("  2w1;", "  3w1;")))


# -- Vega ----------------------------------------------------------------------------------------------------------

TDF = """012 Torneo Esempio
022 Scalea
042 18/12/2009
052 20/12/2009
062 4
092 Individual: Swiss-System Dutch (JaVaFo)
102 Arbitro, Esempio

122 90 minutes + 30 s
142 3.0 1.0
152 2
162 5
192 Vega 6.0.1
001 1 | m | f | KOT Ala | 2291 | POL | 1100012 | 2291 | 121317 | 151265 | 4.0 | 1 | 3 w 1 | 2 b 2
001 2 | f |   | PIES Azor | 0 | CZE | 0 | 1900 | 0 | 1990 | 2.0 | 3 | 4 b 2 | 1 w 2
001 3 | m |   | RYBA Iga | 1800 | POL | 0 | 0 | 0 |  | 3.0 | 2 | 1 b 0 | 0000 - +
001 4 | m |   | MYSZ Jan | 1700 | POL | 0 | 0 | 0 | 00.00.00 | 1.0 | 4 | 2 w 2 | 0000 - -
"""


def test_a_description_of_vega_is_an_event(club):
    member = make_member(club, "Kot, Ala", fide_id=1100012)
    preview = preview_import(club, TDF.encode("cp1252"), "torneo-Scalea.tdf")
    assert (preview.errors, preview.warnings, preview.rounds, preview.rounds_announced) == ((), (), 2, 5)
    event = apply_import(club, TDF.encode(), "torneo-Scalea.tdf", by=None, system="dutch-2026")
    assert (event.name, event.city, event.point_system, str(event.starts_on)) == (
        "Torneo Esempio",
        "Scalea",
        "3-1-0",
        "2009-12-18",
    )
    assert games(event) == {
        (1, "KOT Ala", "RYBA Iga", "1-0"),
        (1, "MYSZ Jan", "PIES Azor", "1/2"),
        (2, "PIES Azor", "KOT Ala", "1/2"),
    }
    ala, azor = event.entries.get(tpn=1), event.entries.get(tpn=2)
    assert (ala.member, ala.title, ala.birth, azor.rating, azor.birth) == (member, "FM", "1965/12/15", 1900, "1990")
    assert [bye.kind for bye in event.rounds.get(number=2).byes.order_by("entry__tpn")] == ["U"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("3 w 1", "3 w +", "line 14, column round 1: The rows of the 2 players disagree"),
        ("3 w 1", "9 w 1", "line 14, column round 1: The rows of the 2 players disagree"),
        ("2 b 2", "2 x 2", "line 14, column round 2: We couldn't read “2 x 2”"),
        ("001 2 |", "001 1 |", "line 15: This cell needs a player number that no other row has"),
        ("PIES Azor", "", "line 15: We couldn't read"),
        ("3.0 1.0", "1.0 3.0", "line 10: We can't use the points of this event"),
        ("4 b 2 | 1 w 2", " | ".join(["4 b 2"] * 100), "line 15: This line has too many fields"),
    ],
)
def test_what_contradicts_itself_is_refused_by_line(club, old, new, said):
    assert said in errors(club, TDF.replace(old, new).encode(), "x.tdf")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("162 5", "162 {}"),
        ("| 2291 | POL", "| {} | POL"),
        ("| 2291 | 121317", "| {} | 121317"),
        ("| POL | 1100012", "| POL | {}"),
    ],
)
def test_numbers_that_are_too_long_are_left_out(club, old, new):
    data = TDF.replace(old, new.format("9" * 5000)).encode()
    assert preview_import(club, data, "x.tdf").errors == ()
    event = apply_import(club, data, "x.tdf", by=None, system="dutch-2026")
    assert max(len(entry.fide_id) for entry in event.entries.all()) <= 10


def test_a_file_with_bars_that_is_no_description_is_read_as_before(club):
    assert preview_import(club, b"001 1 | Kot, Ala | 1500\n002 2 | Pies, Azor | 1400\n", "x.txt").kind == "csv"


def test_vegas_own_file_is_refused_with_the_way_out(club):
    assert "save the FIDE report" in errors(club, b"Vega 5.4 # Do not edit this file!\nEsempio\n", "x.veg")


# -- Sharly Chess --------------------------------------------------------------------------------------------------

OF_2025 = """
CREATE TABLE info (name TEXT, start FLOAT, stop FLOAT, location TEXT, player_rating_type INTEGER);
CREATE TABLE tournament (id INTEGER PRIMARY KEY, name TEXT, location TEXT, rounds INTEGER, rating INTEGER, pairing TEXT,
  pab_value INTEGER, three_points_for_a_win INTEGER, time_control_trf25 TEXT);
CREATE TABLE player (id INTEGER PRIMARY KEY, last_name TEXT, first_name TEXT, date_of_birth TEXT, gender INTEGER,
  mail TEXT, title INTEGER, ratings TEXT, fide_id INTEGER, federation TEXT, club TEXT);
INSERT INTO info VALUES ('Example Open', 1760738400.0, 1761343140.0, 'Liffré', NULL);
INSERT INTO tournament VALUES (1, 'A', NULL, 5, 1, 'SWISS_STANDARD', 2, 1, '5400+30');
INSERT INTO player VALUES (11, 'KOT', 'Ala', '1990-03-07', 1, 'ala@example.org', 3, '{"1": {"value": 1875, "type": 3}}',
  1100012, 'POL', 'Pod Wieżą');
INSERT INTO player VALUES (12, 'PIES', 'Azor', NULL, 2, NULL, 0, '{}', NULL, 'NON', NULL);
INSERT INTO player VALUES (13, 'RYBA', NULL, NULL, 0, NULL, 0, '{"1": {"value": 1500, "type": 1}}', NULL, 'FRA', NULL);
"""
OF_2026 = """
CREATE TABLE info (name TEXT, location TEXT, player_rating_type INTEGER);
CREATE TABLE tournament (id INTEGER PRIMARY KEY, name TEXT, location TEXT, start_date TEXT, stop_date TEXT,
  rounds INTEGER, rating INTEGER, pairing TEXT, player_rating_type INTEGER, game_points TEXT, time_control_trf25 TEXT);
CREATE TABLE player (id INTEGER PRIMARY KEY, last_name TEXT, first_name TEXT, date_of_birth TEXT, year_of_birth INTEGER,
  gender TEXT, mail TEXT, title TEXT, ratings TEXT, fide_id INTEGER, federation TEXT, club TEXT);
INSERT INTO info VALUES ('Example Open', 'Liffré', NULL);
INSERT INTO tournament VALUES (1, 'A', NULL, '2025-10-18', '2025-10-25', 5, 1, 'SWISS_STANDARD', 3,
  '{"1": 0.0, "2": 1.0, "3": 3.0, "9": 1.0}', '5400+30');
INSERT INTO player VALUES (11, 'KOT', 'Ala', '1990-03-07', NULL, 'F', 'ala@example.org', 'WFM',
  '{"1": {"fide": 1875, "national": 1700}}', 1100012, 'POL', 'Pod Wieżą');
INSERT INTO player VALUES (12, 'PIES', 'Azor', NULL, 2001, 'M', NULL, '', '{}', NULL, 'NON', NULL);
INSERT INTO player VALUES (13, 'RYBA', NULL, NULL, NULL, '', NULL, '', '{"1": {"fide": null, "estimated": 1500}}', NULL,
  'FRA', NULL);
"""
ROUNDS = """
CREATE TABLE tournament_player (tournament_id INTEGER, player_id INTEGER, pairing_number INTEGER);
CREATE TABLE board (id INTEGER PRIMARY KEY, white_player_id INTEGER, black_player_id INTEGER, "index" INTEGER);
CREATE TABLE pairing (tournament_id INTEGER, player_id INTEGER, round INTEGER, result INTEGER, board_id INTEGER);
INSERT INTO tournament_player VALUES (1, 11, 1), (1, 13, 2), (1, 12, NULL);
INSERT INTO board VALUES (1, 11, 13, 0), (2, 12, NULL, 1), (3, 12, 11, 0), (4, 13, NULL, 1);
INSERT INTO pairing VALUES (1, 11, 1, 3, 1), (1, 13, 1, 1, 1), (1, 12, 1, 9, 2), (1, 11, 2, 2, 3), (1, 12, 2, 2, 3),
  (1, 13, 2, 8, NULL), (1, 11, 3, 7, NULL), (1, 12, 3, 0, NULL);
"""
SECOND = """
INSERT INTO tournament (id, name, rounds, rating, pairing) VALUES (2, 'B', 7, 2, 'ROUND_ROBIN_BERGER');
INSERT INTO tournament_player VALUES (2, 12, NULL), (2, 13, NULL);
"""


TRIGGER = "CREATE TRIGGER gone AFTER INSERT ON pairing BEGIN DELETE FROM pairing; END"


def sce(*parts: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(";\n".join(parts or (OF_2026, ROUNDS, TRIGGER)))
        return bytes(made.serialize())


@pytest.mark.parametrize("version", [OF_2025, OF_2026])
def test_a_database_of_sharly_chess_is_an_event(club, version):
    member = make_member(club, "Kot, Ala", fide_id=1100012)
    data = sce(version, ROUNDS)
    preview = preview_import(club, data, "example.sce")
    assert (preview.errors, preview.warnings, preview.parts, preview.system) == ((), (), (), "dutch-2026")
    assert (preview.rounds, preview.rounds_announced, preview.rated_as) == (2, 5, "standard")
    event = apply_import(club, data, "example.sce", by=None)
    assert (event.name, event.city, event.point_system) == ("Example Open", "Liffré", "3-1-0 P1")
    assert (str(event.starts_on), str(event.ends_on), event.time_control) == (
        "2025-10-18",
        "2025-10-24",
        "90'+30\"",
    ) or (version is OF_2026 and str(event.ends_on) == "2025-10-25")
    assert games(event) == {(1, "KOT, Ala", "RYBA", "1-0"), (2, "PIES, Azor", "KOT, Ala", "1/2")}
    kinds = event.rounds.exclude(byes=None).values_list("number", "byes__entry__tpn", "byes__kind")
    assert set(kinds) == {(1, 3, "U"), (2, 2, "H"), (3, 1, "Z")}
    found = event.entries.order_by("tpn").values_list("tpn", "name", "title", "sex", "rating", "federation")
    assert [*found] == [
        (1, "KOT, Ala", "WFM", "w", 1875, "POL"),
        (2, "RYBA", "", "", 1500, "FRA"),
        (3, "PIES, Azor", "", "m", 0, ""),
    ]
    assert event.entries.get(tpn=1).member == member
    again = preview_import(club, export_trf(event), "x.trf")
    assert (again.errors, again.games, again.rounds) == ((), 2, 2)


def test_the_user_chooses_one_of_several_events(club, client):
    client.force_login(make_user("arbiter", club, "arbiter"))
    address = reverse("tournament_import", args=[club.slug])
    file = SimpleUploadedFile("example.sce", sce(OF_2026, ROUNDS, SECOND))
    page = client.post(address, {"file": file}, follow=True)
    text = page.content.decode()
    assert '<option value="1" selected>A (3)</option>' in text
    token = text.split('name="token" value="')[1].split('"')[0]
    shown = client.post(address, {"token": token, "part": "2", "shown-part": "1", "check": "part"}, follow=True)
    assert '<option value="2" selected>B (2)</option>' in shown.content.decode()
    client.post(address, {"token": token, "part": "2", "shown-part": "1", "system": "round-robin"}, follow=True)
    assert not Tournament.objects.exists(), "only what was shown is imported"
    sent = {"token": token, "part": "2", "shown-part": "2", "system": "round-robin", "rated_as": "rapid"}
    client.post(address, sent, follow=True)
    event = Tournament.objects.get()
    assert (event.name, event.entries.count(), event.rounds_announced) == ("Example Open, B", 2, 7)


def test_an_event_with_players_takes_the_players(club):
    event = make_event(club)
    Entry.objects.create(tournament=event, name="Wilk, Ewa")
    apply_import(event, sce(), "example.sce", by=None)
    assert set(event.entries.values_list("name", "birth", "rating")) == {
        ("Wilk, Ewa", "", 0),
        ("KOT, Ala", "1990/03/07", 0),
        ("PIES, Azor", "2001", 0),
        ("RYBA", "", 0),
    }


def test_members_come_from_the_database_too(club, today):
    import_members(club, sce(), today=today, by=make_user("secretary", club))
    ala = Member.objects.get(family_name="KOT")
    assert (ala.given_name, ala.email, ala.fide_id, ala.sex, ala.national_id) == (
        "Ala",
        "ala@example.org",
        1100012,
        "w",
        "",
    )
    assert Member.objects.get(family_name="PIES").birth_year == 2001


@pytest.fixture
def today():
    from django.utils import timezone

    return timezone.localdate()


@pytest.mark.usefixtures("files_are_read_here")
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE pairing SET result = 3 WHERE player_id = 13 AND round = 1", "KOT, Ala, round 1: The rows of the 2"),
        ("UPDATE pairing SET result = 99 WHERE player_id = 11", "KOT, Ala, round 1: The database has no valid result"),
        ("UPDATE pairing SET result = 'x' WHERE player_id = 11", "no valid result"),
        ("UPDATE pairing SET result = 3 WHERE board_id IS NULL", "no valid result"),
        ("UPDATE pairing SET board_id = 2 WHERE player_id = 11 AND round = 1", "no valid result"),
        ("UPDATE board SET black_player_id = 77 WHERE id = 1", "no valid result"),
        ("UPDATE pairing SET result = player_id + 5 WHERE round = 2 AND player_id < 13", "round 2: A game can't end"),
        ("UPDATE pairing SET round = 100", "damaged"),
        ("UPDATE pairing SET round = 'x'", "damaged"),
        ("UPDATE pairing SET player_id = 77", "damaged"),
        ("UPDATE tournament_player SET player_id = 77", "damaged"),
        ("UPDATE tournament_player SET pairing_number = 1", "needs a pairing number that no one else has"),
        ("UPDATE tournament_player SET pairing_number = -5", "needs a pairing number"),
        ("UPDATE player SET last_name = '', first_name = NULL", "no name"),
        ("UPDATE tournament SET pairing = 'TEAM_SWISS_STANDARD'", "team event"),
        ('UPDATE tournament SET game_points = \'{"3": 1, "2": 5}\'', "points of this event"),
        ("DELETE FROM tournament_player", "no players"),
        ("DELETE FROM tournament", "no players"),
        ("DROP TABLE player; DROP TABLE board; DROP TABLE pairing", "old version of Sharly Chess"),
        ("DROP TABLE player; CREATE VIEW player AS SELECT 1 AS id, 'x' AS last_name", "list of players"),
        (
            "DROP TABLE board; CREATE VIRTUAL TABLE board USING fts5(id, white_player_id, black_player_id)",
            "list of players",
        ),
        ("ALTER TABLE pairing DROP COLUMN round", "list of players"),
    ],
)
def test_a_database_that_contradicts_itself_is_refused(club, statement, said):
    assert said in errors(club, sce(OF_2026, ROUNDS, statement), "x.sce")


@pytest.mark.usefixtures("files_are_read_here")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE player SET ratings = 'x', gender = 5, title = 77, fide_id = -1, federation = 7, date_of_birth = 'x'",
        f"UPDATE player SET ratings = '{'[' * 100_000}'",  # noqa: S608
        'UPDATE player SET ratings = \'{"1": {"fide": 1e400}}\'',
        "UPDATE player SET ratings = '{\"1\": [1, 2]}', club = x'00ff'",
        "UPDATE tournament SET rounds = 9223372036854775807, rating = 'x', start_date = 1e300, game_points = '[]'",
        f"UPDATE tournament SET game_points = '{{\"{'3' * 5000}\": 1}}'",  # noqa: S608
        "UPDATE tournament SET pairing = NULL, time_control_trf25 = 'for ever', location = x'00'",
        "UPDATE player SET fide_id = 9223372036854775807 - id",
        "UPDATE info SET name = NULL",
        "DELETE FROM info",
    ],
)
def test_what_is_odd_but_not_needed_is_left_out(club, statement):
    data = sce(OF_2026, ROUNDS, statement)
    preview = preview_import(club, data, "x.sce")
    assert preview.errors == ()
    event = apply_import(club, data, "x.sce", by=None, system="dutch-2026")
    assert games(event) >= {(1, "KOT, Ala", "RYBA", "1-0")}
    assert max(len(entry.fide_id) for entry in event.entries.all()) <= 10


def test_damaged_files_and_foreign_databases_are_refused(club):
    assert "damaged" in errors(club, sce()[:6000], "x.sce")
    assert "damaged" in errors(club, b"SQLite format 3\0" + bytes(4000), "x.sce")
    assert "no table of people" in errors(club, sce("CREATE TABLE notes (text TEXT)"), "x.sce")


def test_ratings_are_those_the_event_uses(club):
    ratings = json.dumps({"1": {"fide": 1800, "national": 1750}, "2": {"fide": None, "national": 1650}})
    for kind, first, rating in ((1, 3, 1800), (1, 2, 1750), (2, 3, 1800), (2, 2, 1650), (3, 3, 1800)):
        change = f"UPDATE tournament SET rating = {kind}, player_rating_type = {first}"  # noqa: S608
        data = sce(OF_2026, ROUNDS, change, f"UPDATE player SET ratings = '{ratings}'")  # noqa: S608
        assert {row.rating for row in preview_import(club, data, "x.sce").players} == {rating}
