"""`deploy/upgrade`, `manage` and `new-secrets` when something stops them; `tests.guide` tests the normal case."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guide.machine import CHECKOUT

DEPLOY = CHECKOUT / "deploy"
STUBS = {
    "id": "echo 0",
    "runuser": 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    "systemctl": 'echo "$*" >>"$HERE/services"',
    "install": 'for each; do :; done; mkdir -p "$each"',
    "curl": "exit 0",
}
MANAGE = r"""#!/bin/sh
echo "$1 ${2:-}" >>"$HERE/managed"
case "$1 ${2:-}" in
    "migrate --check") [ "$(cat version)" = "$(cat "$HERE/db")" ] ;;
    migrate*)
        echo half >"$HERE/db"
        [ "${KILLED:-}" != yes ] || { kill -9 "$PPID"; exit 1; }
        cp version "$HERE/db"
        ;;
    backup*)
        [ "${KILLED:-}" != early ] || { kill -9 "$PPID"; exit 1; }
        [ "${FULL:-}" != yes ]
        ;;
esac
"""


PERSON = ("-c", "user.name=A", "-c", "user.email=a@example.org")


class Server:
    """A checkout with two versions, a database of one word, and substitutes for what only a server has."""

    def __init__(self, here: Path) -> None:
        self.here, self.home = here, here / "home"
        self.programs = here / "stubs"
        for folder in (self.programs, self.home / "deploy" / "systemd", self.home / ".venv" / "bin", here / "units"):
            folder.mkdir(parents=True)
        for name, text in STUBS.items():
            self._script(self.programs / name, f"#!/bin/sh\n{text}\n")
        script = (DEPLOY / "upgrade").read_text(encoding="utf-8")
        for there, ours in (
            ("/opt/clubnight", self.home),
            ("/var/lib/clubnight/before-upgrade", here / "before-upgrade"),
            ("/run/clubnight-upgrade.lock", here / "lock"),
            ("/etc/clubnight/allowed_signers", here / "allowed_signers"),
            ("/usr/local/lib/systemd/system/", here / "units"),
        ):
            assert there in script
            script = script.replace(there, str(ours))
        self._script(self.home / "deploy" / "upgrade", script)
        shutil.copy(DEPLOY / "with-settings", self.home / "deploy" / "with-settings")
        self._script(self.home / "deploy" / "manage", MANAGE)
        self._script(self.home / "dev", "#!/bin/sh\ncp version .venv/packages\n")
        self._script(self.home / ".venv" / "bin" / "pybabel", "#!/bin/sh\n")
        (self.home / ".venv" / "packages").write_text("one\n")
        (self.home / ".gitignore").write_text(".venv*\n")
        (self.home / "deploy" / "systemd" / "unit").touch()
        (here / "db").write_text("one\n")
        (here / "db.mine").write_text("a copy of mine\n")
        (here / "settings.env").write_text(f'CLUBNIGHT_HOSTS=a.example\nCLUBNIGHT_DATABASE="{here / "db"}"  \n')
        keygen = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", here / "key"]
        subprocess.run(keygen, check=True)
        (here / "allowed_signers").write_text(f"a@example.org {(here / 'key.pub').read_text()}")
        self._git("init", "--quiet")
        self._git("remote", "add", "origin", str(self.home))
        for version in ("one", "two", "three"):
            (self.home / "version").write_text(f"{version}\n")
            self._git("add", "--all")
            self._git(*PERSON, "commit", "--quiet", "-m", version)
            self.sign_tag(version)
        self._git("checkout", "--quiet", "--detach", "one")

    def upgrade(self, *arguments: str, **more: str) -> tuple[int, str]:
        there = {"PATH": f"{self.programs}:{os.environ['PATH']}", "HERE": str(self.here), "HOME": str(self.here)}
        done = subprocess.run(
            [self.home / "deploy" / "upgrade", *arguments],
            env=there | {"CLUBNIGHT_SETTINGS": str(self.here / "settings.env")} | more,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.returncode, done.stderr

    def sign_tag(self, name: str) -> None:
        key = f"user.signingKey={self.here / 'key'}"
        self._git(*PERSON, "-c", "gpg.format=ssh", "-c", key, "tag", "--sign", "--message", name, name)

    @property
    def state(self) -> tuple[str, str, str, str]:
        """The program, its packages, its database, and the last commands to its services."""
        files = (self.home / "version", self.home / ".venv" / "packages", self.here / "db", self.here / "services")
        program, packages, database, services = (file.read_text().splitlines()[-1] for file in files)
        return program, packages, database, services.partition(" ")[0]

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.home, check=True)

    @staticmethod
    def _script(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def test_there_and_back_and_only_once(server: Server):
    assert server.upgrade("two")[0] == 0
    assert server.state == ("two", "two", "two", "start")
    assert "already" in server.upgrade("two")[1]
    status, said = server.upgrade("--back", "--yes")
    assert (status, server.state) == (0, ("one", "one", "one", "start")), said
    assert "no previous version" in server.upgrade("--back", "--yes")[1]
    assert server.state == ("one", "one", "one", "start")
    assert (server.here / "db.mine").exists()


def test_one_that_was_killed_is_taken_back(server: Server):
    status, _said = server.upgrade("two", KILLED="yes")
    assert (status, server.state) == (-9, ("two", "two", "half", "stop"))
    status, said = server.upgrade("--back", "--yes")
    assert "interrupted" in said
    assert (status, server.state) == (0, ("one", "one", "one", "start")), said
    assert (server.here / "before-upgrade.cut-off" / "db").read_text() == "half\n"


def test_one_that_was_killed_is_gone_on_with(server: Server):
    server.upgrade("two", KILLED="yes")
    status, said = server.upgrade("two")
    assert "interrupted" in said
    assert (status, server.state) == (0, ("two", "two", "two", "start")), said
    assert server.upgrade("--back", "--yes")[0] == 0
    assert server.state == ("one", "one", "one", "start")


def test_one_that_was_killed_before_it_changed_anything_is_not_the_one_before_it(server: Server):
    server.upgrade("two")
    status, _said = server.upgrade("three", KILLED="early")
    assert (status, server.state) == (-9, ("two", "two", "two", "stop"))
    status, said = server.upgrade("--back", "--yes")
    assert (status, server.state) == (0, ("two", "two", "two", "start")), said
    assert server.upgrade("--back", "--yes")[0] == 0
    assert server.state == ("one", "one", "one", "start")


def test_only_what_was_signed_is_run(server: Server):
    """Nothing of a version runs as root before its signature is checked."""
    signers = server.here / "allowed_signers"
    known = signers.read_text()
    server._git("tag", "v1", "three")
    server._git("tag", "v2", "three^{commit}")
    for version in ("v1", "v2"):
        status, said = server.upgrade(version)
        assert (status, said) == (1, f"{version} is not a signed release. Nothing was changed.\n")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", server.here / "other"], check=True)
    signers.write_text(f"a@example.org {(server.here / 'other.pub').read_text()}")
    status, said = server.upgrade("two")
    assert status == 1
    assert "The signature of two is not from anyone in" in said
    signers.unlink()
    assert "can't be verified" in server.upgrade("two")[1]
    assert "There is no version main" in server.upgrade("main")[1]
    assert not (server.here / "services").exists()
    commit = subprocess.run(["git", "rev-parse", "two^{commit}"], cwd=server.home, capture_output=True, text=True)
    assert server.upgrade(commit.stdout.strip())[0] == 0
    signers.write_text(known)
    server.sign_tag("v3")
    server._git("tag", "--delete", "v1", "v2", "v3")
    server._git("-c", "advice.detachedHead=false", "checkout", "--quiet", "one")
    server.sign_tag("v0")
    server._git("checkout", "--quiet", "two")
    assert "is older than the installed version" in server.upgrade()[1]


def test_two_at_once_are_one(server: Server):
    with (server.here / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, said = server.upgrade("two")
    assert (status, said) == (1, "An upgrade is already running.\n")


def test_a_version_without_its_database_is_not_there_already(server: Server):
    (server.here / "db").write_text("none\n")
    status, said = server.upgrade("one")
    assert "already" not in said
    assert (status, server.state) == (0, ("one", "one", "one", "start")), said


def test_a_rollback_without_space_for_its_backup_leaves_the_server_running(server: Server):
    server.upgrade("two")
    status, said = server.upgrade("--back", "--yes", FULL="yes")
    assert (status, server.state) == (1, ("two", "two", "two", "start"))
    assert "nothing was changed" in said
    assert server.upgrade("--back", "--yes")[0] == 0
    assert server.state == ("one", "one", "one", "start")


def test_a_way_back_that_fails_at_the_database_can_be_gone_again(server: Server):
    server.upgrade("two")
    kept = server.here / "before-upgrade" / "db"
    kept.rename(server.here / "away")
    status, said = server.upgrade("--back", "--yes")
    assert (status, server.state) == (1, ("two", "two", "two", "stop"))
    assert "halfway" in said
    (server.here / "away").rename(kept)
    assert server.upgrade("--back", "--yes")[0] == 0
    assert server.state == ("one", "one", "one", "start")


SETTINGS = """# a comment
  CLUBNIGHT_A = "Chess Club <c@example.org>"\x20\x20
CLUBNIGHT_B=' a b '
; another
CLUBNIGHT_C=p@$s#w;or"d'\x20
export NOTHING
CLUBNIGHT_D="a\\"b"
CLUBNIGHT_D="the last"
CLUBNIGHT_E=
CLUBNIGHT_VAR=/var/lib/x\x20
"""


def test_settings_are_read_as_the_services_read_them(tmp_path: Path):
    """The rules of systemd.exec(5) for EnvironmentFile."""
    home, programs = tmp_path / "home", tmp_path / "stubs"
    for folder in (home / ".venv" / "bin", home / "deploy", programs):
        folder.mkdir(parents=True)
    for name in ("manage", "with-settings"):
        shutil.copy(DEPLOY / name, home / "deploy" / name)
    for path, text in (
        (programs / "id", STUBS["id"]),
        (programs / "runuser", STUBS["runuser"]),
        (home / ".venv" / "bin" / "python", 'echo "$@"; env'),
    ):
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    (tmp_path / "settings.env").write_text(SETTINGS)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "CLUBNIGHT_SETTINGS": str(tmp_path / "settings.env")}
    said = subprocess.run(
        [home / "deploy" / "manage", "doctor", "a b"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert said[0] == "manage.py doctor a b"
    found = dict(line.split("=", 1) for line in said[1:] if line.startswith(("CLUBNIGHT_", "HOME")))
    del found["CLUBNIGHT_SETTINGS"]
    assert found.pop("CLUBNIGHT_CALLED_FROM") == str(tmp_path), "where files named in the command are looked for"
    assert found == {
        "CLUBNIGHT_A": "Chess Club <c@example.org>",
        "CLUBNIGHT_B": " a b ",
        "CLUBNIGHT_C": "p@$s#w;or\"d'",
        "CLUBNIGHT_D": "the last",
        "CLUBNIGHT_E": "",
        "CLUBNIGHT_VAR": "/var/lib/x",
        "HOME": "/var/lib/x-home",
    }


@pytest.fixture
def anybodys() -> Iterator[Path]:
    """A folder that a user without root can write to."""
    with tempfile.TemporaryDirectory(prefix="clubnight-secrets-") as folder:
        shutil.copy(DEPLOY / "new-secrets", folder)
        if os.getuid() == 0:
            os.chown(folder, 65534, 65534)
        yield Path(folder)


def test_another_secret_key_is_made_without_root_and_can_be_read(anybodys: Path):
    def made() -> dict[str, str]:
        nobody = 65534 if os.getuid() == 0 else None
        subprocess.run(["sh", anybodys / "new-secrets"], check=True, user=nobody, group=nobody)
        files = [*(anybodys / "secrets").iterdir()]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o444}
        return {file.name: file.read_text() for file in files}

    first = made()
    assert first.keys() == {"secret-key", "database-password", "database"}
    assert made() == first
    (anybodys / "secrets" / "secret-key").unlink()
    again = made()
    assert len(again["secret-key"]) == 64
    assert {name for name, text in again.items() if text != first[name]} == {"secret-key"}
