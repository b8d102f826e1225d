"""Real servers for tests: Redis and PostgreSQL, each in a process of its own on a free port."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
import redis
from psycopg import sql

from tests.fork_server import ForkedProcess

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_START = 120
SECONDS_TO_END = 10


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """The URL of an empty Redis server (redis://...), running for the session."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed (Debian: redis-server)")
    with redis_process() as address:
        yield address


@contextmanager
def redis_process() -> Iterator[str]:
    """An empty Redis server for the duration of the block. Yields its URL."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="clubnight-redis-") as folder:
        command = [
            "redis-server",
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--dir",
            folder,
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        with running(command, answers=lambda: redis.Redis(port=port).ping(), folder=folder):
            yield f"redis://127.0.0.1:{port}/0"


# Nothing in it outlives the tests, and compiling a query would cost more than reading the few rows.
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "jit=off")


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a database on a new PostgreSQL server (postgres://...), running for the session."""
    if postgresql_programs() is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: postgresql)")
    with postgresql(*QUICK, cluster=postgresql_with_tables()) as address:
        yield address


@pytest.fixture(scope="session")
def migrated_postgresql(postgresql_server: str) -> str:
    """The URL of a database with all tables and no rows, which `new_database` copies."""
    return f"{postgresql_server.rpartition('/')[0]}/migrated"


def postgresql_with_tables() -> Path:
    """The archive of a server's folder with a database `migrated`, kept like the SQLite file."""
    programs = postgresql_programs()
    assert programs is not None, "PostgreSQL's server is not installed"
    return _kept(f"postgresql-{programs.parent.name}.tar", _make_cluster)


def _make_cluster(path: Path) -> None:
    """A server's folder as an archive, with a database `migrated`."""
    with tempfile.TemporaryDirectory(prefix="clubnight-postgresql-") as folder:
        data = Path(folder, "data")
        with postgresql(*QUICK, folder=folder) as address:
            nothing = f"{address.rpartition('/')[0]}/template1"
            migrated(new_database(nothing, "migrated"))
        with tarfile.open(path, "w") as archive:
            archive.add(data, arcname="data")


def new_database(address: str, name: str, *, migrate: bool = False) -> str:
    """The URL of a new database on the same server, a copy of that database with its tables."""
    made = f"{address.rpartition('/')[0]}/{name}"
    with psycopg.connect(f"{address.rpartition('/')[0]}/postgres", autocommit=True) as connection:
        of = sql.Identifier("template1" if migrate else address.rpartition("/")[2])
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), of))
    if migrate:
        migrated(made)
    return made


@pytest.fixture(scope="session")
def migrated_sqlite() -> Path:
    """A file with all tables and no rows, to be copied; made once for all workers and runs."""
    return sqlite_with_tables()


def sqlite_with_tables() -> Path:
    return _kept("sqlite3", lambda path: migrated(str(path)))


def _kept(ending: str, make: Callable[[Path], None]) -> Path:
    """A file made from migrations, kept for the next run under a name that depends on its sources."""
    folder = ROOT / ".pytest_cache" / "migrated"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{made_from()}.{ending}"
    with (folder / f"{ending}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            for older in folder.glob(f"*.{ending}*"):
                if older.suffix != ".lock":
                    older.unlink()
            being_made = path.with_name(f"new.{ending}")
            being_made.unlink(missing_ok=True)
            make(being_made)
            being_made.rename(path)
    return path


def made_from() -> str:
    """A digest of everything that tables depend on: migrations, models with their triggers, and the libraries."""
    sources = [ROOT / "uv.lock", ROOT / "config" / "settings.py"]
    for app in ("clubs", "common", "tournaments", "pairing", "operations"):
        sources += [
            path for part in ("migrations", "models", "management") for path in (ROOT / app / part).rglob("*.py")
        ]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:24]


def migrated(database: str) -> None:
    """Create the tables in this database, named as in `CLUBNIGHT_DATABASE`."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0", "--skip-checks"],
        cwd=ROOT,
        env=os.environ | {"CLUBNIGHT_DATABASE": database},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@contextmanager
def postgresql(*more_settings: str, folder: str = "", cluster: Path | None = None) -> Iterator[str]:
    """A new PostgreSQL server for the duration of the block, in its own folder or this one. Yields the database's URL.

    `cluster` is the archive of a server's folder that it begins with.
    """
    programs = postgresql_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: postgresql)")
    # PostgreSQL refuses to run as root; Debian's package creates a user for it.
    user = "postgres" if os.getuid() == 0 else None
    port = free_port()
    with ExitStack() as ending:
        folder = folder or ending.enter_context(tempfile.TemporaryDirectory(prefix="clubnight-postgresql-"))
        if user:
            shutil.chown(folder, user, user)
        data = f"{folder}/data"
        if cluster is None:
            initdb = [programs / "initdb", "-D", data, "-U", "clubnight", "-A", "trust", "-E", "UTF8", "--no-sync"]
            subprocess.run(initdb, check=True, capture_output=True, cwd=folder, user=user, group=user)
        else:
            # Read here and unpacked by the server's user, who may not read the archive but must own all files.
            with cluster.open("rb") as archive:
                subprocess.run(["tar", "-x"], stdin=archive, check=True, cwd=folder, user=user, group=user)
        settings = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}"]
        settings += more_settings
        command = [f"{programs}/postgres", "-D", data, *(part for one in settings for part in ("-c", one))]
        address = f"postgres://clubnight@127.0.0.1:{port}/postgres"
        with running(command, answers=lambda: psycopg.connect(address).close(), folder=folder, user=user):
            yield address


def postgresql_programs() -> Path | None:
    """The program folder of the newest installed PostgreSQL server, which Debian keeps off the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if debian:
        return debian[-1].parent
    program = shutil.which("postgres")
    return Path(program).resolve().parent if program else None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(
    command: list[str],
    *,
    answers: Callable[[], object],
    folder: str,
    user: str | None = None,
    environment: dict[str, str] | None = None,
    seconds: float = SECONDS_TO_START,
) -> Iterator[None]:
    """Run a server in a folder during the block, which starts when `answers` raises nothing."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            user=user,
            group=user,
            env=environment,
        )

        def said() -> str:
            output.seek(0)
            return output.read().decode(errors="replace")

        with answering(process, answers, said=said, seconds=seconds):
            yield


@contextmanager
def answering(
    process: subprocess.Popen[bytes] | ForkedProcess,
    answers: Callable[[], object],
    *,
    said: Callable[[], str],
    seconds: float = SECONDS_TO_START,
) -> Iterator[None]:
    """End the process with the block, which starts when `answers` raises nothing.

    `said` gives what is told if that never happens.
    """
    try:
        _wait_for(process, answers, seconds)
        yield
    except _NotUp:
        pytest.fail(f"{process.args!r} did not come up: {said()[-2000:]}")
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes] | ForkedProcess) -> None:
    """They end at once on SIGINT; on SIGTERM PostgreSQL would wait for its last client.

    A Python that was started where interrupts are ignored, as in the background of a shell, ends on SIGTERM alone.
    """
    for told in (signal.SIGINT, signal.SIGTERM):
        process.send_signal(told)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=SECONDS_TO_END)
            return
    process.kill()
    raise AssertionError(f"{process.args!r} does not end")


class _NotUp(Exception):
    pass


def _wait_for(process: subprocess.Popen[bytes] | ForkedProcess, answers: Callable[[], object], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        try:
            answers()
        except (OSError, redis.RedisError, psycopg.Error):
            time.sleep(0.05)
        else:
            return
    raise _NotUp
