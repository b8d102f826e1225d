"""An invalid setting is refused with a message that says what to write. Secrets are not repeated."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config import env_readers
from config.database import database_settings
from config.environment import env, unknown_variables
from config.startup_checks import check_allowed_hosts

NAME = "CLUBNIGHT_TRIED"


def read(reader, given: str, monkeypatch, *more):
    monkeypatch.setenv(NAME, given)
    return reader(NAME, *more)


WRONG = [
    (env_readers.env_bool, "true", (), f"{NAME}=1 or {NAME}=0"),
    (env_readers.env_networks, "all", ("",), "10.87.64.0/24"),
    (env_readers.env_networks, "127.0.0.1,10.0.0.0/99", ("",), "10.0.0.0/99 is no"),
    (env_readers.env_networks, "0.0.0.0/0", ("",), "0.0.0.0/0 covers most addresses"),
    (env_readers.env_networks, "127.0.0.1,::/0", ("",), "::/0 covers most addresses"),
    (env_readers.env_networks, "0.0.0.0/1,128.0.0.0/1", ("",), "covers most addresses"),
    (env_readers.env_networks, "0.0.0.0/2,10.0.0.0/9,10.128.0.0/9,11.0.0.0/8", ("",), "covers most addresses"),
    (env_readers.env_networks, "2000::/3", ("",), "covers most addresses"),
    (env_readers.env_redis_url, "127.0.0.1:6379", (), "redis://127.0.0.1:6379/0"),
    (env_readers.env_redis_url, "localhost", (), "redis://127.0.0.1:6379/0"),
    (env_readers.env_redis_url, "redis://", (), "redis://127.0.0.1:6379/0"),
    (env_readers.env_redis_url, "redis://:sec/ret@127.0.0.1", (), "%2F"),
    (env_readers.env_site_url, "chess.example.org", (), "https://chess.example.org"),
    (env_readers.env_site_url, "https://chess.example.org/club", (), "nothing after the name"),
    (env_readers.env_site_url, "wss://chess.example.org", (), "https://chess.example.org"),
    (env_readers.env_mail_server, "mail.example.org", (), "smtp://user:password@mail.example.org:587"),
    (env_readers.env_mail_server, "mail.example.org:587", (), "smtp://"),
    (env_readers.env_mail_server, "smpt://user:secret@mail.example.org", (), "smtp://"),
    (env_readers.env_mail_server, "smtp://user:sec/ret@mail.example.org", (), "%2F"),
    (env_readers.env_mail_server, "smtp://user:12#secret@mail.example.org", (), "%23"),
    (env_readers.env_mail_server, "smtp://", (), "smtp://user"),
    (env_readers.env_sender, "Chess Club", ("a@b",), "club@example.org"),
    (env_readers.env_contact, "somebody", (), "safe@example.org"),
    (env_readers.env_mail_addresses, "it@example.org,phone", (), "it@example.org"),
    (env_readers.env_web_address, "hooks.example.org/x", (), "https://hooks.example.org/abc"),
    (env_readers.env_web_address, "file:///etc/passwd", (), "https://hooks.example.org/abc"),
    (env_readers.env_hosts, "push.example.org/x", (), "push.example.org"),
    (env_readers.env_choice, "xx", ("en", ("en", "pl")), "Choose one of: en, pl"),
    (env_readers.env_time_zone, "Warsaw", ("Europe/Warsaw",), f"{NAME}=Europe/Warsaw"),
    (env_readers.env_time_zone, "America/New York", ("Europe/Warsaw",), f"{NAME}=America/New_York"),
    (env_readers.env_time_zone, "../etc/passwd", ("Europe/Warsaw",), "is not a time zone"),
    (env_readers.env_existing_folder, "/nonexistent/var", (Path(),), "Correct the name, or create the folder"),
]


@pytest.mark.parametrize(
    ("reader", "given", "more", "said"), WRONG, ids=[f"{each[0].__name__} {each[1]}" for each in WRONG]
)
def test_what_means_nothing_is_refused(monkeypatch, reader, given, more, said):
    with pytest.raises(ImproperlyConfigured) as refused:
        read(reader, given, monkeypatch, *more)
    assert str(refused.value).startswith(NAME)
    assert said in str(refused.value)
    assert "secret" not in str(refused.value)
    assert "ret@" not in str(refused.value)


@pytest.mark.parametrize("given", ["https://chess.example.org/", "chess.example.org:8000", ".org", "::1", "a b"])
def test_what_is_no_name_of_a_server(given):
    with pytest.raises(ImproperlyConfigured, match="CLUBNIGHT_HOSTS"):
        check_allowed_hosts(f"chess.example.org,{given}", debugging=False)


@pytest.mark.parametrize(
    "given",
    ["postgres://u:p/ss@127.0.0.1/x", "postgres://u:p@127.0.0.1", "mysql://x/y", "/nonexistent/folder/db.sqlite3"],
)
def test_what_is_no_database(given):
    with pytest.raises(ImproperlyConfigured, match="CLUBNIGHT_DATABASE"):
        database_settings(given, is_pooled=False)


def test_what_means_something_is_taken(monkeypatch, tmp_path):
    def of(reader, given, *more):
        return read(reader, given, monkeypatch, *more)

    assert [of(env_readers.env_bool, given) for given in ("", "0", " 1 ")] == [False, False, True]
    assert of(env_readers.env_networks, "10.0.0.0/8, ::1", "") == ["10.0.0.0/8", "::1"]
    assert [of(env_readers.env_redis_url, each) for each in ("", "redis://:p%2F@h:1/0")] == [
        None,
        "redis://:p%2F@h:1/0",
    ]
    assert of(env_readers.env_site_url, "https://chess.example.org/") == "https://chess.example.org"
    mail = of(env_readers.env_mail_server, "smtp://a%40b:p%2Fs@mail.example.org")
    assert (mail.host, mail.port, mail.user, mail.password, mail.has_implicit_tls) == (
        "mail.example.org",
        587,
        "a@b",
        "p/s",
        False,
    )
    assert of(env_readers.env_mail_server, "smtps://127.0.0.1").port == 465
    assert of(env_readers.env_sender, "Chess Club <club@example.org>", "") == "Chess Club <club@example.org>"
    assert [
        of(env_readers.env_contact, each) for each in ("a@b.example", "mailto:a@b.example", "https://b.example/safe")
    ]
    assert of(env_readers.env_mail_addresses, "a@b.example, c@d.example") == ["a@b.example", "c@d.example"]
    assert of(env_readers.env_web_address, "https://key@errors.example/1") == "https://key@errors.example/1"
    assert of(env_readers.env_hosts, ".push.example,http://127.0.0.1:81") == [".push.example", "http://127.0.0.1:81"]
    assert of(env_readers.env_time_zone, "Europe/Prague", "") == "Europe/Prague"
    assert of(env_readers.env_existing_folder, str(tmp_path), Path()) == tmp_path
    names = ["chess.example.org", ".example.org", "[::1]", "10.0.0.1", "hall.local"]
    assert check_allowed_hosts(",".join(names), debugging=False) == names
    assert database_settings("postgres:///clubnight", is_pooled=True)["DISABLE_SERVER_SIDE_CURSORS"]
    assert not database_settings("postgres:///clubnight", is_pooled=True)["OPTIONS"]
    of_server = database_settings("postgresql://a%40b:p%2Fs@10.0.0.7:6432/clubnight", is_pooled=False)
    asked = [of_server[each] for each in ("NAME", "USER", "PASSWORD", "HOST", "PORT")]
    assert asked == ["clubnight", "a@b", "p/s", "10.0.0.7", 6432]


def test_a_name_that_nobody_reads_is_named_with_the_one_that_is_meant(monkeypatch):
    for name in ("CLUBNIGHT_HOTS", "CLUBNIGHT_COPIES", "CLUBNIGHT_HOSTS_FILE", "CLUBNIGHT_QQQQQQQQ"):
        monkeypatch.setenv(name, "")
    env("CLUBNIGHT_HOSTS")
    unknown = unknown_variables()
    assert unknown["CLUBNIGHT_HOTS"] == "CLUBNIGHT_HOSTS"
    assert unknown["CLUBNIGHT_QQQQQQQQ"] == ""
    assert not {"CLUBNIGHT_COPIES", "CLUBNIGHT_HOSTS_FILE"} & unknown.keys()


@pytest.mark.django_db
@pytest.mark.one_database
def test_check_says_what_would_fail_later(settings, tmp_path):
    (tmp_path / "file").write_text("")
    settings.UNKNOWN_SETTINGS = {"CLUBNIGHT_HOTS": "CLUBNIGHT_HOSTS"}
    settings.BACKUP_KEY = "hello"
    settings.BACKUP_DIR = tmp_path / "file" / "backups"
    settings.PUSH_KEY_FILE = tmp_path / "file" / "push-key"
    found = [each for each in run_checks(include_deployment_checks=True) if not each.is_silenced()]
    said = {str(each.id): f"{each.msg}. {each.hint}" for each in found}
    assert "CLUBNIGHT_HOTS is not a Clubnight setting. Is CLUBNIGHT_HOSTS meant?" in said["clubnight.W003"]
    assert "CLUBNIGHT_PUSH_KEY" in said["clubnight.E001"]
    assert "CLUBNIGHT_BACKUP_KEY is not an age key" in said["clubnight.E002"]
    assert "CLUBNIGHT_BACKUPS" in said["clubnight.E003"]
    assert "security.W010" not in said, "said by clubnight.W001"


def test_a_request_for_another_name_is_no_error_of_the_server(settings, caplog):
    settings.ALLOWED_HOSTS = ["chess.example.org"]
    with caplog.at_level(logging.INFO):
        assert Client().get("/", headers={"host": "198.51.100.7"}).status_code == 400
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR or each.exc_info]
