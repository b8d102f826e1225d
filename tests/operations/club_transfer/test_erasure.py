"""Erasing people from what was exported from this server, and what was imported from another."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Member, Role, User
from clubs.privacy import ERASED_MEMBER_NAME
from common.models import Job
from operations.club_transfer.archive_reader import read_club_archive
from operations.club_transfer.club_import import import_club
from operations.club_transfer.export_job import (
    club_archive_store,
    latest_club_export,
    start_club_export,
)
from operations.club_transfer.tables import CLUB_TABLES
from operations.event_transfer.event_export import render_event_file
from operations.event_transfer.event_import import import_event
from operations.event_transfer.file_reader import parse_event_file
from operations.integrity.examination import run_integrity_checks
from tests.factories import make_club, make_event, make_member, make_user
from tests.operations.club_transfer.club_scenario import archive_of, exported
from tournaments.entries.enrolment import enter_members
from tournaments.models import LogEntry, Tournament
from tournaments.privacy.imported_authors import AUTHORED, erase_imported_author, find_imported_authors
from tournaments.privacy.personal_data import erase_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_member(club, "Skoczek, Ewa", 1500)
    return club


@pytest.fixture
def secretary(club: Club) -> User:
    return make_user("secretary", club, Role.SECRETARY)


# -- Archives ------------------------------------------------------------------------------------------------------


def test_archives_that_hold_the_person_are_deleted(club, secretary, django_capture_on_commit_callbacks):
    other = make_club("Inny")
    make_member(other, "Wilk, Ewa")
    theirs, ours = exported(other, secretary), exported(club, secretary)
    waiting = start_club_export(club, by=secretary, with_papers=True)
    with django_capture_on_commit_callbacks() as saved:
        erase_person(Member.objects.get(club=club), in_results=True, by=secretary)
    assert {each.name for each in club_archive_store().list_files()} >= {ours.result["file"], theirs.result["file"]}
    for call in saved:
        call()
    names = {each.name for each in club_archive_store().list_files()}
    assert ours.result["file"] not in names
    assert theirs.result["file"] in names
    assert latest_club_export(club, secretary) is None
    waiting.refresh_from_db()
    assert waiting.state == Job.State.CANCELLED


# -- Authors from another server -----------------------------------------------------------------------------------


@pytest.fixture
def arbiter(club: Club) -> User:
    user = make_user("jan", club, Role.ARBITER)
    user.first_name, user.last_name = "Jan", "Nikt"
    user.save()
    return user


@pytest.fixture
def event(club: Club, arbiter: User) -> Tournament:
    """An event whose log names the arbiter."""
    make_member(club, "Wilk, Ewa", 1400)
    event = make_event(club)
    enter_members(event, list(club.members.all()), by=arbiter)
    return event


def everything_kept(club: Club) -> str:
    lines = LogEntry.objects.filter(tournament__club=club)
    users = User.objects.filter(is_active=False).values_list("username", "first_name", "last_name")
    return repr([*lines.values_list("details"), *users])


def arrived(club: Club, by: User) -> Club:
    return import_club(read_club_archive(archive_of(club)), by=by, site="https://example.org/")


def test_every_table_that_brings_an_author_is_searched():
    brought = {
        (table.model, table.club, name)
        for table in CLUB_TABLES
        for name, column in table.fields.items()
        if column.related_model is User
    }
    assert brought <= set(AUTHORED)


@pytest.mark.parametrize("name", ["Jan Nikt", "Nikt, Jan", "nikt jan"])
def test_an_author_of_an_imported_club_is_erased(club, event, secretary, name):
    new = arrived(club, secretary)
    assert find_imported_authors(new) == ["Jan Nikt"]
    assert find_imported_authors(club) == [], "those who can sign in here aren't imported"
    assert erase_imported_author(new, name, by=secretary) == 1
    assert find_imported_authors(new) == []
    assert "Nikt" not in everything_kept(new)
    assert User.objects.get(username="jan").last_name == "Nikt"


def test_an_author_of_an_imported_event_is_erased_and_the_seals_hold(club, event, secretary):
    elsewhere = make_club("Inny")
    file = parse_event_file(render_event_file(event))
    copy = import_event(elsewhere, file, filename="x.json", by=secretary).event
    assert find_imported_authors(elsewhere) == ["Jan Nikt"]
    before = {(found.code, found.where) for found in run_integrity_checks(Club.objects.all())}
    erased = erase_imported_author(elsewhere, "Jan Nikt", by=secretary)
    assert erased == copy.log.filter(details__by_name=ERASED_MEMBER_NAME).count() > 0
    assert copy.log.filter(action="name erased").count() == 1
    assert "Nikt" not in everything_kept(elsewhere)
    assert {(found.code, found.where) for found in run_integrity_checks(Club.objects.all())} == before
    assert erase_imported_author(elsewhere, "Jan Nikt", by=secretary) == 0


def test_a_member_who_is_erased_is_erased_as_an_author_too(club, event, secretary):
    make_member(club, "Nikt, Jan")
    new = arrived(club, secretary)
    erase_person(new.members.get(family_name="Nikt"), in_results=False, by=secretary)
    assert find_imported_authors(new) == ["Jan Nikt"]
    again = arrived(club, secretary)
    erase_person(again.members.get(family_name="Nikt"), in_results=True, by=secretary)
    assert find_imported_authors(again) == []


def test_the_secretary_erases_a_name_on_the_page(club, event, secretary):
    new = arrived(club, secretary)
    browser, address = Client(), reverse("expired_data_list", args=[new.slug])
    browser.force_login(secretary)
    assert "Jan Nikt" in browser.get(address).text
    assert "Jan Nikt" in browser.post(address, {"author": "Wilk, Ewa"}, follow=True).text, "a player's name isn't"
    page = browser.post(address, {"author": "Jan Nikt"}, follow=True).text
    assert "Name erased." in page
    assert "Jan Nikt" not in page
    browser.force_login(make_user("stranger"))
    assert browser.post(address, {"author": "Jan Nikt"}).status_code == 404
