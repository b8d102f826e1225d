"""Scheduled downloads: only from public servers, once a month, with a message about problems."""

from __future__ import annotations

import http.server
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import RatingListImport, RatingListPlayer, RatingRegister
from clubs.rating.lists.import_jobs import get_fide_register
from clubs.rating.lists.scheduled_download import FETCH_LISTS_TASK, fetch_due_lists, is_fetch_needed
from common.file_store.stores import file_store
from common.jobs.queue import create_job, run_job
from common.models import Job
from common.schedule import registry
from common.schedule.due_tasks import start_due_tasks
from common.tabular import public_download
from common.tabular.public_download import (
    DownloadFailed,
    FileNotModified,
    is_public_ip_address,
    is_public_url,
    open_download,
)
from lab.made_up_list import HEADER
from tests.clubs.rating.lists.test_reading import text_line

HOST = "lists.example.org"
LIST = f"{HEADER}\r\n{text_line()}\r\n".encode()


NEIGHBOURS = """127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 240.0.0.1 ::1 ::
fe80::1 fd00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1::
2001:0:4136:e378:8000:63bf:3fff:fdd2 fec0::1 192.88.99.1"""
NO_SITES = """http://lists.example.org/l.zip ftp://lists.example.org/l file:///etc/passwd https://127.0.0.1/
https://[::1]/ https://2130706433/ https://localhost/l https://lists.example.org:8001/l https://me:secret@lists.example.org/l
https:///l https://[v1.lists.example.org:22]/ https://lists.example.org:port/ https://wieża.example.org/"""


@pytest.mark.parametrize("address", NEIGHBOURS.split())
def test_no_address_of_somebodys_own_network_is_public(address):
    assert not is_public_ip_address(ip_address(address))


@pytest.mark.parametrize("address", NO_SITES.split())
def test_only_names_of_web_servers_are_asked(address):
    assert not is_public_url(address)


def test_public_ones_are():
    assert is_public_ip_address(ip_address("193.0.6.139"))
    assert is_public_ip_address(ip_address("2001:67c:2e8:22::c100:68b"))
    assert is_public_url("https://lists.example.org/standard_nov26frl.zip?x=1")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    """A certificate for the invented host, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("certificate") / "both.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + made.public_bytes(Encoding.PEM))
    return path


class Site(http.server.BaseHTTPRequestHandler):
    """A federation's web server."""

    asked: list[str] = []
    leads_to = "/november/standard_nov26frl.txt"

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path == "/latest":
            self.send_response(302)
            self.send_header("Location", self.leads_to)
        elif self.headers["If-None-Match"] == '"7"':
            self.send_response(304)
        elif self.path == "/gone":
            self.send_response(404)
        else:
            body = b"A letter to the editor\r\n" if self.path == "/letter" else LIST
            self.send_response(200)
            self.send_header("ETag", '"7"')
            self.send_header("Content-Length", str(len(body) + 100 * (self.path == "/breaks-off")))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_line: object) -> None:
        """Nothing is to be said."""


@pytest.fixture
def site(certificate, monkeypatch, settings, tmp_path) -> Iterator[type[Site]]:
    """The web server, which counts as a public one here; every other name leads to the machine next to it."""
    settings.VAR_DIR = tmp_path
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    port = server.server_address[1]
    trusting = ssl.create_default_context(cafile=str(certificate))
    real = is_public_ip_address

    def found(host, *_rest, **_more):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1" if host == HOST else "10.0.0.7", port))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
    monkeypatch.setattr(
        public_download, "is_public_ip_address", lambda address: str(address) == "127.0.0.1" or real(address)
    )
    monkeypatch.setattr(Site, "asked", [])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Site
    server.shutdown()
    server.server_close()


def test_what_leads_to_a_neighbour_is_not_followed(site, monkeypatch):
    monkeypatch.setattr(Site, "leads_to", "https://inside.example.org/")
    with pytest.raises(DownloadFailed, match="not public"), open_download(f"https://{HOST}/latest", largest=10**6):
        pass
    monkeypatch.setattr(Site, "leads_to", "http://lists.example.org/")
    with pytest.raises(DownloadFailed, match="no address"), open_download(f"https://{HOST}/latest", largest=10**6):
        pass
    monkeypatch.setattr(Site, "leads_to", "/latest")
    with pytest.raises(DownloadFailed, match="on and on"), open_download(f"https://{HOST}/latest", largest=10**6):
        pass


@pytest.mark.parametrize(
    ("path", "said"), [("/gone", "404"), ("/breaks-off", "broke off|Incomplete"), ("/long", "more than")]
)
def test_what_is_not_whole_is_no_list(site, path, said):
    with (
        pytest.raises(DownloadFailed, match=said),
        open_download(f"https://{HOST}{path}", largest=10**6 if path != "/long" else 10) as download,
    ):
        b"".join(download.chunks)


def test_a_file_comes_with_its_name_and_its_mark(site):
    with open_download(f"https://{HOST}/latest", largest=10**6) as download:
        assert b"".join(download.chunks) == LIST
    assert (download.filename, download.validator) == ("standard_nov26frl.txt", '"7"')
    with pytest.raises(FileNotModified), open_download(f"https://{HOST}/latest", validator='"7"', largest=10**6):
        pass


def fetched(register: RatingRegister, /, **arguments: object) -> Job:
    job = create_job(FETCH_LISTS_TASK, by=None, arguments=arguments)
    assert run_job(job.pk, fetch_due_lists)
    job.refresh_from_db()
    register.refresh_from_db()
    return job


@pytest.mark.django_db
def test_a_list_is_brought_in_by_itself_and_then_left_alone_for_the_month(site, monkeypatch):
    monkeypatch.setattr(timezone, "localdate", lambda *_of: datetime(2026, 11, 3, tzinfo=UTC).date())
    register = get_fide_register()
    assert not is_fetch_needed()
    monkeypatch.setattr(registry, "_chores", {"lists": registry._chores["lists"]})
    register.fetched_from = f"https://{HOST}/latest"
    register.save()
    assert is_fetch_needed()
    (job,) = start_due_tasks()
    assert job.task == FETCH_LISTS_TASK
    register.refresh_from_db()
    assert (register.fetch_error, register.fetch_validator, RatingListPlayer.objects.count()) == ("", '"7"', 1)
    assert register.months["standard"] == "2026-11-01"
    assert not is_fetch_needed()
    asked = len(site.asked)
    fetched(register)
    assert len(site.asked) == asked


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "said"), [("/gone", "404"), ("/letter", "Line 1")])
def test_why_there_is_no_list_stands_in_its_row(site, path, said):
    register = get_fide_register()
    register.fetched_from = f"https://{HOST}{path}"
    register.save()
    assert fetched(register).state == Job.State.DONE
    assert said in register.fetch_error
    assert not RatingListImport.objects.exists()
    assert file_store("rating-lists").list_files() == []
    asked_for = fetched(register, register=register.pk)
    assert asked_for.state == Job.State.FAILED
    assert said in asked_for.error


@pytest.mark.django_db
def test_the_page_takes_public_addresses_and_fetches_at_once(site, club, secretary, arbiter):
    register = RatingRegister.objects.create(
        club=club,
        name="POL",
        columns={"number": 0, "name": 1, "standard": 2, "separator": ";", "encoding": "utf-8-sig", "headings": 1},
    )
    address = reverse("rating_register_download", args=[club.slug, register.pk])
    browser = Client()
    browser.force_login(arbiter)
    assert browser.get(address).status_code == 403
    browser.force_login(secretary)
    refused = browser.post(address, {"fetched_from": "https://localhost/list.csv"})
    assert (refused.status_code, "public web address" in refused.content.decode()) == (422, True)
    answer = browser.post(address, {"fetched_from": f"https://{HOST}/letter"}, follow=True)
    register.refresh_from_db()
    assert register.fetched_from == f"https://{HOST}/letter"
    assert register.fetch_error
    assert register.fetch_error in answer.content.decode().replace("&#x27;", "'")
    assert browser.post(address, {"fetched_from": ""}).status_code == 302
    assert not is_fetch_needed()
