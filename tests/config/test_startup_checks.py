"""What prevents a server from starting, tried under gunicorn and Django's server in processes of their own."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.startup_checks import check_allowed_hosts, check_listen_address, is_local_host, load_secret_key
from tests.servers import free_port, running
from tests.test_conventions import ROOT

SECONDS = 180
GOOD_KEY = "Yb3-0qkWz8vLh2xTn5RsJd7uCf9gPaE1mXoGi4"


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A server for which only these settings are set."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("CLUBNIGHT_", "DJANGO_"))}
    return plain | {"CLUBNIGHT_VAR": str(folder), "CLUBNIGHT_DATABASE": str(folder / "db.sqlite3")} | more


COLLECT = """
import django
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

CompressedManifestStaticFilesStorage.compress_files = lambda self, paths: ()
django.setup()
call_command("collectstatic", interactive=False, verbosity=0)
"""
"""Collects as a server does, but for pressing the files together, which takes five seconds and is not asked about."""


def gunicorn(bind: str) -> list[str]:
    return [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", bind, "--workers", "1"]


def said_when_refused(command: list[str], folder: Path, **more: str) -> str:
    done = subprocess.run(
        command, cwd=ROOT, env=environment(folder, **more), capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode != 0
    return done.stderr


# -- Refused -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"CLUBNIGHT_SECRET_KEY": f"django-insecure-{GOOD_KEY}"}, "CLUBNIGHT_SECRET_KEY"),
        ({"CLUBNIGHT_HOSTS": "chess.example.org,*"}, "CLUBNIGHT_HOSTS"),
        ({"CLUBNIGHT_DEBUG": "1", "CLUBNIGHT_HOSTS": "chess.example.org"}, "CLUBNIGHT_DEBUG=0"),
    ],
)
def test_gunicorn_does_not_start_openly(tmp_path, more, named):
    assert named in said_when_refused(gunicorn(f"127.0.0.1:{free_port()}"), tmp_path, **more)


@pytest.mark.parametrize(
    "key",
    [
        "for-development-only",
        "chess" * 20,
        "clubnight-clubnight-clubnight-123456",
        "abcdefghij" * 4,
        "aB3" * 20,
        "this-is-our-secret-key-do-not-share!",
        "my very long secret phrase 2026 chess",
        "CorrectHorseBatteryStapleClubnight26",
        "password1234567890qwertyuiopasdfghjkl",
    ],
)
def test_a_long_key_that_can_be_guessed_is_refused(tmp_path, key):
    with pytest.raises(ImproperlyConfigured, match="can be guessed"):
        load_secret_key(key, tmp_path)


def test_random_keys_of_any_alphabet_are_taken(tmp_path):
    for make in (secrets.token_hex, secrets.token_urlsafe):
        for size in (32, 50):
            key = make(size)
            assert load_secret_key(key, tmp_path) == key


@pytest.mark.parametrize("bind", ["0.0.0.0", "[::]"])  # noqa: S104
def test_a_server_that_debugs_does_not_listen_to_everyone(tmp_path, bind):
    said = said_when_refused(gunicorn(f"{bind}:{free_port()}"), tmp_path, CLUBNIGHT_DEBUG="1")
    assert "CLUBNIGHT_DEBUG=0" in said


def test_neither_does_the_server_of_a_checkout(tmp_path):
    command = [sys.executable, "manage.py", "runserver", "--noreload", f"0.0.0.0:{free_port()}"]
    assert "CLUBNIGHT_DEBUG=0" in said_when_refused(command, tmp_path)


def test_a_folder_in_which_no_key_can_be_kept(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match="CLUBNIGHT_SECRET_KEY"):
        load_secret_key("", tmp_path / "file" / "var")


def test_a_key_of_which_half_was_written(tmp_path):
    (tmp_path / "secret-key").write_text("half")
    with pytest.raises(ImproperlyConfigured, match="Delete it"):
        load_secret_key("", tmp_path)


@pytest.mark.parametrize(
    "name", ["chess.example.org", "198.51.100.7.example", "8.8.8.8", "[2001:4860::1]", ".example.org"]
)
def test_names_that_are_reached_from_outside(name):
    assert not is_local_host(name)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "", "8.8.8.8", "chess.example.org"])  # noqa: S104
def test_addresses_at_which_nothing_is_debugged(address):
    check_listen_address(address, debugging=False)
    with pytest.raises(ImproperlyConfigured):
        check_listen_address(address, debugging=True)


# -- Started -------------------------------------------------------------------------------------------------------


def test_forgotten_variables_leave_a_closed_server(tmp_path, migrated_sqlite):
    """Under gunicorn without any settings: no debug page, no other host, a private key of its own."""
    port = free_port()
    shutil.copy(migrated_sqlite, tmp_path / "db.sqlite3")
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, "-c", COLLECT], cwd=ROOT, env=environment(tmp_path, **settings), check=True)

    def asked(host: str = "localhost") -> tuple[int, str]:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/no/such/page/at/all/", headers={"Host": host})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    with running(
        gunicorn(f"127.0.0.1:{port}"),
        answers=lambda: asked() and None,
        folder=str(ROOT),
        environment=environment(tmp_path),
    ):
        status, page = asked()
        assert status == 404
        assert "DEBUG" not in page
        assert "urlpatterns" not in page
        assert asked("chess.example.org")[0] == 400
    kept = tmp_path / "secret-key"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert len(kept.read_text()) >= 50


def test_a_kept_key_stays_and_is_closed_again(tmp_path):
    first = load_secret_key("", tmp_path / "var")
    (tmp_path / "var" / "secret-key").chmod(0o644)
    assert load_secret_key("", tmp_path / "var") == first
    assert stat.S_IMODE((tmp_path / "var" / "secret-key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret-key"]
    assert load_secret_key("", tmp_path / "elsewhere") != first
    assert load_secret_key(GOOD_KEY, tmp_path) == GOOD_KEY


def test_processes_that_start_at_once_keep_one_key(tmp_path):
    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(lambda _each: load_secret_key("", tmp_path), range(64)))) == 1


def test_hosts():
    assert (
        check_allowed_hosts("", debugging=True)
        == check_allowed_hosts("", debugging=False)
        == ["localhost", "127.0.0.1", "[::1]"]
    )
    assert check_allowed_hosts(" chess.example.org , www.chess.example.org", debugging=False) == [
        "chess.example.org",
        "www.chess.example.org",
    ]
    assert check_allowed_hosts("192.168.1.7,club-laptop,club.local", debugging=True) == [
        "192.168.1.7",
        "club-laptop",
        "club.local",
    ]


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "192.168.1.7", "unix"])
def test_addresses_at_which_something_may_be_debugged(address):
    check_listen_address(address, debugging=True)


def test_the_server_of_a_checkout_debugs(tmp_path, migrated_sqlite):
    port = free_port()
    command = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
    more = environment(tmp_path)
    shutil.copy(migrated_sqlite, tmp_path / "db.sqlite3")

    def answers() -> None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/static/nothing", timeout=20).close()
        except urllib.error.HTTPError as error:
            pages.append(error.read().decode())

    pages: list[str] = []
    with running(command, answers=answers, folder=str(ROOT), environment=more):
        assert "DEBUG = True" in pages[-1]
