"""The secretary's page for the export, and the administrator's for the import."""

from __future__ import annotations

import io
import os
import time
import zipfile
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.finance.accounting.entries import open_money_account
from clubs.models import Club, PersonalDataAccess, Role, User
from common.file_store.uploads import store_upload
from common.jobs.queue import create_job, run_job
from operations.club_transfer import club_export
from operations.club_transfer.archive_reader import read_club_archive
from operations.club_transfer.export_job import (
    club_archive_store,
    latest_club_export,
    start_club_export,
)
from operations.club_transfer.file_cleanup import DELETE_FILES_TASK, delete_files_in_progress
from tests.factories import make_club, make_event, make_member, make_user, published
from tests.operations.club_transfer.club_scenario import archive_of, exported

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_member(club, "Skoczek, Ewa", 1500)
    return club


@pytest.fixture
def secretary(club: Club) -> User:
    return make_user("secretary", club, Role.SECRETARY)


def signed_in(user: User) -> Client:
    browser = Client()
    assert (
        browser.post(reverse("account_login"), {"login": user.username, "password": user.username}).status_code == 302
    )
    return browser


def test_the_secretary_downloads_the_whole_club(club, secretary):
    exported(club, secretary)
    browser = signed_in(secretary)
    page = browser.get(reverse("club_export", args=[club.slug]))
    address = reverse("club_export_download", args=[club.slug])
    assert address in page.text
    assert browser.get(address).headers["Location"].startswith(reverse("account_reauthenticate"))
    browser.post(reverse("account_reauthenticate"), {"password": "secretary", "next": address})
    answer = browser.get(address)
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    archive = read_club_archive(b"".join(answer.streaming_content))
    assert archive.manifest.club == club.name
    seen = PersonalDataAccess.objects.get(club=club)
    assert (seen.user, seen.what) == (secretary, "list export")


@pytest.mark.parametrize(("size", "is_said"), [(300 * 1024**2, False), (300 * 1024**2 + 1, True)])
def test_the_page_says_if_no_server_can_import_the_archive(club, secretary, size, is_said):
    job = exported(club, secretary)
    job.result["size"] = size
    job.save()
    page = signed_in(secretary).get(reverse("club_export", args=[club.slug]))
    assert ("larger than 300 MB" in page.text) is is_said


def test_nobody_else_gets_it(club, secretary):
    exported(club, secretary)
    another = make_user("another", club, Role.SECRETARY)
    assert latest_club_export(club, another) is None
    browser, address = signed_in(another), reverse("club_export_download", args=[club.slug])
    browser.post(reverse("account_reauthenticate"), {"password": "another", "next": address})
    assert browser.get(address).status_code == 404
    for role in (Role.ARBITER, Role.TREASURER, Role.MEMBER):
        browser = signed_in(make_user(role.value + "x", club, role))
        assert browser.get(reverse("club_export_download", args=[club.slug])).status_code in (403, 404)
        assert browser.post(reverse("club_export", args=[club.slug])).status_code in (403, 404)


def test_archives_and_uploads_are_deleted_when_their_time_is_over(club, secretary, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    name = exported(club, secretary).result["file"]
    store_upload(b"x", "x.zip", by=secretary, place="here")

    def files_after(hours: int) -> set[str]:
        for path in tmp_path.glob("*/*"):
            os.utime(path, (time.time() - hours * 3600 - 60,) * 2)
        job = create_job(DELETE_FILES_TASK, by=None)
        run_job(job.pk, delete_files_in_progress)
        return {path.relative_to(tmp_path).parts[0] for path in tmp_path.glob("*/*")}

    assert (tmp_path / "club-archives" / name).exists()
    assert files_after(hours=1) == {"club-archives", "uploads"}
    assert files_after(hours=3) == {"club-archives"}
    assert files_after(hours=24) == set()


def test_two_clicks_share_a_job(club, secretary):
    first = start_club_export(club, by=secretary, with_papers=False)
    assert start_club_export(club, by=secretary, with_papers=False) == first
    assert start_club_export(club, by=secretary, with_papers=True) != first


def sent(browser: Client, data: bytes):
    file = SimpleUploadedFile("club.zip", data, content_type="application/zip")
    return browser.post(reverse("club_import"), {"file": file})


def small(data: bytes) -> bytes:
    """The archive without the files that are only for people, small enough to be read without a worker."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, source.read(name))
    return out.getvalue()


@pytest.fixture
def administrator() -> User:
    return User.objects.create_superuser("root", password="root")


def test_the_administrator_sees_what_is_in_it_and_imports_it_once(club, administrator):
    browser = signed_in(administrator)
    page = sent(browser, small(archive_of(club)))
    assert page.status_code == 200
    assert Club.objects.count() == 1
    assert "/pod-wieza/" in page.text
    token = page.text.partition('name="token" value="')[2].partition('"')[0]
    answer = browser.post(reverse("club_import"), {"token": token})
    assert answer.headers["Location"] == reverse("club_roles", args=["pod-wieza-2"])
    assert browser.post(reverse("club_import"), {"token": token}).status_code == 422
    assert Club.objects.count() == 2
    assert Club.objects.get(slug="pod-wieza-2").members.get().name == "Skoczek, Ewa"


@pytest.mark.parametrize("data", [b"x", b"PK\x03\x04"])
def test_what_is_no_archive_is_refused_on_the_page(administrator, data):
    page = sent(signed_in(administrator), data)
    assert page.status_code == 422
    assert "isn&#x27;t a Clubnight archive" in page.text


def test_a_secretary_cannot_import_a_club(club, secretary):
    browser = signed_in(secretary)
    assert browser.get(reverse("club_import")).status_code == 404
    assert sent(browser, archive_of(club)).status_code == 404


def test_printouts_are_there_if_wanted(club, secretary):
    """Of an event whose tie-breaks are unknown, the arbiter's record alone."""
    open_money_account(club, kind="cash", name="Kasa", iban="", balance=100, on=date(2025, 1, 1), by=secretary)
    for tie_breaks in (["BH"], ["from another program"]):
        event = make_event(club, players=4, rounds=2, tie_breaks=tie_breaks)
        published(event, 1)
    make_event(club, players=2)
    job = exported(club, secretary, with_papers=True)
    with club_archive_store().open_file(job.result["file"]) as file, zipfile.ZipFile(file) as archive:
        papers = {name: archive.read(name)[:5] for name in archive.namelist() if name.endswith(".pdf")}
        assert len([name for name in archive.namelist() if name.endswith("event.json")]) == 3
    assert set(papers.values()) == {b"%PDF-"}
    assert len(papers) == 3
    assert "accounting/2025.pdf" in papers


@pytest.mark.postgresql_alone
@pytest.mark.django_db(transaction=True)
def test_all_tables_are_read_from_one_snapshot(monkeypatch):
    """Otherwise a payment saved meanwhile would be in one table and not in the other, and the import refuses both."""
    club = make_club()
    read: set[str] = set()
    rows_of = club_export._Writing._rows_of

    def noting_isolation(self, table):
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            read.add(cursor.fetchone()[0])
        return rows_of(self, table)

    monkeypatch.setattr(club_export._Writing, "_rows_of", noting_isolation)
    archive_of(club)
    assert read == {"repeatable read"}
