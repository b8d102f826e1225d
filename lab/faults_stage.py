"""The servers for `lab.faults`: a database, a queue, a web server and a worker, each of which can be killed."""

from __future__ import annotations

import atexit
import http.client
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import redis

from lab.warm_start import CLOCK
from tests.servers import free_port, postgresql_programs, postgresql_with_tables, sqlite_with_tables

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 240.0
"""Seconds after which something that does not come up, or is not done, is given up."""

TOKEN = "faults" * 6
DISK = "160m"
"""Room on the disk of a scene that fills it, or may only read it."""

_SILENT = (OSError, psycopg.Error, redis.RedisError, http.client.HTTPException)


@dataclass(kw_only=True)
class Program:
    """A server that is started, killed with everything it started, and started again."""

    begin: Callable[[], int]
    """Starts it in a group of its own; its key."""
    answers: Callable[[], object]
    key: int = 0

    def start(self) -> None:
        self.key = self.begin()
        deadline = time.monotonic() + PATIENCE
        while not self.is_up():
            if time.monotonic() > deadline:
                raise SystemExit("a server did not come up")
            if not _is_there(self.key):
                # The port and files of the earlier server are not free yet.
                self.key = self.begin()
            time.sleep(0.02)

    def kill(self) -> None:
        """As in a power failure: without any warning to the process."""
        if self.key:
            # Each PostgreSQL process is a process group of its own.
            children = _children(self.key)
            with suppress(ProcessLookupError):
                os.killpg(self.key, signal.SIGKILL)
            for child in children:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            while any(map(_is_there, (self.key, *children))):
                time.sleep(0.005)
            self.key = 0

    def again(self) -> None:
        self.kill()
        self.start()

    def is_up(self) -> bool:
        try:
            self.answers()
        except _SILENT:
            return False
        return True


@dataclass(kw_only=True)
class Stage:
    """All processes of a scene, and the requests of its browsers."""

    folder: Path
    environment: dict[str, str]
    port: int
    host: str = "127.0.0.1"
    programs: dict[str, Program] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)
    answers: dict[int, int] = field(default_factory=dict)
    """How many answers had each status."""
    _warm: subprocess.Popen[str] | None = None
    _sockets: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_sqlite(self) -> bool:
        return not self.environment["CLUBNIGHT_DATABASE"].startswith("postgres")

    def ask(self, *command: str, given: object = None) -> Any:
        """The output of `lab.faults_event`."""
        asked, answered = self.folder / "asked.json", self.folder / "answered.json"
        answered.unlink(missing_ok=True)
        asked.write_text(json.dumps(given))
        key = self.fork("lab.faults_event", str(asked), str(answered), *command)
        while _is_there(key):
            time.sleep(0.02)
        if not answered.exists():
            raise SystemExit(f"no answer from the judge: {self.log.read_text()[-2000:]}")
        return json.loads(answered.read_text())

    @property
    def log(self) -> Path:
        """The output of the programs."""
        return self.folder / "programs.log"

    def fork(self, *command: str) -> int:
        """The key of a new process that runs a module. The first one is waited for."""
        with self._lock:
            said = self._tell_warm(command)
            assert said.stdout
            return int(said.stdout.readline())

    def open_pages(self) -> None:
        """Load the requested pages in all processes that are forked from now on."""
        page, board = self.told["page"], next(iter(self.told["boards"]))
        addresses = [page, f"{page}boards/{board}/", f"{page}boards/{board}/result/", "/healthz"]
        self._tell_warm(("open", self.told["session"], *addresses))

    def _tell_warm(self, command: tuple[str, ...]) -> subprocess.Popen[str]:
        if self._warm is None:
            self._warm = subprocess.Popen(
                [sys.executable, "-m", "lab.warm_start"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log.open("ab"),
                text=True,
            )
        assert self._warm.stdin
        self._warm.stdin.write(json.dumps(command) + "\n")
        self._warm.stdin.flush()
        return self._warm

    def begin(self, name: str, begin: Callable[[], int], answers: Callable[[], object]) -> None:
        self.programs[name] = Program(begin=begin, answers=answers)
        self.programs[name].start()

    def somebody_listens(self) -> None:
        """Check that a worker waits for messages: otherwise a fault would come while nothing happens."""
        with redis.Redis.from_url(self.environment["CLUBNIGHT_REDIS"]) as queue:
            if not any(client["cmd"] == "brpop" for client in queue.client_list()):
                raise ConnectionRefusedError

    def wait_until_up(self) -> None:
        """Wait until everything that the last fault stopped runs again. What was only disconnected reconnects."""
        deadline = time.monotonic() + PATIENCE
        while not all(program.is_up() for program in self.programs.values()):
            if time.monotonic() > deadline:
                raise SystemExit("a server did not come back")
            time.sleep(0.02)

    def mend(self) -> None:
        """Restart the programs that have ended."""
        for program in self.programs.values():
            if not _is_there(program.key) or not program.is_up():
                program.again()

    def end(self) -> None:
        for program in reversed(self.programs.values()):
            program.kill()
        if self._warm is not None:
            self._warm.communicate()

    def request(self, method: str, address: str, **sent: str) -> tuple[int, str]:
        """Status and page. Raises the error that a browser shows if nobody answers."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        headers = {
            "Cookie": f"sessionid={self.told.get('session', '')}; csrftoken={TOKEN[:32]}",
            "X-CSRFToken": TOKEN[:32],
            "Content-Type": "application/x-www-form-urlencoded",
        }
        try:
            connection.connect()
            self._sockets.add(connection.sock)
            connection.request(method, address, urlencode(sent), headers)
            answer = connection.getresponse()
            page = answer.read().decode(errors="replace")
            self.answers[answer.status] = self.answers.get(answer.status, 0) + 1
            return answer.status, page
        finally:
            self._sockets.discard(connection.sock)
            connection.close()

    def hang_up(self) -> None:
        """Disconnect every browser, in the middle of its request."""
        for each in list(self._sockets):
            with suppress(OSError, AttributeError):
                each.shutdown(socket.SHUT_RDWR)

    # -- The disk and the clock ----------------------------------------------------------------------------------------

    @property
    def disk(self) -> Path:
        """The small disk of the scene."""
        return self.folder / "disk"

    def fill_disk(self) -> None:
        """Write until the disk is full."""
        with suppress(OSError), (self.disk / "filler").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
        with suppress(OSError), (self.disk / "filler").open("ab", buffering=0) as file:
            while True:
                file.write(bytes(512))

    def empty_disk(self) -> None:
        (self.disk / "filler").unlink(missing_ok=True)

    def remount(self, how: str) -> None:
        """Remount as `ro` or `rw`, once no file is open for writing: a killed process may have one for a moment."""
        deadline = time.monotonic() + PATIENCE
        while subprocess.run(["mount", "-o", f"remount,{how}", self.disk], capture_output=True, check=False).returncode:
            if time.monotonic() > deadline:
                raise SystemExit("the disk is in use")
            time.sleep(0.05)

    def set_clock(self, seconds: int) -> None:
        """The offset from the machine's clock; renamed into place, as programs read it all the time."""
        clock = self.folder / "clock"
        clock.with_suffix(".new").write_text(f"{seconds:+d}\n")
        clock.with_suffix(".new").rename(clock)


def _is_there(key: int) -> bool:
    try:
        return bool(key) and Path(f"/proc/{key}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _children(key: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == key:
                found.append(int(path.parent.name))
    return found


def in_a_world_of_its_own(module: str = "lab.faults", *namespaces: str) -> bool:
    """Continue with private mounts (and `namespaces`) that end with this process; False if that is not allowed."""
    if os.environ.get("CLUBNIGHT_OWN_MOUNTS"):
        return True
    program = shutil.which("unshare")
    if os.getuid() or program is None:
        return False
    os.environ["CLUBNIGHT_OWN_MOUNTS"] = "1"
    return os.execv(program, [program, "--mount", *namespaces, sys.executable, "-m", module, *sys.argv[1:]])  # noqa: S606


def collect_style() -> None:
    """Collect static files as on a server, once for all scenes: in CLUBNIGHT_STATIC, or in a temporary folder."""
    if os.environ.get("CLUBNIGHT_STATIC"):
        return
    folder = os.environ["CLUBNIGHT_STATIC"] = tempfile.mkdtemp(prefix="clubnight-style-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    told = os.environ | {"CLUBNIGHT_SECRET_KEY": secrets.token_urlsafe(50)}
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=told, check=True)


@contextmanager
def stage(database: str, *, waiting: int, queue: bool, disk: bool, clock: bool) -> Iterator[Stage]:
    """Servers on a database with an event, and `waiting` events whose first round is not paired yet."""
    with tempfile.TemporaryDirectory(prefix="clubnight-faults-") as name, ExitStack() as ending:
        folder = Path(name)
        folder.chmod(0o755)
        place = folder
        if disk:
            place = folder / "disk"
            place.mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "none", place], check=True)
            ending.callback(subprocess.run, ["umount", "--lazy", place], check=False)  # type: ignore[arg-type]
        (place / "var").mkdir()
        environment = os.environ | {
            "CLUBNIGHT_VAR": str(place / "var"),
            "CLUBNIGHT_REDIS": "",
            "CLUBNIGHT_DEBUG": "0",
            "CLUBNIGHT_SECRET_KEY": secrets.token_urlsafe(50),
            "CLUBNIGHT_DATABASE": str(place / "var" / "club.sqlite3"),
        }
        set_up = Stage(folder=folder, environment=environment, port=free_port())
        if clock:
            environment[CLOCK] = str(folder / "clock")
            set_up.set_clock(0)
        ending.callback(set_up.end)
        if database == "PostgreSQL":
            start_postgresql(set_up, place)
        else:
            shutil.copy(sqlite_with_tables(), environment["CLUBNIGHT_DATABASE"])
        if queue:
            start_redis(set_up)
        set_up.told = set_up.ask("prepare", str(waiting))
        set_up.open_pages()
        if queue:
            worker = ("celery", "-A", "config", "worker", "--pool", "solo", "--without-gossip", "--without-mingle")
            set_up.begin("worker", lambda: set_up.fork(*worker), set_up.somebody_listens)
        web = ("gunicorn", "config.wsgi", "--workers", "2", "--bind", f"127.0.0.1:{set_up.port}")
        set_up.begin("web", lambda: set_up.fork(*web), lambda: set_up.request("GET", "/healthz"))
        yield set_up


def start_postgresql(stage: Stage, place: Path, *, at: str = "127.0.0.1", on: tuple[str, ...] = ()) -> None:
    """Start PostgreSQL at an address. `on` is the beginning of commands that run on its machine."""
    programs, port = postgresql_programs(), free_port()
    if programs is None:
        raise SystemExit("PostgreSQL's server is not installed")
    user = "postgres" if os.getuid() == 0 else None
    as_user = ("setpriv", "--reuid", user, "--regid", user, "--init-groups") if user else ()
    folder = Path(tempfile.mkdtemp(prefix="postgresql-", dir=place))
    if user:
        shutil.chown(folder, user, user)
    with postgresql_with_tables().open("rb") as archive:
        subprocess.run(["tar", "-x"], stdin=archive, check=True, cwd=folder, user=user, group=user)
    with (folder / "data" / "pg_hba.conf").open("a") as trusted:
        trusted.write(f"host all all {at}/24 trust\n")
    address = f"postgres://clubnight@{at}:{port}/migrated"
    # Keep only a little of its write-ahead log: otherwise that alone fills a small disk.
    told = [f"port={port}", f"listen_addresses={at}", f"unix_socket_directories={folder}", "max_wal_size=32MB"]
    command = [f"{programs}/postgres", "-D", f"{folder}/data", *(part for each in told for part in ("-c", each))]

    def begin() -> int:
        return spawn([*on, *as_user, *command], stage)

    stage.begin("PostgreSQL", begin, lambda: psycopg.connect(address, connect_timeout=5).close())
    stage.environment["CLUBNIGHT_DATABASE"] = address


def start_redis(stage: Stage, *, at: str = "127.0.0.1", on: tuple[str, ...] = ()) -> None:
    """Start Redis in the same way."""
    port = free_port()
    command = [*on, "redis-server", "--port", str(port), "--bind", at, "--protected-mode", "no"]
    command += ["--dir", str(stage.folder), "--save", ""]
    stage.begin("Redis", lambda: spawn(command, stage), lambda: redis.Redis(at, port).ping())
    stage.environment["CLUBNIGHT_REDIS"] = f"redis://{at}:{port}/0"


def spawn(command: list[str], stage: Stage, folder: str | Path = "/", **more: str) -> int:
    """Start a program in a session of its own, with more variables in its environment. Return its key."""
    with stage.log.open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=stage.environment | more,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    threading.Thread(target=process.wait, daemon=True).start()
    return process.pid
