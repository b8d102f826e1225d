"""Large files are read by a worker, and the page waits with progress."""

from __future__ import annotations

import re
import subprocess

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.module_loading import import_string

from clubs.models import BankStatementLine, Member
from common.jobs import queue, redirects
from common.models import Job
from common.tabular import subprocess_reader
from tests.factories import make_event, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

TABLE = "family name;given name;rating\nŁoś;Jan;1850\n".encode()
STATEMENT = b""":20:STARTUMS
:25:10020030/1234567
:28C:1/1
:60F:C261101EUR100,00
:61:2611021102C25,00NTRFNONREF
:86:Dues of Jan
:62F:C261102EUR125,00
-
"""


@pytest.fixture
def slow(monkeypatch, settings, tmp_path) -> dict[int, str]:
    """All files count as heavy, and workers are busy: what they have been asked for, by its key."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(subprocess_reader, "LIGHT_BYTES", 0)
    monkeypatch.setattr(redirects, "SECONDS_TO_WAIT", 0)
    asked: dict[int, str] = {}
    monkeypatch.setattr(queue, "_dispatch", lambda key, task, _limit: asked.update({key: task}))
    return asked


def read_elsewhere(browser, slow, address: str, data: bytes, monkeypatch) -> str:
    """Send a file, see the progress, let a worker read it, and return the address of what follows."""
    answer = browser.post(address, {"file": SimpleUploadedFile("file.txt", data)})
    ((key, task),) = slow.items()
    assert answer.url == reverse("job_page", args=[key])
    assert "Reading the file" in browser.get(answer.url).text
    import_string(task).apply(args=[key])
    assert Job.objects.get(pk=key).state == Job.State.DONE

    def run(*_args: object, **_more: object) -> None:
        raise AssertionError("read in the process of the pages")

    monkeypatch.setattr(subprocess, "run", run)
    then = browser.get(answer.url)
    assert then.url.startswith(f"{address}?token=")
    return then.url


def test_members(client, club, secretary, slow, monkeypatch):
    client.force_login(secretary)
    address = reverse("members_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, TABLE, monkeypatch))
    assert "Łoś" in page.text
    assert not Member.objects.exists()
    client.post(address, {"token": page.context["token"]})
    assert Member.objects.get().name == "Łoś, Jan"


def test_players(client, club, arbiter, slow, monkeypatch):
    client.force_login(arbiter)
    event = make_event(club, players=0)
    address = reverse("entries_import", args=[club.slug, event.slug])
    page = client.get(read_elsewhere(client, slow, address, TABLE, monkeypatch))
    assert page.context["preview"].can_be_imported
    client.post(address, {"token": page.context["token"]})
    assert event.entries.get().rating == 1850


def test_a_statement_is_imported_by_its_button_and_not_by_opening_the_page(client, club, treasurer, slow, monkeypatch):
    client.force_login(treasurer)
    address = reverse("bank_statement_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, STATEMENT, monkeypatch))
    assert not BankStatementLine.objects.exists()
    token = re.search('name="read" value="([^"]+)"', page.text)[1]
    client.post(address, {"read": token})
    line = BankStatementLine.objects.get()
    assert (line.amount, line.text) == (2500, "Dues of Jan")


def test_an_event_file_is_read_by_a_worker(client, club, arbiter, slow, monkeypatch):
    client.force_login(arbiter)
    address = reverse("event_file_import", args=[club.slug])
    page = client.get(read_elsewhere(client, slow, address, b'{"format": "x"}', monkeypatch))
    assert page.status_code == 422
    assert "This isn't a Clubnight event file" in page.context["problem"].message


def test_another_user_sees_nothing_of_it(client, club, secretary, slow, monkeypatch):
    client.force_login(secretary)
    address = reverse("members_import", args=[club.slug])
    found = read_elsewhere(client, slow, address, TABLE, monkeypatch)
    client.force_login(make_user("other", club, "secretary"))
    assert "The file is no longer available" in client.get(found).text
