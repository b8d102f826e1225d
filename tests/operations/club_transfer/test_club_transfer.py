"""A club moves to another server: what arrives, and what doesn't."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import partial

import pytest
from django.contrib.auth import authenticate
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.finance.dues.ledger import record_payment, reverse_ledger_entry
from clubs.models import (
    Club,
    ClubLetterhead,
    DuesAccount,
    ExpectedPayment,
    LedgerEntry,
    Member,
    MemberRating,
    Membership,
    RatingRegister,
    Role,
    User,
    Voucher,
)
from clubs.privacy import ERASED_MEMBER_NAME
from common.jobs.queue import create_job, enqueue_job
from common.key_sequences import skip_keys
from common.problems import OfficerProblem
from operations.club_transfer.archive_format import MANIFEST, format_cell, read_cell_text, table_path
from operations.club_transfer.tables import ALL_TABLES, CLUB, EVENTS, PEOPLE
from operations.integrity.event_checks import check_events
from operations.integrity.ledger_checks import check_ledgers
from operations.integrity.log_checks import check_results_by_log
from operations.integrity.recomputation_checks import check_stored_ratings
from operations.integrity.seal_checks import check_seals
from tests.factories import make_user
from tests.module_fixtures import make_module_fixtures
from tests.operations.club_transfer.club_scenario import (
    SITE,
    archive_of,
    files_of,
    make_whole_club,
    packed,
    table_of,
    taken_in,
    with_rows,
)
from tournaments.club_ratings.recalculation import recalculate_due_ratings
from tournaments.models import NotificationChannel, OnlineEntry, Tournament
from tournaments.online_entries.places import find_events_to_move_up, move_waiting_list_up
from tournaments.online_entries.processing import PROCESS_TASK


def club_with_archive() -> tuple[Club, bytes]:
    club = make_whole_club()
    recalculate_due_ratings(club.pk)
    return club, archive_of(club)


made_once, made = make_module_fixtures(club_with_archive)


@pytest.fixture
def club(made: tuple[Club, bytes]) -> Club:
    return made[0]


@pytest.fixture
def archive(made: tuple[Club, bytes]) -> bytes:
    return made[1]


REFERENCES = {
    table.name: {
        name: next(each.name for each in ALL_TABLES if each.model is field.related_model)
        for name, field in table.fields.items()
        if field.is_relation
    }
    for table in ALL_TABLES
}


def comparable(data: bytes) -> dict[str, list[dict[str, str]]]:
    """Every table with positions instead of ids, and names of people without the server they came to.

    The importing administrator, who is an author from then on, is left out.
    """
    files = files_of(data)
    tables = {table.name: table_of(files, table.name) for table in ALL_TABLES}
    places = {name: {row["id"]: str(place) for place, row in enumerate(rows, start=1)} for name, rows in tables.items()}
    people = places[PEOPLE.name] = {
        row["id"]: row["username"].partition("@")[0] for row in tables.pop(PEOPLE.name) if row["username"]
    }
    for name, rows in tables.items():
        for row in rows:
            if name not in ("players", "online-entries"):
                row["id"] = places[name][row["id"]]
            for column, target in REFERENCES[name].items():
                row[column] = places[target].get(row[column], row[column])
    tables[PEOPLE.name] = [{"username": name} for name in people.values() if name != "administrator"]
    return tables


def event_files(data: bytes) -> list[dict[str, object]]:
    """The event files, without the line that tells of the import, and without names of the servers' people."""
    files = files_of(data)
    told = []
    for row in table_of(files, EVENTS.name):
        event = json.loads(files[f"events/{row['id']}-{row['slug']}/event.json"])
        event["log"] = [line for line in event["log"] if line["action"] != "event brought in"]
        names = [person["login"].partition("@")[0] for person in event.pop("people")]
        told.append(_with_names(event, names))
        for name in ("made_at", "club"):
            event.pop(name)
    return told


def _with_names(part, names):
    if isinstance(part, dict):
        return {
            name: names[value - 1]
            if name in ("by", "entered_by") and isinstance(value, int)
            else _with_names(value, names)
            for name, value in part.items()
            if name not in ("made_at", "club")
        }
    return [_with_names(each, names) for each in part] if isinstance(part, list) else part


def test_every_table_has_a_row_in_these_tests(archive):
    assert [name for name, count in json.loads(files_of(archive)[MANIFEST])["rows"].items() if not count] == []


def test_every_table_arrives_as_it_was(club, archive):
    other = taken_in(archive)
    told, again = comparable(archive), comparable(archive_of(other))
    assert again[CLUB.name][0].pop("slug") == "pod-wieza-2"
    assert told[CLUB.name][0].pop("slug") == "pod-wieza"
    assert again == told
    assert event_files(archive_of(other)) == event_files(archive)


def test_files_arrive_as_they_were(club, archive):
    other = taken_in(archive)
    assert [bytes(each.data) for each in Voucher.objects.filter(entry__club=other)] == [b"%PDF-1.7 zegary"]
    logos = [bytes(ClubLetterhead.objects.get(club=each).logo) for each in (club, other)]
    assert logos[0] == logos[1] != b""
    other.refresh_from_db()
    assert re.fullmatch("[0-9a-f]{12}", other.logo_mark)


def test_the_doctor_has_nothing_to_say_about_it(club, archive):
    other = taken_in(archive)
    recalculate_due_ratings(other.pk)
    clubs, events = Club.objects.filter(pk=other.pk), Tournament.objects.filter(club=other)
    assert list(check_events(events)) == []
    assert list(check_ledgers(clubs)) == []
    assert list(check_seals(clubs, events)) == []
    assert list(check_results_by_log(events)) == []
    assert list(check_stored_ratings(other)) == []
    assert LedgerEntry.objects.filter(club=other).count() == LedgerEntry.objects.filter(club=club).count() > 3


def test_ratings_are_calculated_again_and_equal(club, archive):
    def ratings(of: Club) -> list[tuple[object, ...]]:
        rows = MemberRating.objects.filter(member__club=of).order_by("kind", "month", "member__search_name")
        return list(rows.values_list("member__search_name", "kind", "month", "before", "after", "factor"))

    other = taken_in(archive)
    recalculate_due_ratings(other.pk)
    assert ratings(other) == ratings(club)


def test_nobody_can_sign_in_and_nobody_has_a_role(club, archive):
    before = set(User.objects.values_list("pk", flat=True))
    roles = set(Membership.objects.filter(club=club).values_list("user", "role"))
    administrator = User.objects.create_superuser("root", password="root")
    other = taken_in(archive, by=administrator)
    new = User.objects.exclude(pk__in=before | {administrator.pk})
    assert {user.username for user in new} == {"secretary@pod-wieza", "treasurer@pod-wieza"}
    for user in new:
        assert not user.is_active
        assert not user.has_usable_password()
        assert (user.email, user.is_staff, user.is_superuser) == ("", False, False)
        assert authenticate(username=user.username, password="secretary") is None
    assert list(Membership.objects.filter(club=other).values_list("user", "role")) == [(administrator.pk, "secretary")]
    assert set(Membership.objects.filter(club=club).values_list("user", "role")) == roles
    assert Member.objects.filter(club=other).exclude(user=None).count() == 0


def test_links_confirmations_and_addresses_of_servers_stay_behind(club, archive):
    other = taken_in(archive)
    assert NotificationChannel.objects.filter(member__club=other).count() == 0
    assert set(OnlineEntry.objects.filter(tournament__club=other).values_list("site", "token_hash")) == {(SITE, "")}
    application = other.applications.get()
    assert (application.site, application.token_hash, application.people.count()) == (SITE, "", 1)
    letter = other.letters.get()
    assert (letter.site, letter.copies.get().email_due) == (SITE, "")
    assert not other.takes_applications
    assert other.frame_origins == []
    assert not other.is_demo
    own = RatingRegister.objects.get(club=other)
    assert (own.fetched_from, own.months) == ("", {})
    assert b"chess.example" not in b"".join(files_of(archive).values())


@pytest.mark.parametrize("has_form", [True, False])
def test_nobody_on_a_waiting_list_is_written_to_before_the_secretary_says_so(archive, settings, has_form):
    """Neither about a place that was offered on the other server, nor about a free one."""
    settings.EMAIL_HOST = "mail.example"
    files = files_of(archive)
    for name in [name for name in files if name.endswith("event.json")]:
        event = json.loads(files[name])
        for entry in event["online_entries"]:
            if entry["state"] == "waiting":
                entry |= {"state": "offered", "offer_ends_at": "2026-01-01T10:00:00Z"}
        event["entry_form"] = event["entry_form"] if has_form else None
        files[name] = json.dumps(event).encode()
    other = taken_in(packed(files))
    waiting = OnlineEntry.objects.get(tournament__club=other, entry=None)
    assert (waiting.state, waiting.offer_ends_at, waiting.contact_email) == ("waiting", None, "opieka@poczta.example")
    assert waiting.tournament_id not in find_events_to_move_up()
    assert move_waiting_list_up(waiting.tournament_id) == 0
    enqueue_job(create_job(PROCESS_TASK, by=None))
    assert [each for each in mail.outbox if SITE in each.body] == []
    browser = Client()
    browser.force_login(make_user("sekretarz", other, Role.SECRETARY))
    address = [other.slug, waiting.tournament.slug]
    said = "The waiting list hasn't moved since the import."
    page = browser.get(reverse("online_entries_review", args=address)).text
    assert said in page
    form = {"guardian_under": "16", "fees-TOTAL_FORMS": "0", "fees-INITIAL_FORMS": "0"}
    assert browser.post(reverse("entry_form_edit", args=address), form).status_code == 302
    waiting.refresh_from_db()
    assert waiting.state == "offered"
    assert said not in browser.get(reverse("online_entries_review", args=address)).text


def test_notes_on_payments_of_erased_people_stay_behind(club):
    """They may name the person. The dates and amounts of the books stay."""
    member = club.members.get(family_name="=Rodzic")
    treasurer = User.objects.get(username="treasurer")
    reference = {"method": "transfer", "paid_on": date(2025, 6, 1), "reference": "Rodzic Jan, Zmyślone"}
    paid = record_payment(member, 700, by=treasurer, **reference)
    reverse_ledger_entry(paid, reason="Rodzic pomylił się", by=treasurer)
    assert any("Rodzic Jan" in row["reference"] for row in table_of(files_of(archive_of(club)), "ledger"))
    Member.objects.filter(pk=member.pk).update(family_name=ERASED_MEMBER_NAME, erased_at=timezone.now())
    data = archive_of(club)
    files = files_of(data)
    ledger, books = table_of(files, "ledger"), table_of(files, "book-entries")
    accounts = {row["id"] for row in table_of(files, "dues-accounts") if row["member"] == str(member.pk)}
    hidden = [row for row in ledger if row["account"] in accounts]
    assert {row["reference"] for row in hidden} == {""}
    assert {row["reason"] for row in hidden if row["corrects"]} == {"–"}
    assert [row for row in books if "Rodzic" in "".join(row.values())] == []
    assert any(row["reason"] == "–" for row in books)
    assert LedgerEntry.objects.filter(club=taken_in(data)).count() == len(ledger)


def test_the_archive_can_be_read_without_clubnight(archive):
    files = files_of(archive)
    assert files["accounting/2025.csv"].startswith(b"\xef\xbb\xbf")
    assert "tables/*.csv" in files["README.txt"].decode()
    folders = {name.rpartition("/")[0] for name in files if name.startswith("events/")}
    assert len(folders) == 2
    for folder in folders:
        assert files[f"{folder}/report.trf"].startswith(b"012 ")
        assert {f"{folder}/{name}" for name in ("log.jsonl", "games.pgn", "standings.csv", "crosstable.csv")} <= set(
            files
        )


def test_a_text_that_looks_like_a_formula_is_guarded_and_arrives(archive):
    member = next(row for row in table_of(files_of(archive), "members") if "Rodzic" in row["family_name"])
    assert member["family_name"] == "'=Rodzic"
    assert Member.objects.filter(club=taken_in(archive), family_name="=Rodzic").exists()


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("Smith,=HYPERLINK(1)", "'Smith,'=HYPERLINK(1)"),
        ("ul. 1\n=1", "'ul. 1\n'=1"),
        ("=1,'=2,=3", "'=1,''=2,'=3"),
        ("'Smith,'=1", "''Smith,''=1"),
        ("Smith, Anna", "Smith, Anna"),
    ],
)
def test_formulas_within_a_text_are_guarded_and_arrive(text, cell):
    assert format_cell(Member._meta.get_field("address"), text) == cell
    assert read_cell_text(cell) == text


def test_importing_twice_makes_two_clubs_that_share_nothing(archive):
    administrator = User.objects.create_superuser("root", password="root")
    first, second = taken_in(archive, by=administrator), taken_in(archive, by=administrator)
    assert [first.slug, second.slug] == ["pod-wieza-2", "pod-wieza-3"]
    assert comparable(archive_of(first))["ledger"] == comparable(archive_of(second))["ledger"]


def test_the_address_is_kept_if_it_is_free(club, archive):
    Club.objects.filter(pk=club.pk).update(slug="elsewhere")
    assert taken_in(archive).slug == "pod-wieza"
    assert reverse("club", args=["pod-wieza"])


def test_no_path_is_shared(archive):
    assert len({table_path(table) for table in ALL_TABLES}) == len(ALL_TABLES)


def test_payment_references_stay_if_they_are_free_here(club, archive):
    """A member's standing order is still matched. Where the references are taken, as on the same server, all change."""

    def keys(of: Club) -> tuple[list[int], list[int]]:
        accounts = DuesAccount.objects.filter(member__club=of).order_by("pk").values_list("pk", flat=True)
        return list(accounts), list(of.expected_payments.order_by("pk").values_list("pk", flat=True))

    here = taken_in(archive)
    assert [set(ours).isdisjoint(theirs) for ours, theirs in zip(keys(here), keys(club), strict=True)] == [True, True]
    columns = {
        "dues-accounts": ("id",),
        "ledger": ("account", "on_behalf_of"),
        "expected-payments": ("id",),
        "bank-lines": ("expected_payment",),
        "online-entries": ("payment",),
    }
    elsewhere = archive
    for name, names in columns.items():
        elsewhere = with_rows(elsewhere, name, partial(_shift, names=names))
    other = taken_in(elsewhere)
    assert keys(other) == tuple([key + 5000 for key in found] for found in keys(club))
    last = max(keys(other)[0])
    assert DuesAccount.objects.create(member=other.members.order_by("pk").last()).pk > last


def test_old_references_never_mean_somebody_else(archive):
    """If the references can't be kept, a standing order with an old one matches nobody, now or later."""

    def enlarge(rows):
        rows.append(rows[0] | {"id": "5000"})

    old = {int(row["id"]) for row in table_of(files_of(archive), "expected-payments")} | {5000}
    club = taken_in(with_rows(archive, "expected-payments", enlarge))
    later = ExpectedPayment.objects.create(club=club, amount=1, purpose="Wpisowe", payer="Gość")
    keys = set(club.expected_payments.values_list("pk", flat=True))
    assert later.pk in keys
    assert len(keys) == 3
    assert keys.isdisjoint(old)


def test_the_reference_of_a_deleted_payment_is_not_given_again(club, archive):
    """The player may still transfer the fee that they no longer owe."""
    withdrawn = ExpectedPayment.objects.create(club=club, amount=2000, purpose="Wpisowe", payer="Gość")
    key = withdrawn.pk
    withdrawn.delete()
    taken_in(archive)
    skip_keys(ExpectedPayment, up_to=1)
    assert ExpectedPayment.objects.create(club=club, amount=1, purpose="Wpisowe", payer="Gość").pk > key


def test_an_archive_cannot_use_up_the_keys_of_this_server(archive):
    def enlarge(rows):
        rows[0]["id"] = str(10**15)

    with pytest.raises(OfficerProblem, match="ledger"):
        taken_in(with_rows(archive, "dues-accounts", enlarge))
    assert DuesAccount.objects.order_by("-pk").first().pk < 10**6


def _shift(rows: list[dict[str, str]], names: tuple[str, ...]) -> None:
    for row in rows:
        for name in names:
            row[name] = str(int(row[name]) + 5000) if row[name] else ""
