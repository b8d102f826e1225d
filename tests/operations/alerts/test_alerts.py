"""A person is told about each failure once, and once when it is over."""

from __future__ import annotations

import datetime
import json
import socket
import ssl
import threading
from email.header import decode_header, make_header
from urllib.error import URLError

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from common.jobs.queue import create_job
from common.models import Job
from operations.alerts import pings, telling, watching
from operations.alerts.telling import tell_about
from operations.backups.nightly_job import BACK_UP
from operations.integrity.findings import Finding
from operations.tasks import make_backup_task
from tests.mail_server import MailServer
from tests.servers import free_port

pytestmark = [pytest.mark.one_database]

FULL = Finding(code="disk-full", where="/var", what="only 90 MB free", do="Free some space.")
OLD = Finding(code="backup-old", where="/backups", what="there is no backup", do="Make one.")


@pytest.fixture(autouse=True)
def told(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path
    settings.ALERT_MAIL = ["it@example.org"]


@pytest.fixture
def addresses(monkeypatch) -> list[tuple[str, str]]:
    """What this server asked of others: the address, and what it sent."""
    asked = []

    class Answer:
        def __enter__(self) -> None: ...

        def __exit__(self, *_error: object) -> None: ...

    def open_url(asked_for, timeout: int):
        address, data = (asked_for, b"") if isinstance(asked_for, str) else (asked_for.full_url, asked_for.data)
        asked.append((address, data.decode()))
        return Answer()

    monkeypatch.setattr(telling, "urlopen", open_url)
    monkeypatch.setattr(pings, "urlopen", open_url)
    return asked


def test_each_failure_is_told_once_and_once_when_it_is_over():
    for _run in range(3):
        tell_about("watch", [FULL, FULL])
    tell_about("watch", [FULL, OLD])
    tell_about("doctor", [])
    tell_about("watch", [OLD])
    tell_about("watch", [OLD], unknown={"backup-old"})
    first, second, third = mail.outbox
    assert "/var, /var: only 90 MB free. [disk-full]\nWhat to do: Free some space." in first.body
    assert "disk-full" not in second.body
    assert "backup-old" in second.body
    assert "fixed" in third.subject
    assert "disk-full" in third.body
    assert "backup-old" not in third.body
    assert {each for message in mail.outbox for each in message.to} == {"it@example.org"}


def test_what_could_not_be_checked_is_neither_new_nor_over():
    tell_about("watch", [OLD])
    tell_about("watch", [], unknown={"backup-old"})
    assert len(mail.outbox) == 1


def test_an_email_that_fails_is_sent_later_and_the_webhook_works_meanwhile(settings, addresses):
    server = MailServer(free_port())
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_HOST_USER = "127.0.0.1", server.port, ""
    tell_about("watch", [FULL])
    server.open()
    try:
        tell_about("watch", [FULL])
        tell_about("watch", [FULL])
    finally:
        server.close()
    ((to, letter),) = server.letters
    assert to == "it@example.org"
    assert "1 new" in str(make_header(decode_header(letter["Subject"])))
    settings.ALERT_WEBHOOK = "https://hooks.example.org/x"
    tell_about("watch", [FULL, OLD])
    tell_about("watch", [FULL, OLD])
    ((address, sent),) = addresses
    assert address == "https://hooks.example.org/x"
    assert "there is no backup" in json.loads(sent)["text"]


@pytest.mark.django_db
def test_the_watch_finds_what_fails(settings, monkeypatch, tmp_path):
    settings.BACKUP_DIR = tmp_path
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    settings.ALERT_MAIL = []
    found = {}
    monkeypatch.setattr(watching, "tell_about", lambda _scope, all_of, unknown: found.update(f=all_of, u=unknown))
    Job.objects.create(task=BACK_UP, state=Job.State.FAILED, error="no space")
    call_command("alert")
    assert {"backup-failed", "mail-failing"} <= {each.code for each in found["f"]}
    assert not found["u"]

    def fails() -> None:
        raise DatabaseError

    monkeypatch.setattr(watching, "latest_backup_job", fails)
    call_command("alert")
    assert found["u"] == {"backup-failed"}
    assert "backup-failed" not in {each.code for each in found["f"]}


def test_a_certificate_that_browsers_refuse_is_found(settings, tmp_path):
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["localhost"]
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
    file = tmp_path / "both.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(secret + builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    def answer(listener: socket.socket) -> None:
        with pytest.raises(ssl.SSLError):
            context.wrap_socket(listener.accept()[0], server_side=True)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer, args=(listener,), daemon=True)
        thread.start()
        (found,) = watching.check_certificate(listener.getsockname()[1])
        thread.join()
    assert "browsers refuse the certificate: self-signed certificate" in found.what
    assert not list(watching.check_certificate(free_port()))


def test_a_service_reports_its_end(settings, monkeypatch, addresses):
    settings.PING_ADDRESS = "https://pings.example.org/key"
    call_command("alert", service="copy")
    assert not addresses
    monkeypatch.setenv("CLUBNIGHT_COPIES", "/media/usb")
    for result in ("exit-code", "exit-code", "success"):
        monkeypatch.setenv("SERVICE_RESULT", result)
        call_command("alert", service="copy")
    failed, fixed = mail.outbox
    assert "Is the disk plugged in" in failed.body
    assert "fixed" in fixed.subject
    assert [address.rpartition("/key")[2] for address, _sent in addresses] == [
        "/clubnight-copy/fail",
        "/clubnight-copy/fail",
        "/clubnight-copy",
    ]
    with pytest.raises(CommandError, match="No service is called other"):
        call_command("alert", service="other")


@pytest.mark.django_db
def test_a_backup_and_the_doctor_ping_and_a_dead_service_harms_nothing(settings, monkeypatch, tmp_path, addresses):
    settings.PING_ADDRESS, settings.BACKUP_DIR = "https://pings.example.org/key", tmp_path / "file"
    settings.BACKUP_DIR.touch()
    assert make_backup_task.run(create_job(BACK_UP, by=None).pk) is None
    assert addresses == [("https://pings.example.org/key/clubnight-backup/fail", "")]
    finding = Finding(code="orphan", where="row", what="is alone", do="Restore.")
    monkeypatch.setattr(
        "operations.management.commands.doctor.run_integrity_checks", lambda _clubs, quick: iter([finding])
    )

    def nobody(*_asked: object, **_more: object) -> None:
        raise URLError("down")

    monkeypatch.setattr(pings, "urlopen", nobody)
    with pytest.raises(SystemExit):
        call_command("doctor", alert=True, quick=True)
    assert "[orphan]" in mail.outbox[0].body


def test_a_test_message_needs_somebody(settings):
    call_command("alert", test=True)
    assert len(mail.outbox) == 2
    settings.ALERT_MAIL = []
    with pytest.raises(CommandError, match="CLUBNIGHT_ALERT_MAIL"):
        call_command("alert", test=True)
