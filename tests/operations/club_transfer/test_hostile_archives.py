"""Archives that somebody changed: refused with file, line and column, and nothing is saved."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from clubs.models import Club, Member, Membership, RatingRegister, User
from common.problems import OfficerProblem
from operations.club_transfer import archive_reader
from operations.club_transfer.archive_reader import read_club_archive
from operations.club_transfer.tables import CLUB_TABLES
from tests.factories import make_club, make_member
from tests.module_fixtures import make_module_fixtures
from tests.operations.club_transfer.club_scenario import (
    archive_of,
    files_of,
    make_whole_club,
    packed,
    taken_in,
    with_rows,
)

made_once, archive = make_module_fixtures(lambda: archive_of(make_whole_club()))


def refused(data: bytes, *words: str) -> None:
    """The archive is refused with these words, and nothing is saved."""
    administrator = User.objects.get_or_create(username="administrator")[0]
    before = (Club.objects.count(), User.objects.count(), Member.objects.count())
    with pytest.raises(OfficerProblem) as raised:
        taken_in(data, by=administrator)
    for word in words:
        assert word in raised.value.message
    assert (Club.objects.count(), User.objects.count(), Member.objects.count()) == before


def cell(data: bytes, table: str, column: str, value: str, row: int = 0) -> bytes:
    return with_rows(data, table, lambda rows: rows[row].update({column: value}))


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("club", "time_zone", "Mars/Olympus"),
        ("club", "language", "xx"),
        ("club", "currency", "euro"),
        ("club", "colour", "red"),
        ("club", "slug", "../etc"),
        ("club", "calendar_key", "no"),
        ("club", "email", "nobody"),
        ("club", "bye_deadline_hours", "99999999999999999999"),
        ("club", "result_keys", "none"),
        ("club", "shows_birthdays", "1"),
        ("members", "status", "president"),
        ("members", "family_name", ""),
        ("members", "rating", "-1"),
        ("members", "rating", "9999999"),
        ("members", "birth_date", "0001-01-01"),
        ("members", "birth_date", "2015-02-30"),
        ("members", "erased_at", "2026-01-01T10:00:00"),
        ("members", "emergency_note", "x" * 501),
        ("members", "phone", "x" * 41),
        ("members", "title", "'GM"[1:] + "!"),
        ("series", "place_points", "{}"),
        ("series", "place_points", '["a"]'),
        ("series", "place_points", "[" * 50_000),
        ("year-closings", "figures", '{"income": 1.5}'),
        ("bank-layouts", "columns", '{"day": -1}'),
        ("rating-registers", "columns", '{"name": {"a": 1}}'),
        ("data-accesses", "details", "NaN"),
        ("data-accesses", "what", "nothing"),
        ("letterhead", "language", "xx"),
        ("letterhead", "size", "a0"),
        ("rating-scheme", "method", "none at all"),
        ("mandates", "reference", "a b"),
        ("reminders", "sent_to", "x"),
        ("people", "username", "a b"),
        ("events", "slug", "a/../b"),
        ("online-entries", "email", "x"),
        ("ledger", "account", "x"),
        ("ledger", "account", ""),
    ],
)
def test_every_kind_of_value_is_checked(archive, table, column, value):
    refused(cell(archive, table, column, value), f"tables/{table}.csv", "2", column if column != "slug" else "")


@pytest.mark.parametrize("column", ["account", "corrects", "entered_by"])
def test_a_row_can_only_refer_to_rows_of_the_archive(archive, column):
    stranger = make_member(make_club("other", "Other"), "Obcy, Adam")
    refused(cell(archive, "ledger", column, str(stranger.pk + 100_000)), "tables/ledger.csv", column)


def test_a_row_cannot_refer_to_itself_or_to_a_later_one(archive):
    def circle(rows):
        rows[0]["corrects"] = rows[0]["id"]

    refused(with_rows(archive, "ledger", circle), "tables/ledger.csv", "corrects")


def test_only_the_register_of_fide_is_shared(archive):
    """A list of all clubs, or another club's, is never changed by an archive."""
    other = RatingRegister.objects.create(club=make_club("other", "Other"), name="Inny")
    refused(cell(archive, "rating-listings", "register", str(other.pk + 100_000)), "register")
    before = set(RatingRegister.objects.filter(club=None).values_list("pk", "name"))
    taken_in(archive)
    assert set(RatingRegister.objects.filter(club=None).values_list("pk", "name")) == before


def test_no_table_has_a_column_for_its_club():
    assert [table.name for table in CLUB_TABLES if "club" in table.fields] == []


def test_rules_of_the_database_name_the_line(archive):
    refused(cell(archive, "ledger", "amount", "-5"), "tables/ledger.csv", "2", "ledger_taken_back_with_a_reason")


def test_a_ledger_that_contradicts_itself_is_refused(archive):
    def wrong_reversal(rows):
        next(row for row in rows if row["corrects"])["amount"] = "-1"

    refused(with_rows(archive, "ledger", wrong_reversal), "does not reverse")


def test_emails_of_accounts_here_get_nothing(archive):
    mine = User.objects.create_user("nr2", email="ala@poczta.example", password="x")
    other = taken_in(archive)
    assert Member.objects.filter(club=other, email="ala@poczta.example").get().user is None
    assert not Membership.objects.filter(user=mine).exists()
    assert not Member.objects.filter(user=mine).exists()


def test_a_login_of_this_server_is_not_taken_over(archive):
    User.objects.create_user("boss@pod-wieza", password="x")
    other = taken_in(cell(archive, "people", "username", "boss"))
    assert not Membership.objects.filter(club=other, user__username__startswith="boss").exists()
    assert User.objects.filter(username__startswith="boss@pod-wieza.", is_active=False).count() == 1


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression_is_refused(archive, packing):
    refused(packed(files_of(archive), packing), "is encrypted or compressed in a way")


def test_what_unpacks_to_too_much_is_refused(archive, monkeypatch):
    refused(packed(files_of(archive) | {"x": b"\0" * 4 * 1024**2}), "x", "is encrypted or compressed in a way")
    monkeypatch.setattr(archive_reader, "MAX_UNPACKED_BYTES", 10_000)
    with pytest.raises(OfficerProblem, match="too much data"):
        read_club_archive(archive)


def test_too_many_files_are_refused(archive, monkeypatch):
    monkeypatch.setattr(archive_reader, "MAX_FILES", 3)
    refused(archive, "too much data")


def test_two_files_of_one_name_are_refused(archive):
    out = io.BytesIO(archive)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(out, "a") as files:
        files.writestr("tables/members.csv", b"id")
    refused(out.getvalue(), "too much data")


def test_a_size_that_is_a_lie_is_noticed(archive):
    """The header says that a table is short. Only that much is unpacked, and its checksum is wrong."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        info = files.getinfo("tables/members.csv")
        size = info.file_size.to_bytes(4, "little")
        place = archive.rindex(b"tables/members.csv") - 46 + 24
        assert archive[place : place + 4] == size
    refused(archive[:place] + (50).to_bytes(4, "little") + archive[place + 4 :], "tables/members.csv")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"id;name\n1;x\n", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_archive_says_so(db, data):
    refused(data, "isn't a Clubnight archive")


def test_a_damaged_file_is_refused(archive):
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        start = files.getinfo("tables/members.csv").header_offset + 60
    refused(archive[:start] + b"\xff\xff\xff\xff" + archive[start + 4 :], "tables/members.csv")


@pytest.mark.parametrize("name", ["tables/members.csv", "club.json", "tables/events.csv"])
def test_a_missing_file_is_refused(archive, name):
    files = files_of(archive)
    del files[name]
    refused(packed(files), name if name != "club.json" else "isn't a Clubnight archive")


def test_missing_rows_are_noticed(archive):
    files = files_of(archive)
    files["tables/members.csv"] = files["tables/members.csv"].rstrip(b"\r\n").rpartition(b"\n")[0] + b"\n"
    refused(packed(files), "tables/members.csv")


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (b"id;", b"key;", "the columns must be"),
        (b"id;status;", b"id;", "the columns must be"),
        (b"\r\n", b'\r\n1;"', "line 2"),
        (b"\r\n", b"\r\n1;2\r\n", "line 2"),
        (b"\r\n", b"\r\n\r\n", "line 2"),
        (b"Ala", b"A\0a", "invalid characters"),
        (b"Ala", b"A\xffa", "invalid characters"),
    ],
)
def test_a_table_that_is_none_is_refused(archive, old, new, word):
    files = files_of(archive)
    assert old in files["tables/members.csv"]
    files["tables/members.csv"] = files["tables/members.csv"].replace(old, new, 1)
    refused(packed(files), "tables/members.csv", word)


def test_no_more_rows_are_read_than_the_manifest_says(archive, monkeypatch):
    """A row of 14 bytes needs 500 in memory, so a table of 200 MB could need many GB."""
    read = []
    real = archive_reader._row
    monkeypatch.setattr(archive_reader, "_row", lambda table, *rest: read.append(table.name) or real(table, *rest))
    files = files_of(archive)
    count = json.loads(files["club.json"])["rows"]["members-of-groups"]
    files["tables/members-of-groups.csv"] += b"".join(b"%d;1;1\r\n" % number for number in range(1000, 3000))
    refused(packed(files), "tables/members-of-groups.csv")
    assert read.count("members-of-groups") == count + 1


def test_a_manifest_with_too_many_rows_is_refused_before_any_is_read(archive, monkeypatch):
    monkeypatch.setattr(archive_reader, "_table_rows", None)
    files = files_of(archive)
    manifest = json.loads(files["club.json"])
    manifest["rows"] |= {"members": 1_500_000, "ledger": 1_500_000}
    refused(packed(files | {"club.json": json.dumps(manifest).encode()}), "too much data")


def test_a_row_that_is_there_twice_is_refused(archive):
    refused(with_rows(archive, "members", lambda rows: rows.append(dict(rows[0]))), "more than once")


@pytest.mark.parametrize(("part", "value"), [("version", 2), ("format", "clubnight-event"), ("rows", {}), ("x", 1)])
def test_another_manifest_is_refused(archive, part, value):
    files = files_of(archive)
    files["club.json"] = json.dumps(json.loads(files["club.json"]) | {part: value}).encode()
    refused(packed(files))


def test_a_voucher_must_be_what_it_says(archive):
    files = files_of(archive)
    name = next(name for name in files if name.startswith("vouchers/"))
    refused(packed(files | {name: b"<script>"}), name)
    del files[name]
    refused(packed(files), name)


def test_a_logo_must_be_a_picture(archive):
    refused(packed(files_of(archive) | {"logo.png": b"\x89PNG"}), "logo.png")


def test_names_of_files_are_never_paths(archive, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    taken_in(packed(files_of(archive) | {"../out.txt": b"x", f"{tmp_path}/out.txt": b"x"}))
    assert list(tmp_path.parent.glob("out.txt")) == list(tmp_path.iterdir()) == []


def test_an_event_file_is_checked_as_any_other(archive):
    files = files_of(archive)
    name = next(name for name in files if name.endswith("event.json"))
    event = json.loads(files[name])
    event["rounds"][0]["boards"][0]["white"] = event["rounds"][0]["boards"][1]["white"]
    refused(packed(files | {name: json.dumps(event).encode()}), name)


def test_an_event_with_players_of_another_member_is_refused(archive):
    refused(cell(archive, "players", "member", "999999", row=-1), "tables/players.csv", "member")


def test_a_second_club_in_the_table_is_refused(archive):
    def another(rows):
        rows.append(rows[0] | {"id": "999", "slug": "other"})

    refused(with_rows(archive, "club", another), "tables/club.csv")
